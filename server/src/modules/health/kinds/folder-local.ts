import { readdir, stat, statfs } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { FolderCheck } from '@quarterdeck/contract/checks/folder'
import type { CheckRun } from '../kind.ts'
import { type FileInfo, type Listing, maxObjects, modeText } from './files.ts'

/** A folder of this machine; one that is not there is empty. */
export async function listLocal(run: CheckRun, spec: FolderCheck): Promise<Listing> {
  const files: FileInfo[] = []
  const waiting = [spec.path]
  for (let next = waiting.pop(); next !== undefined && files.length < maxObjects; next = waiting.pop()) {
    run.signal.throwIfAborted()
    const entries = await readdir(next, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    for (const entry of entries) {
      const path = join(next, entry.name)
      if (entry.isDirectory()) {
        if (spec.recursive) waiting.push(path)
        continue
      }
      // A file may go between the listing and the look at it.
      const found = await stat(path).catch(() => undefined)
      if (!found || found.isDirectory()) continue
      const name = relative(spec.path, path)
      files.push({ name, size: found.size, mode: modeText(found.mode), modified: found.mtime, is_dir: false })
    }
  }
  const space = await statfs(spec.path).catch(() => undefined)
  return {
    files,
    availableSize: space && space.bavail * space.bsize,
    totalSize: space && space.blocks * space.bsize,
  }
}
