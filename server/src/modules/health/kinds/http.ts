import type { IncomingHttpHeaders } from 'node:http'
import { HttpCheck } from '@quarterdeck/contract/checks/http'
import { Duration } from '../../../platform/expressions/values/duration.ts'
import type { TlsOptions } from '../../../platform/network/dialer.ts'
import type { CheckIdentity, CheckKind, CheckMetric, CheckRun } from '../kind.ts'
import { fillIn, resolveEnv, resolveText, type Target, targetOf } from './credentials.ts'
import {
  basicAuth,
  exchange,
  type HttpAnswer,
  type HttpRequest,
  httpUrl,
  maxBody,
  userAgent,
} from '../../../platform/clients/http.ts'
import { clientToken } from '../../../platform/clients/oauth2.ts'
import { tooSlow } from './support.ts'

const day = 86_400_000

export const http: CheckKind<HttpCheck> = {
  key: 'http',
  schema: HttpCheck,
  templatable: true,
  concurrency: 500,
  endpoint: (spec) => spec.url ?? spec.endpoint ?? spec.connection ?? '',
  // The threshold is the client's patience too; a little more, so that what came late can be told from what never came.
  timeoutMs: (spec) => (spec.thresholdMillis ? spec.thresholdMillis + 250 : 30_000),
  async run(run, spec) {
    if (spec.url && spec.endpoint) return { pass: false, errors: ['url and endpoint are both set; keep url only'] }
    const target = await targetOf(run, { ...spec, url: spec.url || spec.endpoint || undefined })
    const { request, ntlm } = await prepare(run, spec, target)
    const answer = ntlm
      ? await (await import('../../../platform/clients/ntlm-exchange.ts')).exchangeNtlm(run, request, ntlm)
      : await exchange(run, request)
    return judge(run.check, spec, answer)
  },
}

async function prepare(
  run: CheckRun,
  spec: HttpCheck,
  target: Target,
): Promise<{ request: HttpRequest; ntlm?: { username: string; password: string } }> {
  const variables = async () => ({
    ...target.properties,
    properties: target.properties,
    username: target.username ?? '',
    password: target.password ?? '',
    ...(await resolveEnv(run, spec.env)),
  })
  const url = httpUrl(await fillIn(run, target.url ?? '', variables))
  const headers: Record<string, string> = { 'user-agent': userAgent, accept: '*/*' }
  if (spec.headers) {
    for (const [name, value] of Object.entries(await resolveEnv(run, spec.headers)))
      headers[name.toLowerCase()] = await fillIn(run, value, variables)
  }
  const username = target.username ?? (url.username ? decodeURIComponent(url.username) : undefined)
  const password = target.password ?? (url.password ? decodeURIComponent(url.password) : undefined)
  url.username = ''
  url.password = ''
  url.hash = ''
  const tls = await tlsOf(run, spec, target)
  const isNtlm = spec.ntlm || spec.ntlmv2 || target.properties.ntlm === 'true' || target.properties.ntlmv2 === 'true'
  if (spec.oauth2?.tokenURL) {
    headers.authorization = `Bearer ${await clientToken(run, { ...spec.oauth2, username, password, tls })}`
  } else if (username !== undefined && !isNtlm) {
    run.secret(`${username}:${password ?? ''}`)
    headers.authorization = basicAuth(username, password ?? '')
  }
  const body =
    spec.body === undefined ? undefined : spec.templateBody ? await fillIn(run, spec.body, variables) : spec.body
  const request: HttpRequest = {
    url,
    method: spec.method.toUpperCase(),
    headers,
    body,
    tls,
    connectTimeoutMs: spec.tlsConfig?.handshakeTimeout ? spec.tlsConfig.handshakeTimeout * 1000 : undefined,
    fresh: spec.maxSSLExpiry !== undefined && spec.maxSSLExpiry > 0,
    wanted: spec.responseCodes,
  }
  return isNtlm ? { request, ntlm: { username: username ?? '', password: password ?? '' } } : { request }
}

