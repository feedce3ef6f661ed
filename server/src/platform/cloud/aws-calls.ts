import { httpUrl } from '../clients/http.ts'
import type { ClientRun } from '../clients/run.ts'
import { readXml } from '../clients/xml.ts'
import { type AwsAccess, awsRequest, awsText } from './aws.ts'

/** Services that have one address for all regions, and the region their requests are signed for. */
const global: Record<string, string> = { iam: 'iam', route53: 'route53', sts: 'sts' }
const hosts: Record<string, string> = { ecr: 'api.ecr' }
const maxBytes = 64 * 1024 * 1024

type Json = Record<string, unknown>

/** Where a service is in a region; one endpoint answers for all of them. */
export function awsUrl(access: AwsAccess, service: string, path = '/'): URL {
  const domain = access.region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  const host = global[service] ?? `${hosts[service] ?? service}.${access.region}`
  const url = httpUrl(access.endpoint ?? `https://${host}.${domain}`, 'endpoint')
  const [pathname = '/', query = ''] = path.split('?', 2)
  url.pathname = url.pathname.replace(/\/$/, '') + pathname
  url.search = query.replaceAll('+', '%20')
  return url
}

/** The region that requests to a service are signed for. */
const signed = (access: AwsAccess, service: string): AwsAccess =>
  service in global && !access.region.startsWith('cn-') ? { ...access, region: 'us-east-1' } : access

export interface XmlCall {
  service: string
  action: string
  version: string
  parameters?: Record<string, string>
  /** Names of repeated tags beside `item` and `member`. */
  lists?: readonly string[]
}

/** A call of the query protocol; the answer as plain data, without the envelope. */
export async function awsXml(run: ClientRun, access: AwsAccess, call: XmlCall): Promise<Json> {
  const { service, action, version, parameters, lists = [] } = call
  const answer = await awsRequest(run, signed(access, service), {
    service,
    method: 'POST',
    url: awsUrl(access, service),
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: new URLSearchParams({ Action: action, Version: version, ...parameters }).toString(),
    maxBytes,
  })
  const parsed = readXml(awsText(answer, action), ['item', 'member', ...lists])
  const envelope = (parsed[`${action}Response`] ?? {}) as Json
  return plain(envelope[`${action}Result`] ?? envelope) as Json
}

/** A call of the JSON protocol. */
export async function awsTarget(
  run: ClientRun,
  access: AwsAccess,
  { service, target, input }: { service: string; target: string; input: unknown },
): Promise<Json> {
  const answer = await awsRequest(run, signed(access, service), {
    service,
    method: 'POST',
    url: awsUrl(access, service),
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
    body: JSON.stringify(input),
    maxBytes,
  })
  return JSON.parse(awsText(answer, target.split('.').at(-1)!) || '{}') as Json
}

export interface RestCall {
  service: string
  path: string
  method?: string
  json?: unknown
}

async function rest(run: ClientRun, access: AwsAccess, { service, path, method = 'GET', json }: RestCall) {
  const body = json === undefined ? undefined : JSON.stringify(json)
  const headers = body === undefined ? undefined : { 'content-type': 'application/json' }
  const url = awsUrl(access, service, path)
  const answer = await awsRequest(run, signed(access, service), { service, method, url, headers, body, maxBytes })
  return awsText(answer, `${service} ${path.split('?')[0]}`)
}

export const awsRest = async (run: ClientRun, access: AwsAccess, call: RestCall): Promise<Json> =>
  JSON.parse((await rest(run, access, call)) || '{}') as Json

/** The same for services that answer in XML; without the outermost tag. */
export async function awsRestXml(
  run: ClientRun,
  access: AwsAccess,
  call: RestCall & { lists?: readonly string[] },
): Promise<Json> {
  const parsed = readXml(await rest(run, access, call), call.lists)
  const root = Object.entries(parsed).find(([name]) => !name.startsWith('?'))
  return plain(root?.[1] ?? {}) as Json
}

/** Lists without their wrapping tag, booleans as such, names as the documentation writes them. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (value === 'true' || value === 'false') return value === 'true'
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as Json).filter(([name]) => !name.startsWith('@'))
  const [first] = entries
  if (entries.length === 1 && (first![0] === 'item' || first![0] === 'member')) return plain(first![1])
  return Object.fromEntries(entries.map(([name, each]) => [nameOf(name), plain(each)]))
}

const nameOf = (name: string): string => (name === 'tagSet' ? 'Tags' : name.charAt(0).toUpperCase() + name.slice(1))
