import type { TlsOptions } from '../network/dialer.ts'
import { exchange, type HttpAnswer, httpUrl, userAgent } from '../clients/http.ts'
import type { ClientRun } from '../clients/run.ts'
import { tagOf } from '../clients/xml.ts'
import { type AwsCredentials, signAws } from './aws-sigv4.ts'

export interface AwsAccess extends AwsCredentials {
  region: string
  endpoint?: string
  tls?: TlsOptions
  properties: Record<string, string>
}

export interface AwsRequest {
  service: string
  method?: string
  url: URL
  headers?: Record<string, string>
  body?: string | Uint8Array
  maxBytes?: number
}

/** Sends one signed request. */
export function awsRequest(run: ClientRun, access: AwsAccess, request: AwsRequest): Promise<HttpAnswer> {
  const { service, method = 'GET', url, body } = request
  const headers = signAws({ method, url, headers: request.headers, body, service, region: access.region }, access)
  // Redirects of AWS need a signature of their own; they are answers here.
  const wanted = [301, 302, 303, 307, 308]
  return exchange(run, {
    url,
    method,
    headers: { 'user-agent': userAgent, ...headers },
    body,
    tls: access.tls,
    wanted,
    maxBytes: request.maxBytes,
  })
}

export const serviceUrl = (access: AwsAccess, service: string): URL =>
  httpUrl(access.endpoint ?? `https://${service}.${access.region}.amazonaws.com`, 'endpoint')

/** A call of the query protocol (`Action=…`), answered in XML. */
export async function awsQuery(
  run: ClientRun,
  access: AwsAccess,
  service: string,
  parameters: Record<string, string>,
): Promise<string> {
  const answer = await awsRequest(run, access, {
    service,
    method: 'POST',
    url: serviceUrl(access, service),
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: new URLSearchParams(parameters).toString(),
  })
  return awsText(answer, parameters.Action ?? service)
}

/** A call of the JSON protocol (`X-Amz-Target`). */
export async function awsJson(
  run: ClientRun,
  access: AwsAccess,
  { service, target, input, version = '1.1' }: { service: string; target: string; input: unknown; version?: string },
): Promise<Record<string, unknown>> {
  const answer = await awsRequest(run, access, {
    service,
    method: 'POST',
    url: serviceUrl(access, service),
    headers: { 'content-type': `application/x-amz-json-${version}`, 'x-amz-target': target },
    body: JSON.stringify(input),
  })
  return JSON.parse(awsText(answer, target.split('.').at(-1)!)) as Record<string, unknown>
}

/** The body of a good answer, or the service's own reason. */
export function awsText(answer: HttpAnswer, what: string): string {
  const text = answer.body.toString('utf8')
  if (answer.code >= 200 && answer.code < 300) return text
  const code = tagOf(text, 'Code') ?? /"__type"\s*:\s*"(?:[^"#]*#)?([^"]+)"/.exec(text)?.[1]
  const words = tagOf(text, 'Message') ?? /"[Mm]essage"\s*:\s*"([^"]*)"/.exec(text)?.[1]
  throw new Error(`${what}: ${[`code ${answer.code}`, code, words].filter(Boolean).join(', ')}`)
}

/** The same access under a role. */
export async function assumeRole(run: ClientRun, access: AwsAccess, role: string): Promise<AwsAccess> {
  const answer = await awsQuery(run, access, 'sts', {
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: 'quarterdeck',
  })
  const [accessKey, secretKey, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].map((tag) =>
    tagOf(answer, tag),
  )
  if (!accessKey || !secretKey) throw new Error(`AssumeRole ${role}: the answer has no credentials`)
  run.secret(secretKey)
  if (sessionToken) run.secret(sessionToken)
  return { ...access, accessKey, secretKey, sessionToken }
}
