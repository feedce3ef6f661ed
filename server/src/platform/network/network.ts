import { type LookupFunction, Socket, type SocketConnectOpts } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { Client } from 'undici'
import { openFirst, secure, type TlsOptions } from './dial.ts'
import { NetworkError, networkError, NotAllowedError } from './network-error.ts'
import type { NetworkPolicy } from './policy.ts'
import { type Address, Resolver, type SystemLookup } from './resolver.ts'

export interface ConnectOptions {
  /** Milliseconds for name, connection and TLS together; 10 seconds unless given. */
  timeoutMs?: number
  signal?: AbortSignal
}

/** Milliseconds each part took. */
export interface ConnectTimings {
  dns: number
  connect: number
  tls: number
}

export interface Connection<S extends Socket = Socket> {
  socket: S
  /** The address dialed, which is the one the policy was asked about. */
  address: string
  timings: ConnectTimings
}

export interface ClientOptions {
  tls?: TlsOptions
  connectTimeoutMs?: number
  /** Until the first byte of the answer, and between two bytes of it; 30 seconds each unless given, 0 is for ever. */
  headersTimeoutMs?: number
  bodyTimeoutMs?: number
  onConnect?(connection: Connection): void
}

const defaultTimeout = 10_000
const now = () => performance.now()
const bareHost = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

/** Outgoing connections in detail: resolve, ask the policy about the address, connect to exactly that address. */
export class Network {
  private readonly resolver: Resolver

  constructor(
    readonly policy: NetworkPolicy,
    options: { lookup?: SystemLookup } = {},
  ) {
    this.resolver = new Resolver(options.lookup)
  }

  /** The allowed addresses of a host. Give one of them to a driver that takes nothing but an address. */
  async resolve(host: string, options: ConnectOptions = {}): Promise<Address[]> {
    const bare = bareHost(host)
    if (bare === '') throw new NetworkError('dns', 'There is no host to connect to')
    return this.limited(`the name server for ${bare}`, options, async () => {
      const found = await this.resolver.resolve(bare)
      const allowed = found.filter(({ address }) => this.policy.allows(address))
      if (allowed.length > 0) return allowed
      const refused = found.map(({ address }) => address).join(', ')
      throw new NotAllowedError(refused === bare ? bare : `${bare} (${refused})`)
    })
  }

  async connectTcp(host: string, port: number, options: ConnectOptions = {}): Promise<Connection> {
    const target = `${host}:${port}`
    checkPort(port)
    return this.limited(target, options, async (signal) => {
      const started = now()
      const addresses = await this.resolve(host, { ...options, signal })
      const resolved = now()
      const { socket, address } = await openFirst(addresses, port, target, signal)
      return { socket, address, timings: { dns: resolved - started, connect: now() - resolved, tls: 0 } }
    })
  }

  /** The certificate is checked against the name that was asked for, never against the address. */
  async connectTls(
    host: string,
    port: number,
    options: ConnectOptions & { tls?: TlsOptions } = {},
  ): Promise<Connection<TLSSocket>> {
    const target = `${host}:${port}`
    return this.limited(target, options, async (signal) => {
      const { socket, address, timings } = await this.connectTcp(host, port, { ...options, signal })
      const started = now()
      const secured = await secure(socket, bareHost(host), options.tls ?? {}, signal, target)
      return { socket: secured, address, timings: { ...timings, tls: now() - started } }
    })
  }

  /** Ends `work` when time is up or the caller gives up, with words that say which. */
  private async limited<T>(
    target: string,
    options: ConnectOptions,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { timeoutMs = defaultTimeout, signal } = options
    const late = new AbortController()
    const words = `${target} did not answer within ${timeoutMs} ms`
    const timer = setTimeout(() => late.abort(new NetworkError('timeout', words, { code: 'ETIMEDOUT' })), timeoutMs)
    const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal
    let giveUp: (() => void) | undefined
    try {
      const givenUp = new Promise<never>((_, reject) => {
        giveUp = () => reject(either.reason as Error)
        if (either.aborted) giveUp()
        else either.addEventListener('abort', giveUp, { once: true })
      })
      return await Promise.race([work(either), givenUp])
    } catch (error) {
      throw networkError(error, target)
    } finally {
      clearTimeout(timer)
      if (giveUp) either.removeEventListener('abort', giveUp)
    }
  }

