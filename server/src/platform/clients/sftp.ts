import type { SFTPWrapper } from 'ssh2'
import { dialerOf } from '../network/dialer.ts'
import { type ClientRun, InvalidTarget, type Target } from './run.ts'
import { driver, onAbort } from './support.ts'

/** Opens a session over SSH, works with it, and leaves. The address is `host`, `host:port` or `sftp://host:port/…`. */
export async function withSftp<T>(
  run: ClientRun,
  target: Target & { port?: number },
  work: (sftp: SFTPWrapper) => Promise<T>,
): Promise<T> {
  const [named, port] = (target.url ?? '')
    .replace(/^(?:sftp|ssh):\/\/(?:[^@/]*@)?/, '')
    .replace(/\/.*$/, '')
    .split(':')
  if (!named) throw new InvalidTarget('there is no host')
  const { default: ssh2 } = await driver('ssh2', () => import('ssh2'))
  const number = target.port ?? Number(port || target.properties.port || 22)
  const socket = await dialerOf(run.ctx).connectTcp(named, number, { signal: run.signal })
  const client = new ssh2.Client()
  const forget = onAbort(run.signal, () => client.destroy())
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve)
      client.on('error', reject)
      client.once('close', () => reject(new Error('the server closed the connection')))
      client.connect({
        sock: socket,
        username: target.username,
        password: target.password,
        privateKey: target.certificate,
        readyTimeout: 20_000,
      })
    })
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) =>
      client.sftp((error, session) => (error ? reject(error) : resolve(session))),
    )
    return await work(sftp)
  } finally {
    forget()
    client.end()
  }
}
