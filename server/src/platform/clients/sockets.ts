import { Socket } from 'node:net'
import { isIP } from 'node:net'
import { dialerOf } from '../network/dialer.ts'
import type { ClientRun } from './run.ts'

/** An address of the host that may be reached, for drivers that take nothing but a host. */
export function checkedAddress({ ctx }: Pick<ClientRun, 'ctx'>, host: string): Promise<string> {
  const dialer = dialerOf(ctx)
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return new Promise((resolve, reject) => {
    dialer.check(bare)
    if (isIP(bare)) return resolve(bare)
    dialer.lookup(bare, { all: false }, (error, found) => (error ? reject(error) : resolve(String(found))))
  })
}

/** A socket that connects through the network policy, for drivers that call connect(port, host) themselves. */
export function policySocket({ ctx }: Pick<ClientRun, 'ctx'>): Socket {
  const dialer = dialerOf(ctx)
  const socket = new Socket()
  const plain = socket.connect.bind(socket) as (options: object) => Socket
  socket.connect = ((port: number | string, host: string = 'localhost') => {
    // A path is a socket on this machine.
    if (typeof port === 'string' && port.startsWith('/')) return plain({ path: port })
    try {
      dialer.check(host)
    } catch (error) {
      return socket.destroy(error as Error)
    }
    return plain({ port: Number(port), host, lookup: dialer.lookup, autoSelectFamily: true })
  }) as Socket['connect']
  return socket
}
