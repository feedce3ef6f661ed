import { setTimeout as wait } from 'node:timers/promises'
import type { AwsAccess } from '../../../../platform/cloud/aws.ts'
import {
  awsRest,
  awsRestXml,
  awsTarget,
  awsXml,
  type RestCall,
  type XmlCall,
} from '../../../../platform/cloud/aws-calls.ts'
import { record, records, time, word } from '../../../../platform/kubernetes/object.ts'
import type { ItemRef, ScrapedItem, ScrapeRun } from '../kind.ts'
import type { Costs } from './costs.ts'
import { healthOf, statusOf } from './health.ts'

export type Raw = Record<string, unknown>

/** One resource as its service describes it. */
export interface Found {
  type: string
  /** As people and other resources call it. */
  id: string
  arn?: string
  name?: string
  config: Raw
  status?: string
  tags?: unknown
  created?: unknown
  zone?: unknown
  vpc?: unknown
  subnet?: unknown
  /** Parents that are more precise than subnet, network and zone. */
  parents?: ItemRef[]
  related?: { to: ItemRef; relation: string }[]
}

export const texts = (list: unknown): string[] => (Array.isArray(list) ? list.map(word).filter(Boolean) : [])

type Token = Record<string, string>

/** All pages of a list: `next` is the field of an answer that names the next page, `parameter` what it is asked with. */
export async function* pagesOf(
  ask: (token: Token) => Promise<Raw>,
  next = 'NextToken',
  parameter = next,
): AsyncGenerator<Raw> {
  let token: string | undefined
  do {
    const page = await ask(token ? { [parameter]: token } : {})
    yield page
    token = word(page[next]) || undefined
  } while (token)
}

export interface Listing {
  ask: (scan: Scan, token: Token) => Promise<Raw>
  next?: string
  parameter?: string
  /** Where the entries of a page are. */
  entries: (page: Raw) => unknown
  found: (each: Raw, scan: Scan) => Found
}

/** A service whose lists say all there is to know. */
export const listing = ({ ask, next, parameter, entries, found }: Listing) =>
  async function* (scan: Scan): AsyncGenerator<Found> {
    for await (const page of pagesOf((token) => ask(scan, token), next, parameter))
      for (const each of records(entries(page))) yield found(each, scan)
  }

/** Asks with the query protocol. */
export const query =
  (call: XmlCall): Listing['ask'] =>
  (scan, token) =>
    scan.xml({ ...call, parameters: { ...call.parameters, ...token } })

/** Asks for a path, with the token in its query. */
export const rest =
  (service: string, path: string): Listing['ask'] =>
  (scan, token) =>
    scan.rest({ service, path: withToken(path, token) })

export const withToken = (path: string, token: Token): string =>
  Object.entries(token).reduce(
    (start, [name, value]) => `${start}${start.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`,
    path,
  )

/** A resource that is called by its ARN. */
export const byArn = (type: string, arn: unknown, config: Raw, more: Omit<Partial<Found>, 'id' | 'arn'>): Found => ({
  type,
  id: word(arn),
  arn: word(arn),
  config,
  ...more,
})

export const refOf = (type: string, id: unknown): ItemRef => ({ externalId: word(id), type })
export const accountType = 'AWS::::Account'

const tooMany = /Throttl|RequestLimitExceeded|TooManyRequests|SlowDown|code 503/
const pauses = [500, 1_000, 2_000, 4_000, 8_000]

/** Services that are asked too often say so; they are asked again a little later. */
async function patiently<T>({ signal }: Pick<ScrapeRun, 'signal'>, ask: () => Promise<T>): Promise<T> {
  for (let turn = 0; ; turn++) {
    try {
      return await ask()
    } catch (error) {
      const pause = pauses[turn]
      if (pause === undefined || !tooMany.test((error as Error).message)) throw error
      await wait(pause, undefined, { signal })
    }
  }
}

/** One region of one account while it is read. */
export class Scan {
  constructor(
    readonly run: ScrapeRun,
    readonly access: AwsAccess,
    readonly account: string,
    readonly known: Resources,
    readonly costs: Costs,
  ) {}

