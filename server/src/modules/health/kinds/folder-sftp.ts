import type { FolderCheck } from '@quarterdeck/contract/checks/folder'
import type { SFTPWrapper } from 'ssh2'
import { withSftp } from '../../../platform/clients/sftp.ts'
import type { CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { targetOf } from './credentials.ts'
import { type FileInfo, type Listing, maxObjects, modeText } from './files.ts'

export async function listSftp(run: CheckRun, spec: FolderCheck): Promise<Listing> {
  const given = spec.sftpConnection!
  const target = await targetOf(run, given)
  const url = given.host ?? target.url
  if (!url) throw new InvalidCheck('sftpConnection has no host')
  return withSftp(run, { ...target, url, port: given.port }, (sftp) => walk(run, sftp, spec))
}

const isDirectory = (mode: number): boolean => (mode & 0o170000) === 0o040000

async function walk(run: CheckRun, sftp: SFTPWrapper, spec: FolderCheck): Promise<Listing> {
  const files: FileInfo[] = []
  const root = spec.path.replace(/\/$/, '') || '/'
  const waiting = [root]
  for (let next = waiting.pop(); next !== undefined && files.length < maxObjects; next = waiting.pop()) {
    run.signal.throwIfAborted()
    const folder = next
    const entries = await new Promise<Parameters<Parameters<SFTPWrapper['readdir']>[1] & object>[1]>(
      (resolve, reject) =>
        sftp.readdir(folder, (error, list) =>
          error ? reject(new Error(`${folder}: ${error.message}`)) : resolve(list),
        ),
    )
    for (const { filename, attrs } of entries) {
      const path = `${folder === '/' ? '' : folder}/${filename}`
      if (isDirectory(attrs.mode)) {
        if (spec.recursive) waiting.push(path)
        continue
      }
      const name = path.slice(root === '/' ? 1 : root.length + 1)
      files.push({
        name,
        size: attrs.size,
        mode: modeText(attrs.mode),
        modified: new Date(attrs.mtime * 1000),
        is_dir: false,
      })
    }
  }
  return { files, ...(await space(sftp, root)) }
}

/** Free space by an extension that OpenSSH has and others may not. */
function space(sftp: SFTPWrapper, path: string): Promise<Pick<Listing, 'availableSize' | 'totalSize'>> {
  return new Promise((resolve) => {
    const ask = (
      sftp as unknown as {
        ext_openssh_statvfs?: (
          path: string,
          done: (error: Error | undefined, found: Record<string, number>) => void,
        ) => void
      }
    ).ext_openssh_statvfs
    if (!ask) return resolve({})
    try {
      ask.call(sftp, path, (error, found) => {
        const block = found?.f_frsize || found?.f_bsize || 0
        resolve(
          error ? {} : { availableSize: Number(found.f_bavail) * block, totalSize: Number(found.f_blocks) * block },
        )
      })
    } catch {
      resolve({})
    }
  })
}
