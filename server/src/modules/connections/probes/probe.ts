import {
  basicAuth,
  exchange,
  type HttpAnswer,
  type HttpRequest,
  httpUrl,
  userAgent,
} from '../../../platform/clients/http.ts'
import { type ClientRun, InvalidTarget, type Target } from '../../../platform/clients/run.ts'
import type { TlsOptions } from '../../../platform/network/dialer.ts'

/** Tries a connection for real. Throws with the reason when it does not work. */
export type Probe = (run: ProbeRun, target: Target) => Promise<void>

export interface ProbeRun extends ClientRun {
  /** Of the connection itself; names it uses are looked up there. */
  namespace: string
}

export const tlsOf = ({ insecureTls }: Target): TlsOptions | undefined =>
  insecureTls ? { rejectUnauthorized: false } : undefined

/** A value without which nothing can be tried. */
export function need(value: string | undefined, what: string): string {
  if (!value) throw new InvalidTarget(`${what} is missing`)
  return value
}

export type Ask = Omit<HttpRequest, 'url'> & { url: string | URL; form?: Record<string, string>; json?: unknown }

/** One request of an HTTP API and its answer, whatever it is. */
export async function ask(run: ClientRun, { url, form, json, headers, ...rest }: Ask): Promise<HttpAnswer> {
  const type = form ? 'application/x-www-form-urlencoded' : json === undefined ? undefined : 'application/json'
  return exchange(run, {
    // A sign-in page behind a redirect is an answer of somebody else.
    wanted: [301, 302, 303, 307, 308],
    fresh: true,
    ...rest,
    url: typeof url === 'string' ? httpUrl(url) : url,
    method: rest.method ?? (type ? 'POST' : 'GET'),
    body: form ? new URLSearchParams(form).toString() : json === undefined ? rest.body : JSON.stringify(json),
    headers: {
      accept: 'application/json',
      'user-agent': userAgent,
      ...(type ? { 'content-type': type } : {}),
      ...headers,
    },
    maxBytes: 256 * 1024,
  })
}

/** The same, refused unless the answer is good; says the service's own reason. */
export async function askGood(run: ClientRun, request: Ask): Promise<unknown> {
  const answer = await ask(run, request)
  if (answer.code < 200 || answer.code > 299) throw refusal(answer)
  return readJson(answer)
}

export function refusal(answer: HttpAnswer): Error {
  const text = answer.body.toString('utf8').trim()
  const isPage = /^\s*</.test(text) || /html/.test(answer.headers['content-type'] ?? '')
  const location = answer.headers.location ? `, to ${answer.headers.location.split('?')[0]}` : ''
  const words = isPage || text === '' ? '' : `: ${text.slice(0, 500)}`
  return new Error(`${answer.url.host} answered ${answer.code}${location}${words}`)
}

export function readJson(answer: HttpAnswer): unknown {
  const text = answer.body.toString('utf8')
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    throw new Error(`${answer.url.host} answered ${answer.code}, but not with JSON`)
  }
}

/** Basic authorization, when there is somebody to authorize. */
export function basic(run: ClientRun, { username, password }: Target): Record<string, string> {
  if (!username && !password) return {}
  run.secret(`${username ?? ''}:${password ?? ''}`)
  return { authorization: basicAuth(username ?? '', password ?? '') }
}

/** An address with what is appended to its path; credentials inside it become those of the target. */
export function under(target: Target, path: string): { url: URL; who: Target } {
  const url = httpUrl(target.url)
  const username = target.username || decodeURIComponent(url.username) || undefined
  const password = target.password || decodeURIComponent(url.password) || undefined
  url.username = url.password = ''
  url.pathname = url.pathname.replace(/\/$/, '') + path
  return { url, who: { ...target, username, password } }
}

/** Where the API of a service is: as given, or where everybody finds it. */
export const apiOf = ({ properties }: Target, usual: string): string =>
  (properties.endpoint || usual).replace(/\/+$/, '')

/** The host of a channel: a property, or a part of its address. */
export function hostOf({ url, properties }: Target): string {
  if (properties.host) return properties.host.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/, '') + portOf(properties)
  return need(/^[a-z0-9+.-]+:\/\/(?:[^@/]*@)?([^/?]+)/i.exec(url ?? '')?.[1], 'the host')
}

const portOf = ({ host = '', port }: Record<string, string>) =>
  port && port !== '443' && !/:\d+$/.test(host) ? `:${port}` : ''
