import type { PeerCertificate, TLSSocket } from 'node:tls'
import { createBrotliDecompress, createInflate, createGunzip } from 'node:zlib'
import type { Readable } from 'node:stream'
import { request as undiciRequest, type Dispatcher } from 'undici'
import type { TlsOptions } from './dial.ts'
import type { Connection, Network } from './network.ts'
import { NetworkError, networkError } from './network-error.ts'

export interface HttpRequest {
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array
  /** Milliseconds for everything, redirects included; 30 seconds unless given. */
  timeoutMs?: number
  signal?: AbortSignal
  /** How many redirects are followed; 10 unless given, 0 returns the redirect itself. */
  maxRedirects?: number
  /** Bytes of the answer, unpacked, that are read; the rest is dropped and `truncated` set. 10 MB unless given. */
  maxBytes?: number
  tls?: TlsOptions
  /** Use this dispatcher (kept connections) instead of a connection for this request alone. */
  dispatcher?: Dispatcher
}

export interface HttpTimings {
  dns: number
  connect: number
  tls: number
  /** From the sent request to the first byte of the answer. */
  ttfb: number
  /** Everything, redirects and body included. */
  total: number
}

export interface HttpAnswer {
  status: number
  /** Where the answer came from, after redirects. */
  url: string
  /** Lower-case names; several values of one name stay apart. */
  headers: Record<string, string | string[]>
  body: Buffer
  truncated: boolean
  redirects: string[]
  address: string | null
  timings: HttpTimings
  /** Of the last TLS connection. */
  certificate: PeerCertificate | null
}

const defaultBytes = 10 * 1024 * 1024
const redirectCodes = new Set([301, 302, 303, 307, 308])
/** Never carried to another origin. */
const credentials = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key'])

/** One HTTP request with its own connection, measured part by part. Every redirect is judged like the first address. */
export async function httpRequest(network: Network, url: string, options: HttpRequest = {}): Promise<HttpAnswer> {
  const { timeoutMs = 30_000, maxRedirects = 10 } = options
  const started = performance.now()
  const late = new AbortController()
  const first = readUrl(url)
  const timer = setTimeout(
    () => late.abort(new NetworkError('timeout', `${first.host} did not answer within ${timeoutMs} ms`)),
    timeoutMs,
  )
  const signal = options.signal ? AbortSignal.any([options.signal, late.signal]) : late.signal
  const timings: HttpTimings = { dns: 0, connect: 0, tls: 0, ttfb: 0, total: 0 }
  const redirects: string[] = []
  let target = first
  let step: Pick<HttpRequest, 'method' | 'headers' | 'body'> = {
    method: options.method ?? 'GET',
    headers: options.headers ?? {},
    body: options.body,
  }
  try {
    for (;;) {
      const answer = await once(network, target, { ...options, ...step }, signal, timings)
      const next = redirectOf(answer.status, answer.headers, target)
      if (!next || maxRedirects === 0) {
        timings.total = performance.now() - started
        return { ...answer, url: target.href, redirects, timings }
      }
      if (redirects.length >= maxRedirects)
        throw new NetworkError('redirect', `${first.host} redirected more than ${maxRedirects} times`)
      redirects.push(next.href)
      step = afterRedirect(step, answer.status, target, next)
      target = next
    }
  } catch (error) {
    throw networkError(signal.aborted && signal.reason instanceof Error ? signal.reason : error, target.host)
  } finally {
    clearTimeout(timer)
  }
}

function readUrl(text: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new NetworkError('protocol', 'The address is not a url')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new NetworkError('protocol', `The address must start with http:// or https://, not ${url.protocol}//`)
  return url
}

function redirectOf(status: number, headers: HttpAnswer['headers'], from: URL): URL | undefined {
  const location = headers.location
  if (!redirectCodes.has(status) || typeof location !== 'string') return undefined
  try {
    return readUrl(new URL(location, from).href)
  } catch (error) {
    if (error instanceof NetworkError)
      throw new NetworkError('redirect', `${from.host} redirects to an address that is no http url`)
    throw new NetworkError('redirect', `${from.host} redirects to something that is no url`)
  }
}

