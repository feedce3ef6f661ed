import { lstat, readFile, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { ArtifactFile } from '../../../platform/artifacts/artifacts.ts'
import { globPattern, type Pattern } from './support.ts'

const megabyte = 1024 * 1024
const maxBytes = 10 * megabyte
const maxTogether = 20 * megabyte
const maxFiles = 100

/** What a run leaves behind, and in words what was too much. */
export interface Collected {
  artifacts: ArtifactFile[]
  notes: string[]
}

/** Takes files until the run has enough; what is left out is said. */
export function collector(): Collected & {
  take(file: { path: string; size: number }, read: () => Buffer | Promise<Buffer>): Promise<void>
} {
  const artifacts: ArtifactFile[] = []
  const notes: string[] = []
  let together = 0
  let surplus = 0
  return {
    artifacts,
    get notes() {
      return surplus > 0 ? [...notes, `${surplus} more artifacts were not kept`] : notes
    },
    async take({ path, size }, read) {
      const isTooBig = size > maxBytes
      if (isTooBig || together + size > maxTogether || artifacts.length >= maxFiles) {
        const limit = isTooBig ? `larger than ${maxBytes / megabyte} MB` : 'the run has too many'
        if (notes.length < 3) notes.push(`artifact ${path} was not kept: ${limit}`)
        else surplus += 1
        return
      }
      const content = await read()
      together += content.length
      artifacts.push({ path, content, contentType: typeOf(path) })
    },
  }
}

/** Files a script leaves behind, by globs under its folder; the two outputs have names of their own. */
export async function collectArtifacts(
  wanted: readonly { path: string }[] | undefined,
  folder: string,
  output: { stdout: string; stderr: string },
): Promise<Partial<Collected>> {
  if (!wanted?.length) return {}
  const kept = collector()
  const globs: Pattern[] = []
  for (const { path } of wanted) {
    const name = path === '/dev/stdout' ? 'stdout' : path === '/dev/stderr' ? 'stderr' : undefined
    if (name) await kept.take({ path: name, size: Buffer.byteLength(output[name]) }, () => Buffer.from(output[name]))
    else globs.push(globPattern(path.startsWith(`${folder}/`) ? path : join(folder, path)))
  }
  const entries = globs.length > 0 ? await readdir(folder, { recursive: true, withFileTypes: true }) : []
  for (const entry of entries) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    // Links could lead out of the folder.
    if (!entry.isFile() || !globs.some((glob) => glob.test(path))) continue
    const { size } = await lstat(path)
    await kept.take({ path: relative(folder, path).split(sep).join('/'), size }, () => readFile(path))
  }
  return { artifacts: kept.artifacts, notes: kept.notes }
}

const types: Record<string, string> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  txt: 'text/plain; charset=utf-8',
  stdout: 'text/plain; charset=utf-8',
  stderr: 'text/plain; charset=utf-8',
  log: 'text/plain; charset=utf-8',
  csv: 'text/csv',
  png: 'image/png',
  jpg: 'image/jpeg',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
}
export const typeOf = (name: string): string =>
  types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
