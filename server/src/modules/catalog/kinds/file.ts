import { isUtf8 } from 'node:buffer'
import { mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, isAbsolute, join } from 'node:path'
import { FileScraper } from '@quarterdeck/contract/scrapers/file'
import { findFiles } from './file-find.ts'
import { cloneFor, gitAddress } from './file-git.ts'
import { http } from './http.ts'
import { InvalidScraper, type ScraperKind, type ScrapeResult, type ScrapeRun } from './kind.ts'
import { targetOf } from './support.ts'

const maxFile = 64 * 1024 * 1024

/** Files of a folder, of a git repository, or behind one http address; each is a document. */
export const file: ScraperKind<FileScraper> = {
  key: 'file',
  schema: FileScraper,
  concurrency: 10,
  async *scrape(run, spec) {
    const target = await targetOf(run, spec)
    const git = gitAddress(target.url, target.type)
    if (git) {
      const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-git-'))
      try {
        await cloneFor(run, git, target, folder)
        // The shown address is without user and password.
        yield* filesBelow(run, spec, join(folder, git.folder), git.shown, folder)
      } finally {
        await rm(folder, { recursive: true, force: true }).catch(() => undefined)
      }
    } else if (/^https?:/i.test(target.url)) {
      yield* http.scrape(run, http.schema.parse({ ...spec, url: target.url }))
    } else yield* filesBelow(run, spec, localFolder(target.url), target.url)
  },
}

function localFolder(url: string): string {
  const path = url.replace(/^file:\/\//i, '')
  if (path !== '' && !isAbsolute(path)) throw new InvalidScraper(`"${path}" is not an absolute path`)
  return path
}

async function* filesBelow(
  run: ScrapeRun,
  spec: FileScraper,
  folder: string,
  shown: string,
  /** Links that lead out of here are not followed. */
  only?: string,
): AsyncIterable<ScrapeResult> {
  const isRefused = await refusedPaths(run)
  const limit = only && `${await realpath(only)}/`
  const seen = new Set<string>()
  for await (const found of findFiles(run.signal, folder, spec.paths, spec.ignore)) {
    if ('problem' in found) {
      yield { error: { message: found.problem, item: found.name } }
      continue
    }
    const { path, name } = found
    try {
      const real = await realpath(path)
      if (seen.has(real)) continue
      seen.add(real)
      if (limit && !real.startsWith(limit)) throw new Error('a link that leads out of the repository is not followed')
      if (isRefused(real)) throw new Error('files of the server itself and of the system are not read')
      const { size } = await stat(real)
      if (size > maxFile) throw new Error(`the file has ${size} bytes, more than ${maxFile}`)
      const bytes = await readFile(real)
      if (!isUtf8(bytes))
        yield { error: { message: 'the file is not UTF-8 text; what is not was replaced', item: name, partial: false } }
      const source = shown ? `${shown.replace(/\/$/, '')}/${name.replace(/^\//, '')}` : name
      yield { item: { config: bytes.toString('utf8'), format: spec.format ?? formatOf(name), source } }
    } catch (error) {
      yield { error: { message: (error as Error).message, item: name } }
    }
  }
}

const formats: Record<string, string> = { '.yaml': 'yaml', '.yml': 'yaml', '.properties': 'properties' }
const formatOf = (name: string): string => formats[extname(name).toLowerCase()] ?? 'json'

/** The key, the database, secrets that only references may open, and what the kernel shows as files. */
export async function refusedPaths(run: ScrapeRun): Promise<(path: string) => boolean> {
  const { config } = run.ctx
  const own = [
    config.QUARTERDECK_DATA_DIR,
    config.QUARTERDECK_ENCRYPTION_KEY_FILE,
    config.QUARTERDECK_PASSWORD_FILE,
    ...config.QUARTERDECK_SECRET_FILES,
    '/var/lib/quarterdeck',
  ]
  const real = await Promise.all(own.flatMap((path) => (path ? [realpath(path).catch(() => path)] : [])))
  const folders = [...real, '/proc', '/sys', '/dev']
  return (path) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
}
