import { type ClientRun, InvalidTarget } from './run.ts'
import { checkedAddress } from './sockets.ts'
import { driver, onAbort } from './support.ts'

interface SmbEntry {
  name: string
  size: number
  mtime: Date
  isDirectory(): boolean
}
export interface SmbClient {
  readdir(path: string, options: { stats: true }): Promise<SmbEntry[]>
  disconnect(): void
}

export interface Share {
  host: string
  share: string
  port?: number
  domain?: string
  username?: string
  password?: string
}

/** Opens a share of a Windows or Samba server, works with it, and leaves. */
export async function withSmb<T>(run: ClientRun, to: Share, work: (client: SmbClient) => Promise<T>): Promise<T> {
  if (!to.host || !to.share) throw new InvalidTarget('a host and a share are needed')
  const { default: SMB2 } = (await driver('@tryjsky/v9u-smb2', () => import('@tryjsky/v9u-smb2'))) as unknown as {
    default: new (options: object) => SmbClient
  }
  const client = new SMB2({
    share: `\\\\${await checkedAddress(run, to.host)}\\${to.share}`,
    port: to.port || 445,
    domain: to.domain || 'WORKGROUP',
    username: to.username ?? 'guest',
    password: to.password ?? '',
    autoCloseTimeout: 0,
  })
  const forget = onAbort(run.signal, () => client.disconnect())
  try {
    return await Promise.race([
      work(client),
      // The driver knows no signals and may wait for ever.
      new Promise<never>((_, reject) => onAbort(run.signal, () => reject(run.signal.reason as Error))),
    ])
  } finally {
    forget()
    client.disconnect()
  }
}
