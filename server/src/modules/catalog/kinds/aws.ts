import { AwsScraper, awsIncludes } from '@quarterdeck/contract/scrapers/aws'
import { assumeRole, type AwsAccess } from '../../../platform/cloud/aws.ts'
import { awsXml } from '../../../platform/cloud/aws-calls.ts'
import { word } from '../../../platform/kubernetes/object.ts'
import { trailOf } from './aws/cloudtrail.ts'
import { Costs, readCosts } from './aws/costs.ts'
import { zones } from './aws/ec2.ts'
import { compliance, inspector, trustedAdvisor } from './aws/insights.ts'
import { resourceKinds, wants } from './aws/resources.ts'
import { accountType, refOf, Resources, Scan } from './aws/scan.ts'
import { InvalidScraper, type ScrapedItem, type ScraperKind, type ScrapeResult, type ScrapeRun } from './kind.ts'
import { targetOf, textOf } from './support.ts'

/** By region: until when CloudTrail has been read. */
type Kept = Record<string, string>

/** The resources of an account, region by region, with what happened to them, what is wrong with them and what they cost. */
export const aws: ScraperKind<AwsScraper> = {
  key: 'aws',
  schema: AwsScraper,
  concurrency: 2,
  async *scrape(run, spec) {
    for (const name of [...(spec.include ?? []), ...(spec.exclude ?? [])]) {
      if (!awsIncludes.some((each) => each.toLowerCase() === name.toLowerCase()))
        throw new InvalidScraper(`there is no "${name}" to include or exclude; ${awsIncludes.join(', ')} are`)
    }
    const { access, regions } = await accessOf(run, spec)
    const identity = await awsXml(run, access, { service: 'sts', action: 'GetCallerIdentity', version: '2011-06-15' })
    const account = word(identity.Account)
    if (!account) throw new Error('AWS does not say whose account this is')
    let costs = new Costs(undefined)
    if (spec.costReporting?.table) {
      try {
        costs = await readCosts(run, access, spec.costReporting)
      } catch (error) {
        yield problem(run, error, 'costs')
      }
    }
    const known = new Resources()
    const kept: Kept = { ...(await run.state.get<Kept>()) }
    for (const [place, region] of regions.entries()) {
      const scan = new Scan(run, { ...access, region }, account, known, costs)
      yield* ofRegion(scan, spec, place === 0, kept)
    }
    if (wants(spec, { include: 'Account' })) yield { item: await accountItem(run, access, account, costs) }
    run.state.set(kept)
  },
}

/** What fails is told with its place; the rest goes on. */
function problem(run: ScrapeRun, error: unknown, item: string): ScrapeResult {
  run.signal.throwIfAborted()
  if (error instanceof InvalidScraper) throw error
  return { error: { message: (error as Error).message, item } }
}

async function* ofRegion(scan: Scan, spec: AwsScraper, isFirst: boolean, kept: Kept): AsyncGenerator<ScrapeResult> {
  const { run, region } = scan
  try {
    yield* places(scan)
  } catch (error) {
    yield problem(run, error, `availability zones in ${region}`)
  }
  for (const kind of resourceKinds) {
    const isGlobal = kind.isGlobal === true
    if (!wants(spec, kind) || (isGlobal && !isFirst)) continue
    try {
      for await (const found of kind.list(scan)) yield { item: scan.item(found, { isGlobal }) }
    } catch (error) {
      yield problem(run, error, isGlobal ? kind.include : `${kind.include} in ${region}`)
    }
  }
  const insights: [boolean | undefined, string, (scan: Scan) => AsyncGenerator<ScrapeResult>][] = [
    [spec.compliance, 'AWS Config', compliance],
    [spec.inspector, 'Inspector', inspector],
    [spec.trustedAdvisor && isFirst, 'Trusted Advisor', trustedAdvisor],
  ]
  for (const [isWanted, name, read] of insights) {
    if (!isWanted) continue
    try {
      yield* read(name === 'Trusted Advisor' ? elsewhere(scan, 'us-east-1') : scan)
    } catch (error) {
      yield problem(run, error, `${name} in ${region}`)
    }
  }
  if (!spec.cloudtrail) return
  try {
    kept[region] = yield* trailOf(scan, spec.cloudtrail, kept[region])
  } catch (error) {
    yield problem(run, error, `CloudTrail in ${region}`)
  }
}

