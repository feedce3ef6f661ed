import { readdir, stat } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { fitsGlob, hasGlob } from './glob.ts'
import { InvalidScraper } from './kind.ts'

const usual = ['**/*.json', '**/*.yaml', '**/*.yml']
const maxFiles = 100_000

/** A file, or a folder that could not be looked into. */
export type Found = { path: string; name: string } | { problem: string; name: string }

/** Files below a folder that fit one of the patterns and none of the ignored ones; patterns may be absolute paths too. */
export async function* findFiles(
  signal: AbortSignal,
  folder: string,
  paths: readonly string[] | undefined,
  ignore: readonly string[] = [],
): AsyncIterable<Found> {
  const patterns = paths?.length ? paths : usual
  if (folder === '' && !patterns.every(isAbsolute))
    throw new InvalidScraper('paths must be absolute, or url must name the folder they are in')
  if (folder !== '' && !(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new Error(`the folder ${folder} is not there`)
  const inside = patterns.filter((pattern) => !isAbsolute(pattern) || folder !== '')
  const roots = new Map<string, string[]>()
  if (folder !== '') roots.set(folder, inside.map(withoutLead))
  else for (const pattern of patterns) add(roots, rootOf(pattern), relative(rootOf(pattern), pattern))
  const isIgnored = (name: string, path: string) =>
    ignore.some((pattern) => fitsGlob(withoutLead(pattern), name) || fitsGlob(pattern, path))
  let count = 0
  for (const [root, wanted] of roots) {
    for await (const found of walk(signal, root, '')) {
      if ('problem' in found) {
        yield { ...found, name: join(root, found.name) }
        continue
      }
      if (!wanted.some((pattern) => fitsGlob(pattern, found.name)) || isIgnored(found.name, found.path)) continue
      count += 1
      if (count > maxFiles) {
        yield { problem: `more than ${maxFiles} files fit; the rest was left out`, name: root }
        return
      }
      yield folder === '' ? { ...found, name: found.path } : found
    }
  }
}

const withoutLead = (pattern: string): string => pattern.replace(/^\.?\//, '')

const add = (map: Map<string, string[]>, key: string, value: string): void => {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

/** The folder above the first part that is a pattern. */
function rootOf(pattern: string): string {
  const parts = pattern.split('/')
  const first = parts.findIndex(hasGlob)
  return (first < 0 ? parts.slice(0, -1) : parts.slice(0, first)).join('/') || '/'
}

/** Links to folders are not followed: they may lead in circles. */
async function* walk(signal: AbortSignal, root: string, below: string): AsyncIterable<Found> {
  signal.throwIfAborted()
  let entries
  try {
    entries = await readdir(join(root, below), { withFileTypes: true })
  } catch (error) {
    yield { problem: (error as Error).message, name: below }
    return
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = below ? `${below}/${entry.name}` : entry.name
    if (entry.isDirectory()) {
      if (entry.name !== '.git') yield* walk(signal, root, name)
    } else yield { path: join(root, name), name }
  }
}
