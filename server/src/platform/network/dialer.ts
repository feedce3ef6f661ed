import { connect, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import type { Context } from '../../context.ts'
import { Network } from './network.ts'
import { type NetworkPolicy, networkPolicy } from './policy.ts'
import type { SystemLookup } from './resolver.ts'

export interface TlsOptions {
  rejectUnauthorized?: boolean
  ca?: string
  cert?: string
  key?: string
  servername?: string
}

export interface DispatcherOptions {
  tls?: TlsOptions
  connectTimeoutMs?: number
  /** One connection per request, so that every request is measured from its first packet. */
  keepAlive?: boolean
}

export interface ConnectOptions {
  timeoutMs?: number
  signal?: AbortSignal
}

/** The one way out: resolves, checks the address against the policy, and connects to exactly that address. */
export interface Dialer {
  /** The same with timings, TLS, sockets for drivers and single connections. */
  network: Network
  /** For drivers that take a lookup function; refuses names that resolve to nothing allowed. */
  lookup: LookupFunction
  /** Throws when a host given as an address may not be reached; names are checked by `lookup`. */
  check(host: string): void
  connectTcp(host: string, port: number, options?: ConnectOptions): Promise<Socket>
  /** HTTP through the policy; redirects pass through it again because each connection does. */
  dispatcher(options?: DispatcherOptions): Dispatcher
  close(): Promise<void>
}

/** Makes a dialer; `resolve` is the system's, except in tests. */
export function createDialer(policy: NetworkPolicy, resolve?: SystemLookup): Dialer {
  const shared = new Map<string, Agent>()
  const network = new Network(policy, { lookup: resolve })
  const { lookup } = network
  const check = (host: string) => network.checkHost(host)

  function makeAgent({ tls = {}, connectTimeoutMs = 10_000, keepAlive = true }: DispatcherOptions): Agent {
    const connector = buildConnector({ ...tls, lookup, timeout: connectTimeoutMs } as buildConnector.BuildOptions)
    return new Agent({
      connect: (options, callback) => {
        try {
          check(options.hostname)
        } catch (error) {
          return callback(error as Error, null)
        }
        connector(options, callback)
      },
      pipelining: keepAlive ? 1 : 0,
      keepAliveTimeout: 10_000,
    })
  }

  return {
    network,
    lookup,
    check,
    connectTcp: (host, port, options) => connectTcp(host, port, { check, lookup }, options),
    dispatcher(options = {}) {
      const key = JSON.stringify(options)
      let agent = shared.get(key)
      if (!agent) {
        // Certificates make many keys; the oldest agents go, their requests in flight end first.
        if (shared.size >= 200) {
          const [oldest, old] = shared.entries().next().value!
          shared.delete(oldest)
          void old.close()
        }
        shared.set(key, (agent = makeAgent(options)))
      }
      return agent
    },
    async close() {
      await Promise.all([...shared.values()].map((agent) => agent.destroy()))
      shared.clear()
    },
  }
}

function connectTcp(
  host: string,
  port: number,
  { check, lookup }: Pick<Dialer, 'check' | 'lookup'>,
  { timeoutMs = 10_000, signal }: ConnectOptions = {},
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    check(host)
    signal?.throwIfAborted()
    const socket = connect({ host, port, lookup, autoSelectFamily: true })
    const timer = setTimeout(
      () => fail(new Error(`no connection to ${host}:${port} within ${timeoutMs} ms`)),
      timeoutMs,
    )
    const stop = () => fail(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
    function fail(error: Error) {
      settle()
      socket.destroy()
      reject(error)
    }
    signal?.addEventListener('abort', stop, { once: true })
    socket.once('error', (error) => fail(plainWords(error, host, port)))
    socket.once('connect', () => {
      settle()
      resolve(socket)
    })
  })
}

/** Trying several addresses gives an error without words of its own. */
function plainWords(error: Error, host: string, port: number): Error {
  if (!(error instanceof AggregateError)) return error
  const reasons = [...new Set(error.errors.map((each: Error) => each.message))]
  return new Error(reasons.join('; ') || `no connection to ${host}:${port}`)
}

const dialers = new WeakMap<Context, Dialer>()

/** The network of this process; see `Dialer.network`. */
export const networkOf = (ctx: Context): Network => dialerOf(ctx).network

/** The dialer of this process, with the policy of its settings. */
export function dialerOf(ctx: Context): Dialer {
  let dialer = dialers.get(ctx)
  if (!dialer) {
    const { QUARTERDECK_NETWORK_ALLOW: allow, QUARTERDECK_NETWORK_DENY: deny } = ctx.config
    dialers.set(ctx, (dialer = createDialer(networkPolicy({ allow, deny }))))
  }
  return dialer
}