async function tlsOf(run: CheckRun, spec: HttpCheck, target: Target): Promise<TlsOptions | undefined> {
  const given = spec.tlsConfig
  if (!given) return target.insecureTls ? { rejectUnauthorized: false } : undefined
  const tls: TlsOptions = {}
  if (given.insecureSkipVerify || target.insecureTls) tls.rejectUnauthorized = false
  const ca = await resolveText(run, given.ca, { secret: false })
  const cert = await resolveText(run, given.cert, { secret: false })
  const key = await resolveText(run, given.key)
  if (ca) tls.ca = ca
  if (cert) tls.cert = cert
  if (key) tls.key = key
  return tls
}

/** What the answer is worth, in the order the conditions are looked at. */
function judge(check: CheckIdentity, spec: HttpCheck, answer: HttpAnswer) {
  const { code, headers, ms } = answer
  const content = answer.body.toString('utf8')
  const left = answer.certificateEnd === undefined ? undefined : answer.certificateEnd - Date.now()
  const errors: string[] = []
  let json: unknown = {}
  // Only its beginning is known: whatever is said about the rest would be made up.
  if (answer.truncated) errors.push(`the answer is larger than ${maxBody / 1024 / 1024} MB`)
  else if (isJson(headers)) {
    try {
      json = content === '' ? {} : JSON.parse(content)
    } catch (error) {
      if (!spec.test) errors.push(`the answer says it is JSON and is not: ${(error as Error).message}`)
    }
  }
  const data = {
    code,
    headers: titled(headers),
    elapsed: Duration.fromMs(ms),
    sslAge: Duration.fromMs(left ?? 0),
    content,
    json,
  }
  const outcome = { duration: ms, errors, data, metrics: metricsOf(check, code, left) }
  if (spec.responseCodes?.length) {
    if (!spec.responseCodes.includes(code)) {
      errors.push(`code ${code}, expected ${spec.responseCodes.join(' or ')}`)
      return { ...outcome, pass: false }
    }
  } else if (code < 200 || code > 299) errors.push(`code ${code}, expected 2xx`)
  errors.push(...tooSlow(ms, spec.thresholdMillis))
  if (spec.responseContent && !content.includes(spec.responseContent))
    errors.push(`the answer does not contain "${spec.responseContent}"`)
  if (spec.maxSSLExpiry) {
    if (left === undefined) errors.push('there is no certificate to look at')
    else if (left < spec.maxSSLExpiry * day)
      errors.push(`the certificate ends in ${Math.floor(left / day)} days, fewer than ${spec.maxSSLExpiry}`)
  }
  return { ...outcome, pass: errors.length === 0 }
}

/** Labelled by the check, never by its address: an address may hold what nobody should read. */
function metricsOf(check: CheckIdentity, code: number, left: number | undefined): CheckMetric[] {
  const labels = { key: check.id, name: check.name }
  const byCode = { ...labels, code: String(code), status: `${Math.floor(code / 100)}xx` }
  const metrics: CheckMetric[] = [
    { name: 'response_code', type: 'counter', value: 1, labels: byCode },
    { name: 'canary_check_http_response_status', type: 'counter', value: 1, labels: byCode },
  ]
  if (left !== undefined)
    metrics.push({ name: 'canary_check_http_ssl_expiry', type: 'gauge', value: Math.floor(left / day), labels })
  return metrics
}

function isJson(headers: IncomingHttpHeaders): boolean {
  const type = headers['content-type']
  return type !== undefined && /^application\/([\w.+-]*\+)?json\b/i.test(type)
}

const titles = new Map<string, string>()

/** Header names as they are usually written, `Content-Type`: expressions name them so. */
function titled(headers: IncomingHttpHeaders): Record<string, string> {
  const made: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    let title = titles.get(name)
    if (title === undefined) {
      title = name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
      if (titles.size < 1000) titles.set(name, title)
    }
    made[title] = Array.isArray(value) ? value.join(', ') : (value ?? '')
  }
  return made
}
