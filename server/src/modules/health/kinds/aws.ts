import type { SecretText } from '@quarterdeck/contract/checks/common'
import { type AwsCredentials, signAws } from '../../../platform/cloud/aws-sigv4.ts'
import type { TlsOptions } from '../../../platform/network/dialer.ts'
import type { CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { connectionOf, resolveText } from './credentials.ts'
import { exchange, type HttpAnswer, httpUrl, userAgent } from './http-client.ts'
import { tagOf } from './xml.ts'

export interface AwsSpec {
  connection?: string
  accessKey?: SecretText
  secretKey?: SecretText
  sessionToken?: SecretText
  assumeRole?: string
  region?: string
  endpoint?: string
  skipTLSVerify?: boolean
}

export interface AwsAccess extends AwsCredentials {
  region: string
  endpoint?: string
  tls?: TlsOptions
  properties: Record<string, string>
}

/** Keys, region and endpoint of the AWS fields and their connection; a role is assumed when one is named. */
export async function awsAccess(run: CheckRun, spec: AwsSpec): Promise<AwsAccess> {
  const base = spec.connection ? await connectionOf(run, spec.connection) : undefined
  const accessKey = (await resolveText(run, spec.accessKey, { secret: false })) ?? base?.username
  const secretKey = (await resolveText(run, spec.secretKey)) ?? base?.password
  const sessionToken = await resolveText(run, spec.sessionToken)
  if (!accessKey || !secretKey) throw new InvalidCheck('accessKey and secretKey are needed, here or in the connection')
  const insecure = spec.skipTLSVerify ?? base?.insecureTls
  const access: AwsAccess = {
    accessKey,
    secretKey,
    sessionToken,
    region: spec.region ?? base?.properties.region ?? 'us-east-1',
    endpoint: spec.endpoint ?? (base?.url || undefined),
    tls: insecure ? { rejectUnauthorized: false } : undefined,
    properties: base?.properties ?? {},
  }
  return spec.assumeRole ? assumeRole(run, access, spec.assumeRole) : access
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
export function awsRequest(run: CheckRun, access: AwsAccess, request: AwsRequest): Promise<HttpAnswer> {
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
  run: CheckRun,
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
  run: CheckRun,
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

async function assumeRole(run: CheckRun, access: AwsAccess, role: string): Promise<AwsAccess> {
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
