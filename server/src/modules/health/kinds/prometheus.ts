import { PrometheusCheck } from '@quarterdeck/contract/checks/prometheus'
import type { SecretText } from '@quarterdeck/contract/checks/common'
import { record, records } from '../../../platform/kubernetes/object.ts'
import { readProperties } from '../../../platform/properties.ts'
import type { TlsOptions } from '../../../platform/network/dialer.ts'
import type { CheckKind, CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { fillIn, fillInQuery, resolveText, type Target, targetOf } from './credentials.ts'
import { digestAuth } from '../../../platform/clients/digest.ts'
import { basicAuth, exchange, type HttpRequest, httpUrl, userAgent } from '../../../platform/clients/http.ts'
import { clientToken } from '../../../platform/clients/oauth2.ts'

type Sample = Record<string, unknown> & { value: number }

export const prometheus: CheckKind<PrometheusCheck> = {
  key: 'prometheus',
  schema: PrometheusCheck,
  templatable: true,
  endpoint: (spec) => spec.url ?? spec.connection ?? '',
  async run(run, spec) {
    if (spec.host) return { pass: false, errors: ['host is no longer used; set url'] }
    const target = await targetOf(run, spec)
    const base = httpUrl(await fillIn(run, target.url || (await serverWide(run)) || ''))
    const query = await fillInQuery(run, spec.query)
    const samples = await instantQuery(run, spec, target, base, query)
    const [first] = samples
    const { value = 0, ...labels } = first ?? {}
    const texts = Object.fromEntries(Object.entries(labels).map(([name, label]) => [name, String(label)]))
    return {
      pass: true,
      detail: samples,
      data: { value, firstResult: first ?? { value: 0 } },
      labels: texts,
      message: first ? String(value) : 'no samples',
    }
  },
}

const serverWide = async ({ ctx }: CheckRun): Promise<string | undefined> =>
  ctx.db ? (await readProperties(ctx)).get('prometheus.url') : undefined

async function instantQuery(
  run: CheckRun,
  spec: PrometheusCheck,
  target: Target,
  base: URL,
  query: string,
): Promise<Sample[]> {
  const username = target.username ?? decodeURIComponent(base.username)
  const password = target.password ?? decodeURIComponent(base.password)
  base.username = base.password = ''
  base.pathname = `${base.pathname.replace(/\/$/, '')}/api/v1/query`
  base.searchParams.set('query', query)
  const tls = await tlsOf(run, spec, target)
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': userAgent }
  const bearer = (await resolveText(run, spec.bearer)) ?? target.properties.bearer
  const oauth = record(spec.oauth)
  if (bearer) headers.authorization = `Bearer ${bearer}`
  else if (typeof oauth.tokenURL === 'string')
    headers.authorization = `Bearer ${await clientToken(run, { ...(await oauthOf(run, oauth)), tls })}`
  else if (username && !spec.ntlm && !spec.digest) {
    run.secret(`${username}:${password}`)
    headers.authorization = basicAuth(username, password)
  }
  const request: HttpRequest = { url: base, method: 'GET', headers, tls }
  const answer = spec.ntlm
    ? await (
        await import('../../../platform/clients/ntlm-exchange.ts')
      ).exchangeNtlm(run, request, { username, password })
    : spec.digest
      ? await digestAuth(run, request, { username, password })
      : await exchange(run, request)
  let body: Record<string, unknown>
  try {
    body = record(JSON.parse(answer.body.toString('utf8')))
  } catch {
    throw new Error(`${base.host} answered ${answer.code} and no JSON`)
  }
  if (body.status !== 'success') throw new Error(`the query failed: ${String(body.error ?? `code ${answer.code}`)}`)
  return samplesOf(record(body.data))
}

async function oauthOf(run: CheckRun, oauth: Record<string, unknown>) {
  return {
    tokenURL: String(oauth.tokenURL),
    scope: Array.isArray(oauth.scope) ? oauth.scope.map(String) : [],
    params: record(oauth.params) as Record<string, string>,
    username: await resolveText(run, oauth.clientID as SecretText | undefined, { secret: false }),
    password: await resolveText(run, oauth.clientSecret as SecretText | undefined),
  }
}

async function tlsOf(run: CheckRun, spec: PrometheusCheck, target: Target): Promise<TlsOptions | undefined> {
  const given = record(spec.tls)
  const tls: TlsOptions = {}
  if (given.insecureSkipVerify === true || target.insecureTls) tls.rejectUnauthorized = false
  for (const field of ['ca', 'cert', 'key'] as const) {
    const text = await resolveText(run, given[field] as SecretText | undefined, { secret: field === 'key' })
    if (text) tls[field] = text
  }
  return Object.keys(tls).length > 0 ? tls : undefined
}

/** A vector has one value per series, a range its last, a scalar one without labels. */
export function samplesOf(data: Record<string, unknown>): Sample[] {
  const number = (pair: unknown) => Number(Array.isArray(pair) ? pair[1] : undefined)
  switch (data.resultType) {
    case 'vector':
      return records(data.result).map((each) => ({ ...record(each.metric), value: number(each.value) }))
    case 'matrix':
      return records(data.result).map((each) => ({
        ...record(each.metric),
        value: number(Array.isArray(each.values) ? each.values.at(-1) : undefined),
      }))
    case 'scalar':
      return [{ value: number(data.result) }]
    default:
      throw new InvalidCheck(`the query gives a ${String(data.resultType)}, which is no number`)
  }
}
