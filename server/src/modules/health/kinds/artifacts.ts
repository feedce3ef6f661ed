import { lstat, readFile, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Outcome } from '../kind.ts'
import { globPattern } from './support.ts'

type Artifact = NonNullable<Outcome['artifacts']>[number]

const maxBytes = 10 * 1024 * 1024
const maxFiles = 100

/** Files a run leaves behind, by globs under its folder; the two outputs have names of their own. */
export async function collectArtifacts(
  wanted: readonly { path: string }[] | undefined,
  folder: string,
  output: { stdout: string; stderr: string },
): Promise<Artifact[] | undefined> {
  if (!wanted?.length) return undefined
  const artifacts: Artifact[] = []
  const globs: RegExp[] = []
  for (const { path } of wanted) {
    const name = path === '/dev/stdout' ? 'stdout' : path === '/dev/stderr' ? 'stderr' : undefined
    if (name) artifacts.push({ path: name, content: Buffer.from(output[name]), contentType: 'text/plain' })
    else globs.push(globPattern(path.startsWith(`${folder}/`) ? path : join(folder, path)))
  }
  if (globs.length === 0) return artifacts
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    // Links could lead out of the folder.
    if (!entry.isFile() || !globs.some((glob) => glob.test(path)) || artifacts.length >= maxFiles) continue
    if ((await lstat(path)).size > maxBytes) continue
    const name = relative(folder, path).split(sep).join('/')
    artifacts.push({ path: name, content: await readFile(path), contentType: typeOf(name) })
  }
  return artifacts
}

const types: Record<string, string> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  txt: 'text/plain',
  log: 'text/plain',
  csv: 'text/csv',
  png: 'image/png',
  jpg: 'image/jpeg',
}
const typeOf = (name: string): string =>
  types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
