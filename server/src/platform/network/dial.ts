import { connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { isIP } from 'node:net'
import { NetworkError, networkError } from './network-error.ts'
import type { Address } from './resolver.ts'

/** How long the next address waits for the one before it, as RFC 8305 advises. */
const nextAfterMs = 250

const ignore = () => {}

export interface Dialed {
  socket: Socket
  address: string
}

function openSocket({ address, family }: Address, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = netConnect({ host: address, port, family, noDelay: true })
    const giveUp = () => {
      socket.destroy()
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    socket.once('connect', () => {
      signal.removeEventListener('abort', giveUp)
      socket.removeAllListeners('error')
      // An error before the caller listens must not end the process; the closed socket tells the caller anyway.
      socket.on('error', ignore)
      resolve(socket)
    })
    socket.once('error', (error) => {
      signal.removeEventListener('abort', giveUp)
      reject(error)
    })
  })
}

/** Opens a connection to the first of the addresses that answers; later ones start when earlier ones dawdle. */
export async function openFirst(
  addresses: readonly Address[],
  port: number,
  target: string,
  signal: AbortSignal,
): Promise<Dialed> {
  if (signal.aborted) throw signal.reason
  const losers = new AbortController()
  const stop = AbortSignal.any([signal, losers.signal])
  const errors: unknown[] = []
  return new Promise<Dialed>((resolve, reject) => {
    let next = 0
    let open = 0
    let done = false
    let timer: NodeJS.Timeout | undefined
    const finish = (settle: () => void) => {
      if (done) return
      done = true
      clearTimeout(timer)
      signal.removeEventListener('abort', aborted)
      settle()
      losers.abort(new Error('another address was quicker'))
    }
    const aborted = () => finish(() => reject(signal.reason as Error))
    const start = () => {
      clearTimeout(timer)
      const candidate = addresses[next++]
      if (!candidate || done) return
      open++
      openSocket(candidate, port, stop).then(
        (socket) => {
          if (done) socket.destroy()
          else finish(() => resolve({ socket, address: candidate.address }))
        },
        (error: unknown) => {
          open--
          errors.push(error)
          if (next < addresses.length) start()
          else if (open === 0) finish(() => reject(networkError(errors[0], target)))
        },
      )
      if (next < addresses.length) timer = setTimeout(start, nextAfterMs)
    }
    signal.addEventListener('abort', aborted, { once: true })
    start()
  })
}

export interface TlsOptions extends Pick<
  ConnectionOptions,
  | 'ca'
  | 'cert'
  | 'key'
  | 'pfx'
  | 'passphrase'
  | 'rejectUnauthorized'
  | 'minVersion'
  | 'maxVersion'
  | 'ALPNProtocols'
  | 'ciphers'
> {
  /** The name asked for and checked against the certificate; the host itself unless given. */
  servername?: string
}

/** Secures a connection; the certificate is checked against the name, never against the address we dialed. */
export function secure(
  socket: Socket,
  host: string,
  options: TlsOptions,
  signal: AbortSignal,
  target: string,
): Promise<TLSSocket> {
  const name = options.servername ?? host
  return new Promise((resolve, reject) => {
    let secured: TLSSocket
    try {
      secured = tlsConnect({ ...options, socket, host: name, ...(isIP(name) ? {} : { servername: name }) })
    } catch (error) {
      socket.destroy()
      reject(new NetworkError('tls', `The TLS settings for ${target} are wrong: ${(error as Error).message}`))
      return
    }
    const fail = (error: unknown) => {
      signal.removeEventListener('abort', giveUp)
      secured.destroy()
      reject(error === signal.reason ? (error as Error) : networkError(error, target))
    }
    const giveUp = () => fail(signal.reason)
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    secured.once('error', fail)
    secured.once('close', () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
    secured.once('secureConnect', () => {
      signal.removeEventListener('abort', giveUp)
      secured.removeAllListeners('error')
      secured.removeAllListeners('close')
      secured.on('error', ignore)
      resolve(secured)
    })
  })
}
