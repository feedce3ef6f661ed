import type { FolderCheck } from '@quarterdeck/contract/checks/folder'
import { type SmbClient, withSmb } from '../../../platform/clients/smb.ts'
import type { CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { targetOf } from './credentials.ts'
import { type FileInfo, type Listing, maxObjects, modeText } from './files.ts'

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
  const to = {
    host,
    share,
    port: given.port ?? Number(port || target.properties.port || 445),
    domain: given.domain ?? target.properties.domain,
    username: target.username,
    password: target.password,
  }
  return withSmb(run, to, (client) => walk(run, client, path.folder, spec.recursive === true))
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
