import { subscribe } from 'node:diagnostics_channel'
import type { IncomingHttpHeaders } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Dispatcher } from 'undici'
import { dialerOf, type TlsOptions } from '../network/dialer.ts'
import { version } from '../paths.ts'
import { type ClientRun, InvalidTarget } from './run.ts'

export const userAgent = `canary-checker/${version}`
/** What is read of an answer; the rest is left on the wire and the connection closed. */
export const maxBody = 10 * 1024 * 1024
const maxRedirects = 10

export interface HttpRequest {
  url: URL
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  tls?: TlsOptions
  connectTimeoutMs?: number
  /** A connection of its own, so that the certificate seen is the one of now. */
  fresh?: boolean
  /** Redirects with these codes are the answer, not a way to it. */
  wanted?: readonly number[]
  maxBytes?: number
  dispatcher?: Dispatcher
}

export interface HttpAnswer {
  code: number
  headers: IncomingHttpHeaders
  body: Buffer
  truncated: boolean
  url: URL
  /** Milliseconds from the first packet to the last byte read, redirects included. */
  ms: number
  /** When the certificate of the last host ends, milliseconds since 1970. */
  certificateEnd?: number
}

/** Newest certificate seen of each host; undici tells about connections here and nowhere else. */
const certificates = new Map<string, number>()
subscribe('undici:client:connected', (message) => {
  const { connectParams, socket } = message as { connectParams: { host: string; protocol: string }; socket: TLSSocket }
  if (connectParams.protocol !== 'https:' || typeof socket.getPeerCertificate !== 'function') return
  const end = Date.parse(socket.getPeerCertificate().valid_to)
  if (Number.isNaN(end)) return
  if (certificates.size > 20_000) certificates.clear()
  certificates.set(connectParams.host, end)
})

/** One HTTP exchange through the network policy; every redirect is checked again. */
export async function exchange(run: Pick<ClientRun, 'ctx' | 'signal'>, request: HttpRequest): Promise<HttpAnswer> {
  const started = performance.now()
  let { url, method = 'GET', headers = {}, body } = request
  for (let hops = 0; ; hops++) {
    const answer = await attempt(run, { ...request, url, method, headers, body })
    const next = redirectOf(answer, request.wanted)
    if (!next) {
      const certificateEnd = url.protocol === 'https:' ? certificates.get(url.host) : undefined
      return { ...answer, url, ms: performance.now() - started, certificateEnd }
    }
    if (hops >= maxRedirects) throw new Error(`more than ${maxRedirects} redirects, the last one to ${bare(next)}`)
    if (next.protocol !== 'http:' && next.protocol !== 'https:')
      throw new Error(`redirected to ${bare(next)}, which is not HTTP`)
    const becomesGet = answer.code === 303 || ((answer.code === 301 || answer.code === 302) && method === 'POST')
    if (becomesGet && method !== 'HEAD') {
      method = 'GET'
      body = undefined
      headers = without(headers, ['content-type', 'content-length'])
    }
    // Credentials are for the host they were given for.
    if (next.origin !== url.origin) headers = without(headers, ['authorization', 'cookie'])
    url = next
  }
}

type RawAnswer = Pick<HttpAnswer, 'code' | 'headers' | 'body' | 'truncated'> & { from: URL }

async function attempt(run: Pick<ClientRun, 'ctx' | 'signal'>, request: HttpRequest): Promise<RawAnswer> {
  const { method, tls, connectTimeoutMs, dispatcher } = request
  const repeatable = method === 'GET' || method === 'HEAD'
  const dial = (keepAlive: boolean) => dialerOf(run.ctx).dispatcher({ tls, connectTimeoutMs, keepAlive })
  try {
    return await send(run.signal, dispatcher ?? dial(repeatable && !request.fresh), request)
  } catch (error) {
    // A kept connection may have been closed by the other side in this moment; that says nothing about its health.
    if (run.signal.aborted || !repeatable || request.fresh || dispatcher || !closedWhileIdle(error))
      throw wordsFor(error, request.url)
    return send(run.signal, dial(false), request).catch((again: unknown) => {
      throw wordsFor(again, request.url)
    })
  }
}