const elsewhere = (scan: Scan, region: string): Scan =>
  new Scan(scan.run, { ...scan.access, region }, scan.account, scan.known, scan.costs)

/** The region and its zones, which hold everything else. */
async function* places(scan: Scan): AsyncGenerator<ScrapeResult> {
  const { account, region } = scan
  const source = `AWS/${account}`
  const id = `${account}/${region}`
  const made = (type: string, name: string, more: Partial<ScrapedItem>): ScrapeResult => ({
    item: {
      type,
      configClass: type.split('::').at(-1)!,
      name,
      source,
      health: 'unknown',
      tags: { account, region },
      shared: true,
      config: { name },
      ...more,
    },
  })
  yield made('AWS::Region', region, { id, parents: [refOf(accountType, account)] })
  for (const zone of await zones(scan)) {
    const name = word(zone.ZoneName)
    const isFine = word(zone.ZoneState) === 'available'
    yield made('AWS::AvailabilityZone', name, {
      id: `${account}/${name}`,
      parents: [refOf('AWS::Region', id)],
      health: isFine ? 'healthy' : 'warning',
      status: word(zone.ZoneState),
      config: zone,
    })
  }
}

async function accountItem(run: ScrapeRun, access: AwsAccess, account: string, costs: Costs): Promise<ScrapedItem> {
  // Who may not ask for the name still has the number.
  const { AccountAliases } = await awsXml(run, access, {
    service: 'iam',
    action: 'ListAccountAliases',
    version: '2010-05-08',
  }).catch((): Record<string, unknown> => ({}))
  const alias = Array.isArray(AccountAliases) ? word(AccountAliases[0]) : ''
  return {
    id: account,
    type: accountType,
    configClass: 'Account',
    name: alias || account,
    source: `AWS/${account}`,
    health: 'unknown',
    tags: { account },
    costs: costs.rest(),
    config: { account, ...(alias ? { alias } : {}) },
  }
}

async function accessOf(run: ScrapeRun, spec: AwsScraper): Promise<{ access: AwsAccess; regions: string[] }> {
  const target = spec.connection ? await targetOf(run, { connection: spec.connection }) : undefined
  const accessKey = (await textOf(run, spec.accessKey, { secret: false })) ?? (target?.username || undefined)
  const secretKey = (await textOf(run, spec.secretKey)) ?? (target?.password || undefined)
  if (!accessKey || !secretKey)
    throw new InvalidScraper('accessKey and secretKey are needed, here or in the connection')
  const given = typeof spec.region === 'string' ? [spec.region] : (spec.region ?? [])
  const regions = [...new Set(given.filter((region) => region !== ''))]
  if (regions.length === 0) regions.push(target?.properties.region || 'us-east-1')
  const wrong = regions.find((region) => !/^[a-z0-9-]+$/.test(region))
  if (wrong) throw new InvalidScraper(`"${wrong}" is not the name of a region`)
  const isInsecure = spec.skipTLSVerify ?? target?.insecureTls
  const access: AwsAccess = {
    accessKey,
    secretKey,
    sessionToken: await textOf(run, spec.sessionToken),
    region: regions[0]!,
    endpoint: spec.endpoint || target?.url || undefined,
    tls: isInsecure ? { rejectUnauthorized: false } : undefined,
    properties: target?.properties ?? {},
  }
  return { access: spec.assumeRole ? await assumeRole(run, access, spec.assumeRole) : access, regions }
}
