import { HttpScraper } from '@quarterdeck/contract/scrapers/http'
import { bare, basicAuth, exchange, httpUrl } from '../../../platform/clients/http.ts'
import { clientToken } from '../../../platform/clients/oauth2.ts'
import type { TlsOptions } from '../../../platform/network/dialer.ts'
import { version } from '../../../platform/paths.ts'
import type { ScraperKind, ScrapeRun } from './kind.ts'
import { envOf, fillIn, targetOf, textOf } from './support.ts'

export const maxAnswer = 128 * 1024 * 1024

/** One request; its answer is the document. */
export const http: ScraperKind<HttpScraper> = {
  key: 'http',
  schema: HttpScraper,
  concurrency: 10,
  async *scrape(run, spec) {
    const target = await targetOf(run, spec)
    const variables = {
      properties: target.properties,
      username: target.username,
      password: target.password,
      ...(await envOf(run, spec.env)),
    }
    const url = httpUrl(await fillIn(target.url, variables))
    const tls = await tlsOf(run, spec.tls, target.insecureTls)
    const headers = await headersOf(run, spec, variables)
    const username = target.username || decodeURIComponent(url.username)
    const password = target.password || decodeURIComponent(url.password)
    url.username = ''
    url.password = ''
    const bearer = await textOf(run, spec.bearer)
    if (bearer) headers.authorization = `Bearer ${bearer}`
    else if (spec.oauth?.tokenURL) {
      const { tokenURL, scope, params } = spec.oauth
      const id = (await textOf(run, spec.oauth.clientID, { secret: false })) ?? username
      const secret = (await textOf(run, spec.oauth.clientSecret)) ?? password
      const token = await clientToken(run, { tokenURL, scope, params, username: id, password: secret, tls })
      headers.authorization = `Bearer ${token}`
    } else if (username) {
      run.secret(`${username}:${password}`)
      headers.authorization = basicAuth(username, password)
    }
    const body = spec.body === undefined ? undefined : await fillIn(spec.body, variables)
    const method = spec.method.toUpperCase()
    const answer = await exchange(run, { url, method, headers, body, tls, maxBytes: maxAnswer })
    const text = answer.body.toString('utf8')
    if (answer.code < 200 || answer.code > 299)
      throw new Error(`${bare(answer.url)} answered ${answer.code}${text ? `: ${text.slice(0, 500)}` : ''}`)
    if (answer.truncated)
      throw new Error(`${bare(answer.url)}: the answer is larger than ${maxAnswer / 1024 / 1024} MB`)
    yield { item: { config: text, source: bare(answer.url) } }
  },
}

async function headersOf(
  run: ScrapeRun,
  spec: HttpScraper,
  variables: Record<string, unknown>,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = { 'user-agent': `quarterdeck/${version}`, accept: '*/*' }
  for (const [name, value] of Object.entries(spec.headers ?? {})) {
    const isTelling = /auth|token|secret|key|cookie|credential/i.test(name)
    const text = await textOf(run, value, { secret: isTelling })
    if (text !== undefined) headers[name.toLowerCase()] = await fillIn(text, variables)
  }
  return headers
}

async function tlsOf(run: ScrapeRun, spec: HttpScraper['tls'], insecure: boolean): Promise<TlsOptions | undefined> {
  if (!spec) return insecure ? { rejectUnauthorized: false } : undefined
  const tls: TlsOptions = {}
  if (spec.insecureSkipVerify || insecure) tls.rejectUnauthorized = false
  const ca = await textOf(run, spec.ca, { secret: false })
  const cert = await textOf(run, spec.cert, { secret: false })
  const key = await textOf(run, spec.key)
  if (ca) tls.ca = ca
  if (cert) tls.cert = cert
  if (key) tls.key = key
  return tls
}