async function send(signal: AbortSignal, dispatcher: Dispatcher, request: HttpRequest): Promise<RawAnswer> {
  const { url, maxBytes = maxBody } = request
  const answer = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method as Dispatcher.HttpMethod,
    headers: request.headers,
    body: request.body as string | undefined,
    signal,
    // The check's own deadline is the only clock.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const chunks: Buffer[] = []
  let size = 0
  let truncated = false
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) {
      truncated = true
      break
    }
  }
  const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  return {
    code: answer.statusCode,
    headers: answer.headers,
    body: truncated ? body.subarray(0, maxBytes) : body,
    truncated,
    from: url,
  }
}

function redirectOf({ code, headers, from }: RawAnswer, wanted: readonly number[] = []): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(code) || wanted.includes(code)) return undefined
  const location = Array.isArray(headers.location) ? headers.location[0] : headers.location
  if (!location) return undefined
  try {
    return new URL(location, from)
  } catch {
    throw new Error(`code ${code} with a location that is no address`)
  }
}

const without = (headers: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase())))

const closedWhileIdle = (error: unknown): boolean =>
  ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

/** An address without what may be secret in it. */
export const bare = (url: URL): string => `${url.protocol}//${url.host}${url.pathname}`

/** Says what failed against whom; libraries leave out one or the other. */
export function wordsFor(error: unknown, url: URL): Error {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof AggregateError && error.errors.length > 0) {
    const reasons = new Set(error.errors.map((each: Error) => each.message))
    return new Error(`${url.host}: ${[...reasons].join('; ')}`)
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new Error(`${url.host}: no connection in time`)
  if (code === 'UND_ERR_SOCKET') return new Error(`${url.host}: the connection was closed before the answer ended`)
  if (code === 'ENOTFOUND') return new Error(`${url.host}: the name does not resolve`)
  if (code === 'ENETPOLICY' || error instanceof InvalidTarget) return error as Error
  if (code?.startsWith('HPE_')) return new Error(`${url.host}: the answer is not HTTP (${message})`)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new Error(`${url.host}: the headers of the answer are too large`)
  return message?.includes(url.hostname) ? (error as Error) : new Error(`${url.host}: ${message || code || 'failed'}`)
}

/** Reads an http(s) address; anything else makes the check invalid. */
export function httpUrl(text: string | undefined, field = 'url'): URL {
  if (!text) throw new InvalidTarget(`${field} is empty`)
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new InvalidTarget(`${field} is not an address with scheme and host`)
  }
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || !url.hostname)
    throw new InvalidTarget(`${field} is not an http:// or https:// address`)
  return url
}

export const basicAuth = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** For JSON APIs: sends, refuses anything but 2xx with the server's own words, and parses. */
export async function callJson(
  run: Pick<ClientRun, 'ctx' | 'signal'>,
  request: Omit<HttpRequest, 'body'> & { json?: unknown; body?: string | Uint8Array },
): Promise<unknown> {
  const { json, ...rest } = request
  const headers = { accept: 'application/json', 'user-agent': userAgent, ...rest.headers }
  if (json !== undefined) Object.assign(headers, { 'content-type': 'application/json' })
  const body = json === undefined ? rest.body : JSON.stringify(json)
  const answer = await exchange(run, { ...rest, headers, body })
  const text = answer.body.toString('utf8')
  if (answer.code < 200 || answer.code > 299)
    throw new Error(`${bare(answer.url)} answered ${answer.code}${text ? `: ${text.slice(0, 500)}` : ''}`)
  if (answer.truncated) throw new Error(`${bare(answer.url)}: the answer is larger than ${maxBody / 1024 / 1024} MB`)
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    throw new Error(`${bare(answer.url)}: the answer is not JSON: ${text.slice(0, 200)}`)
  }
}