function afterRedirect(
  step: Pick<HttpRequest, 'method' | 'headers' | 'body'>,
  status: number,
  from: URL,
  to: URL,
): Pick<HttpRequest, 'method' | 'headers' | 'body'> {
  const leaves = from.origin !== to.origin
  const turnsGet = status === 303 || ((status === 301 || status === 302) && step.method === 'POST')
  const dropped = (name: string) => {
    const lower = name.toLowerCase()
    return (leaves && (credentials.has(lower) || lower === 'host')) || (turnsGet && lower.startsWith('content-'))
  }
  const headers = Object.fromEntries(Object.entries(step.headers ?? {}).filter(([name]) => !dropped(name)))
  return {
    method: turnsGet && step.method !== 'HEAD' ? 'GET' : step.method,
    headers,
    body: turnsGet ? undefined : step.body,
  }
}

type Once = Omit<HttpAnswer, 'url' | 'redirects' | 'timings'>

async function once(
  network: Network,
  url: URL,
  options: HttpRequest,
  signal: AbortSignal,
  timings: HttpTimings,
): Promise<Once> {
  let connected = performance.now()
  let connection: Connection | undefined
  let certificate: PeerCertificate | null = null
  const own = options.dispatcher
    ? undefined
    : network.client(url.origin, {
        tls: options.tls,
        connectTimeoutMs: 600_000,
        headersTimeoutMs: 0,
        bodyTimeoutMs: 0,
        onConnect: (made) => {
          connection = made
          connected = performance.now()
          timings.dns += made.timings.dns
          timings.connect += made.timings.connect
          timings.tls += made.timings.tls
          if ('getPeerCertificate' in made.socket) certificate = (made.socket as TLSSocket).getPeerCertificate()
        },
      })
  try {
    const headers: Record<string, string | string[]> = {
      'accept-encoding': 'gzip, deflate, br',
      ...lowered(options.headers ?? {}),
    }
    if ((url.username || url.password) && !headers.authorization) {
      const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
      headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`
    }
    const answer = await undiciRequest(`${url.origin}${url.pathname}${url.search}`, {
      dispatcher: options.dispatcher ?? own,
      method: (options.method ?? 'GET') as Dispatcher.HttpMethod,
      headers,
      body: options.body ?? null,
      signal,
    })
    timings.ttfb += performance.now() - connected
    const plain = Object.fromEntries(
      Object.entries(answer.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
    const body = await readBody(answer.body, String(plain['content-encoding'] ?? ''), options.maxBytes ?? defaultBytes)
    return { status: answer.statusCode, headers: plain, ...body, address: connection?.address ?? null, certificate }
  } finally {
    void own?.destroy()
  }
}

const lowered = (headers: Record<string, string | string[]>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const unpackers: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Reads at most `most` bytes of what the answer unpacks to. */
async function readBody(
  source: Readable,
  encoding: string,
  most: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const unpack = unpackers[encoding.trim().toLowerCase()]?.()
  const stream = unpack ? source.pipe(unpack) : source
  if (unpack) source.once('error', (error) => (unpack as unknown as Readable).destroy(error))
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (size + chunk.length > most) {
        chunks.push(chunk.subarray(0, most - size))
        return { body: Buffer.concat(chunks), truncated: true }
      }
      chunks.push(chunk)
      size += chunk.length
    }
    return { body: Buffer.concat(chunks), truncated: false }
  } catch (error) {
    if (/^Z_|ERR_BROTLI|ERR__ERROR/.test((error as NodeJS.ErrnoException).code ?? ''))
      throw new NetworkError('protocol', 'The answer is packed wrongly')
    throw error
  } finally {
    // What is left unread must not keep the connection.
    source.on('error', () => {})
    source.destroy()
  }
}
