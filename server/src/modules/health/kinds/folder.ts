import { FolderCheck } from '@quarterdeck/contract/checks/folder'
import type { CheckKind, CheckRun } from '../kind.ts'
import { fillInQuery } from './credentials.ts'
import { fileFilter, type FileInfo, type Listing } from './files.ts'
import { durationOf, sizeOf } from './support.ts'

export const folder: CheckKind<FolderCheck> = {
  key: 'folder',
  schema: FolderCheck,
  templatable: true,
  concurrency: 20,
  isHeavy: true,
  endpoint: (spec) => spec.path,
  timeoutMs: () => 120_000,
  async run(run, spec) {
    const path = await fillInQuery(run, spec.path)
    const listing = await list(run, { ...spec, path })
    const now = Date.now()
    const files = listing.files.filter(fileFilter(spec.filter, now))
    const byAge = files.toSorted((a, b) => a.modified.getTime() - b.modified.getTime())
    const bySize = files.toSorted((a, b) => a.size - b.size)
    const [oldest, newest, smallest, largest] = [byAge[0], byAge.at(-1), bySize[0], bySize.at(-1)]
    const errors = judge(spec, { ...listing, files }, { oldest, newest, smallest, largest }, now)
    const size = files.reduce((sum, file) => sum + file.size, 0)
    const { availableSize } = listing
    return {
      pass: errors.length === 0,
      errors,
      detail: { oldest, newest, smallest, largest, size, availableSize, files },
      message: `${files.length} files, ${size} bytes`,
    }
  },
}

async function list(run: CheckRun, spec: FolderCheck): Promise<Listing> {
  if (spec.path.startsWith('s3://')) return (await import('./folder-s3.ts')).listS3(run, spec)
  if (spec.path.startsWith('gcs://')) return (await import('./folder-gcs.ts')).listGcs(run, spec)
  if (/^smb:\/\/|^\\\\/.test(spec.path)) return (await import('./folder-smb.ts')).listSmb(run, spec)
  if (spec.sftpConnection) return (await import('./folder-sftp.ts')).listSftp(run, spec)
  return (await import('./folder-local.ts')).listLocal(run, spec)
}

type Extremes = Record<'oldest' | 'newest' | 'smallest' | 'largest', FileInfo | undefined>

/** Counts first, then space, then ages and sizes of what was found. */
function judge(
  spec: FolderCheck,
  { files, availableSize, totalSize }: Listing,
  found: Extremes,
  now: number,
): string[] {
  const errors: string[] = []
  if (spec.minCount !== undefined && files.length < spec.minCount)
    errors.push(`${files.length} files, fewer than ${spec.minCount}`)
  if (spec.maxCount !== undefined && files.length > spec.maxCount)
    errors.push(`${files.length} files, more than ${spec.maxCount}`)
  const space = (wanted: number | undefined, have: number | undefined, what: string, text?: string) => {
    if (wanted === undefined) return
    if (have === undefined) errors.push(`the ${what} space of this kind of folder is not known`)
    else if (have < wanted) errors.push(`${have} bytes of ${what} space, less than ${text}`)
  }
  space(sizeOf(spec.availableSize, 'availableSize'), availableSize, 'free', spec.availableSize)
  space(sizeOf(spec.totalSize, 'totalSize'), totalSize, 'total', spec.totalSize)
  const { oldest, newest, smallest, largest } = found
  const [minAge, maxAge] = [durationOf(spec.minAge, 'minAge'), durationOf(spec.maxAge, 'maxAge')]
  const [minSize, maxSize] = [sizeOf(spec.minSize, 'minSize'), sizeOf(spec.maxSize, 'maxSize')]
  if (!oldest || !newest || !smallest || !largest) return errors
  if (minAge !== undefined && now - newest.modified.getTime() < minAge)
    errors.push(`${newest.name} is too new: younger than ${spec.minAge}`)
  if (maxAge !== undefined && now - oldest.modified.getTime() > maxAge)
    errors.push(`${oldest.name} is too old: older than ${spec.maxAge}`)
  if (minSize !== undefined && smallest.size < minSize)
    errors.push(`${smallest.name} is too small: ${smallest.size} bytes, less than ${spec.minSize}`)
  if (maxSize !== undefined && largest.size > maxSize)
    errors.push(`${largest.name} is too large: ${largest.size} bytes, more than ${spec.maxSize}`)
  return errors
}
