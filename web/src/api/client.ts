import { takeEarly } from './early.ts'
import { ApiError, messageOfBody, unknownFailure } from './errors.ts'
import { learnPosition } from './live-position.ts'

/** Every backend the console talks to, by name. All of them live under /api of the console's own address. */
export const backends = {
  root: '/api',
  db: '/api/db',
  search: '/api/apm/search',
  canary: '/api/canary',
  config: '/api/config',
  catalog: '/api/catalog',
  snapshot: '/api/snapshot',
  agent: '/api/agent',
  logs: '/api/logs',
  auth: '/api/auth',
  playbook: '/api/playbook',
  rbac: '/api/rbac',
  identity: '/api/.ory',
} as const
export type Backend = keyof typeof backends

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Anything that can check an answer; every schema of the contract is one. */
export interface Parser<T> {
  parse(value: unknown): T
}

export interface RequestOptions {
  query?: Record<string, string | number | boolean | undefined> | URLSearchParams
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Longest wait in milliseconds. Reads give up sooner than writes, which may run a check or a scrape before answering. */
  timeout?: number
  /** How to read the answer; a blob for downloads. */
  as?: 'json' | 'blob'
  /** The caller deals with a lost session itself; only the start of the console and the session check do. */
  keep401?: boolean
}

export interface Reply<T> {
  data: T
  status: number
  headers: Headers
}

const readTimeout = 60_000
// The forwarding layer in front of the reference's backends allows ten minutes, so nobody answers later than that.
const writeTimeout = 600_000

let sessionLost: () => void = () => {}

/** The one place that reacts to a 401. The shell registers it once at the start. */
export function onSessionLost(reaction: () => void) {
  sessionLost = reaction
}

export interface Outgoing {
  address: string
  headers: Record<string, string>
}
export type Dresser = (request: Outgoing) => Promise<Outgoing>

let dress: Dresser | undefined

/** Lets a hosted identity provider put its token on every request, and send it to another backend. */
export function dressRequests(dresser: Dresser | undefined) {
  dress = dresser
}

function addressOf(base: string, path: string, query: RequestOptions['query']): string {
  const params = new URLSearchParams()
  const entries = query instanceof URLSearchParams ? query : Object.entries(query ?? {})
  for (const [name, value] of entries) if (value !== undefined) params.append(name, String(value))
  const text = params.toString()
  return base + path + (text === '' ? '' : (path.includes('?') ? '&' : '?') + text)
}

function headersOf(backend: Backend, method: Method, options: RequestOptions): Record<string, string> {
  const identity = backend === 'identity'
  const headers: Record<string, string> = { Accept: 'application/json' }
  // A bodiless write must not claim JSON: a strict server would then try to read an empty document.
  if (options.body !== undefined || method === 'GET') headers['Content-Type'] = 'application/json'
  if (!identity) headers.Prefer = 'return=representation'
  return { ...headers, ...options.headers }
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

async function send(backend: Backend, method: Method, path: string, options: RequestOptions): Promise<Reply<unknown>> {
  const bare = {
    address: addressOf(backends[backend], path, options.query),
    headers: headersOf(backend, method, options),
  }
  const { address, headers } = dress && backend !== 'identity' ? await dress(bare) : bare
  const limit = AbortSignal.timeout(options.timeout ?? (method === 'GET' ? readTimeout : writeTimeout))
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
  let response: Response
  try {
    // A request dressed with a token is another one than that which was asked without.
    const early = method === 'GET' && !dress ? takeEarly(address, signal) : undefined
    response = await (early ??
      fetch(address, {
        method,
        credentials: 'same-origin',
        headers,
        body: options.body === undefined ? undefined : JSON.stringify(options.body),
        signal,
      }))
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    const words = limit.aborted ? 'The server took too long to answer' : 'The server cannot be reached'
    throw new ApiError(0, words, null, cause)
  }
  if (response.ok) learnPosition(response.headers)
  if (response.ok && options.as === 'blob') {
    return { data: await response.blob(), status: response.status, headers: response.headers }
  }
  const body = await bodyOf(response)
  if (response.ok) return { data: body, status: response.status, headers: response.headers }
  if (response.status === 401 && backend !== 'identity' && !options.keep401) sessionLost()
  throw new ApiError(response.status, messageOfBody(body) ?? unknownFailure, body)
}

export interface Client {
  /** The whole answer, for callers that need a header or the status. */
  request<T = unknown>(method: Method, path: string, options?: RequestOptions, parser?: Parser<T>): Promise<Reply<T>>
  get<T = unknown>(path: string, options?: RequestOptions, parser?: Parser<T>): Promise<T>
  post<T = unknown>(path: string, body?: unknown, options?: RequestOptions, parser?: Parser<T>): Promise<T>
  put<T = unknown>(path: string, body?: unknown, options?: RequestOptions, parser?: Parser<T>): Promise<T>
  patch<T = unknown>(path: string, body?: unknown, options?: RequestOptions, parser?: Parser<T>): Promise<T>
  delete<T = unknown>(path: string, options?: RequestOptions, parser?: Parser<T>): Promise<T>
}

/** The client of one backend; a name that is not in the list is a programming error and throws. */
export function client(backend: Backend): Client {
  if (!Object.hasOwn(backends, backend)) throw new Error(`Invalid backend API name: ${backend as string}`)
  const request: Client['request'] = async <T>(
    method: Method,
    path: string,
    options: RequestOptions = {},
    parser?: Parser<T>,
  ) => {
    const reply = await send(backend, method, path, options)
    return { ...reply, data: parser ? parser.parse(reply.data) : (reply.data as T) }
  }
  return {
    request,
    get: async (path, options, parser) => (await request('GET', path, options, parser)).data,
    post: async (path, body, options, parser) => (await request('POST', path, { ...options, body }, parser)).data,
    put: async (path, body, options, parser) => (await request('PUT', path, { ...options, body }, parser)).data,
    patch: async (path, body, options, parser) => (await request('PATCH', path, { ...options, body }, parser)).data,
    delete: async (path, options, parser) => (await request('DELETE', path, options, parser)).data,
  }
}