  /** For drivers that take a lookup function. It is not asked about addresses, so call `checkHost` before. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    this.resolve(host).then(
      (all) => {
        const family =
          options.family === 4 || options.family === 'IPv4'
            ? 4
            : options.family === 6 || options.family === 'IPv6'
              ? 6
              : 0
        const fitting = family === 0 ? all : all.filter((one) => one.family === family)
        const [first] = fitting
        if (!first) callback(new NetworkError('dns', `The host ${host} was not found`, { code: 'ENOTFOUND' }), '', 4)
        else if (options.all) callback(null, fitting)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    )
  }

  /** Refuses a host that is an address the policy denies. Names are judged when they are resolved. */
  checkHost(host: string): void {
    const bare = bareHost(host)
    if ((/^[\d.]+$/.test(bare) || bare.includes(':')) && !this.policy.allows(bare)) throw new NotAllowedError(bare)
  }

  /** An unconnected socket whose `connect` obeys the policy, for drivers that call it themselves (pg, mysql2). */
  socket(): Socket {
    return new GuardedSocket(this)
  }

  /** One kept connection to one origin, for sign-ins that belong to a connection and for measured requests. */
  client(origin: string, options: ClientOptions = {}): Client {
    return new Client(origin, {
      headersTimeout: options.headersTimeoutMs ?? 30_000,
      bodyTimeout: options.bodyTimeoutMs ?? 30_000,
      connect: this.connector(options),
      pipelining: 1,
      allowH2: false,
    })
  }

  private connector({
    tls,
    connectTimeoutMs,
    onConnect,
  }: ClientOptions): (options: ConnectorOptions, callback: ConnectorCallback) => void {
    return ({ hostname, port, protocol, servername }, callback) => {
      const isSecure = protocol === 'https:'
      const to = Number(port) || (isSecure ? 443 : 80)
      const limits = { timeoutMs: connectTimeoutMs }
      const dialed: Promise<Connection> = isSecure
        ? this.connectTls(bareHost(hostname), to, {
            ...limits,
            tls: { ALPNProtocols: ['http/1.1'], ...(servername ? { servername } : {}), ...tls },
          })
        : this.connectTcp(bareHost(hostname), to, limits)
      dialed.then(
        (connection) => {
          onConnect?.(connection)
          callback(null, connection.socket)
        },
        (error: Error) => callback(error, null),
      )
    }
  }
}

interface ConnectorOptions {
  hostname: string
  protocol: string
  port: string
  servername?: string
}
type ConnectorCallback = (...result: [null, Socket] | [Error, null]) => void

function checkPort(port: number): void {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new NetworkError('protocol', `${port} is not a port`)
}

class GuardedSocket extends Socket {
  constructor(private readonly network: Network) {
    super()
  }

  override connect(...args: unknown[]): this {
    const [first, second] = args
    const listener = args.find((arg): arg is () => void => typeof arg === 'function')
    const isOptions = typeof first === 'object' && first !== null
    const given = (
      isOptions ? first : { port: Number(first), host: typeof second === 'string' ? second : 'localhost' }
    ) as SocketConnectOpts
    const refuse = (error: Error) => process.nextTick(() => this.destroy(error))
    if ('path' in given || typeof first === 'string') {
      refuse(new NotAllowedError('a local socket'))
      return this
    }
    try {
      this.network.checkHost(given.host ?? 'localhost')
    } catch (error) {
      refuse(error as Error)
      return this
    }
    return super.connect({ ...given, lookup: this.network.lookup }, listener)
  }
}