  get region(): string {
    return this.access.region
  }

  xml = (call: XmlCall): Promise<Raw> => patiently(this.run, () => awsXml(this.run, this.access, call))
  rest = (call: RestCall): Promise<Raw> => patiently(this.run, () => awsRest(this.run, this.access, call))
  restXml = (call: RestCall & { lists?: readonly string[] }): Promise<Raw> =>
    patiently(this.run, () => awsRestXml(this.run, this.access, call))
  json = (service: string, target: string, input: unknown): Promise<Raw> =>
    patiently(this.run, () => awsTarget(this.run, this.access, { service, target, input }))

  arn = (service: string, resource: string): string =>
    `arn:${partitionOf(this.region)}:${service}:${this.region}:${this.account}:${resource}`

  /** The item of a resource; who it belongs to follows from where it is. */
  item(found: Found, { isGlobal = false } = {}): ScrapedItem {
    const { type, id, arn, config, zone, vpc, subnet } = found
    const labels = labelsOf(found.tags)
    const created = time(found.created)
    const status = found.status ? statusOf(found.status) : undefined
    this.known.add({ type, id, arn, name: found.name, region: isGlobal ? '' : this.region })
    const parents = [
      ...(found.parents ?? []),
      ...(word(subnet) ? [refOf('AWS::EC2::Subnet', subnet)] : []),
      ...(word(vpc) ? [refOf('AWS::EC2::VPC', vpc)] : []),
      ...(word(zone) ? [refOf('AWS::AvailabilityZone', `${this.account}/${word(zone)}`)] : []),
      ...(isGlobal ? [] : [refOf('AWS::Region', `${this.account}/${this.region}`)]),
      refOf(accountType, this.account),
    ]
    return {
      id,
      aliases: arn && arn !== id ? [arn] : [],
      type,
      configClass: type.split('::').at(-1)!,
      name: found.name || labels.Name || id,
      status,
      health: found.status ? healthOf(type, found.status) : 'unknown',
      source: `AWS/${this.account}`,
      labels,
      tags: {
        account: this.account,
        ...(isGlobal ? {} : { region: this.region }),
        ...(word(zone) ? { zone: word(zone) } : {}),
      },
      createdAt: created === undefined ? undefined : new Date(created),
      parents,
      relationships: found.related?.filter(({ to }) => 'externalId' in to && to.externalId !== ''),
      costs: this.costs.take([id, arn]),
      config,
    }
  }
}

const partitionOf = (region: string): string =>
  region.startsWith('cn-') ? 'aws-cn' : region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws'

/** `[{Key, Value}]` of most services, `{key: value}` of the others. */
function labelsOf(tags: unknown): Record<string, string> {
  const pairs = Array.isArray(tags)
    ? records(tags).map((tag) => [word(tag.Key) || word(tag.key), word(tag.Value ?? tag.value)] as const)
    : Object.entries(record(tags)).map(([key, value]) => [key, word(value)] as const)
  return Object.fromEntries(pairs.filter(([key]) => key !== '' && key !== '__proto__'))
}

interface Resource {
  type: string
  id: string
  arn?: string
  name?: string
  region: string
}

/** What was found, by whatever other services call it. */
export class Resources {
  private readonly byKey = new Map<string, ItemRef>()

  add({ type, id, arn, name, region }: Resource): void {
    const ref = refOf(type, id)
    for (const key of [id, arn]) if (key) this.byKey.set(key, ref)
    if (name) this.byKey.set(`${type} ${region} ${name}`, ref)
    this.byKey.set(`${type} ${id}`, ref)
  }

  find(name: string, type = '', region = ''): ItemRef | undefined {
    return (
      this.byKey.get(`${type} ${name}`) ??
      this.byKey.get(`${type} ${region} ${name}`) ??
      this.byKey.get(`${type}  ${name}`) ??
      this.byKey.get(name)
    )
  }
}
