import type { FolderCheck } from '@quarterdeck/contract/checks/folder'
import type { CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { targetOf } from './credentials.ts'
import { type FileInfo, type Listing, maxObjects, modeText } from './files.ts'
import { checkedAddress } from './network.ts'
import { driver, onAbort } from './support.ts'

interface SmbEntry {
  name: string
  size: number
  mtime: Date
  isDirectory(): boolean
}
interface SmbClient {
  readdir(path: string, options: { stats: true }): Promise<SmbEntry[]>
  disconnect(): void
}

/** Takes `smb://host/share/folder` and `\\host\share\folder`; the connection fills what is missing. */
export function smbPath(path: string): { host: string; share: string; folder: string } {
  const [host = '', share = '', ...rest] = path.replace(/^smb:\/\/(?:[^@/]*@)?|^\\\\/, '').split(/[\\/]/)
  return { host, share, folder: rest.filter(Boolean).join('\\') }
}

export async function listSmb(run: CheckRun, spec: FolderCheck): Promise<Listing> {
  const given = spec.smbConnection ?? {}
  const target = await targetOf(run, given)
  const path = smbPath(spec.path)
  const [host = '', port] = (path.host || given.host || target.url?.replace(/^smb:\/\/|^\\\\/, '') || '').split(
    /[:\\/]/,
  )
  const share = path.share || given.share || target.properties.share
  if (!host || !share) throw new InvalidCheck('a host and a share are needed, in the path or in smbConnection')
  const { default: SMB2 } = (await driver('@tryjsky/v9u-smb2', () => import('@tryjsky/v9u-smb2'))) as unknown as {
    default: new (options: object) => SmbClient
  }
  const client = new SMB2({
    share: `\\\\${await checkedAddress(run, host)}\\${share}`,
    port: given.port ?? Number(port || target.properties.port || 445),
    domain: given.domain ?? target.properties.domain ?? 'WORKGROUP',
    username: target.username ?? 'guest',
    password: target.password ?? '',
    autoCloseTimeout: 0,
  })
  const forget = onAbort(run.signal, () => client.disconnect())
  try {
    return await Promise.race([
      walk(run, client, path.folder, spec.recursive === true),
      // The driver knows no signals and may wait for ever.
      new Promise<never>((_, reject) => onAbort(run.signal, () => reject(run.signal.reason as Error))),
    ])
  } finally {
    forget()
    client.disconnect()
  }
}

async function walk(run: CheckRun, client: SmbClient, root: string, recursive: boolean): Promise<Listing> {
  const files: FileInfo[] = []
  const waiting = [root]
  for (let next = waiting.pop(); next !== undefined && files.length < maxObjects; next = waiting.pop()) {
    run.signal.throwIfAborted()
    const folder = next
    for (const entry of await client.readdir(folder, { stats: true })) {
      if (entry.name === '.' || entry.name === '..') continue
      const path = folder ? `${folder}\\${entry.name}` : entry.name
      if (entry.isDirectory()) {
        if (recursive) waiting.push(path)
        continue
      }
      const name = (root ? path.slice(root.length + 1) : path).replaceAll('\\', '/')
      files.push({ name, size: entry.size, mode: modeText(0o644), modified: entry.mtime, is_dir: false })
    }
  }
  return { files }
}
