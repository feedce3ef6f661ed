import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../platform/errors.ts'
import { type FileLimits, type ParsedFile, parseFile } from './parse.ts'
import type { Problem } from './problem.ts'
import { type Identity, type SourcedDocument, validateDocument } from './validate.ts'

const endings = /\.(ya?ml|json)$/i
const maxFiles = 10_000
const maxDepth = 16

export interface FoundFile {
  path: string
  /** Changes whenever the file does. */
  stamp: string
}

/** All document files below a folder, in order. Hidden ones are left out; links are followed once. */
export async function findFiles(folder: string, most = maxFiles): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  const seen = new Set<string>()
  const walk = async (path: string, depth: number): Promise<void> => {
    const real = await realpath(path)
    if (seen.has(real) || depth > maxDepth) return
    seen.add(real)
    const names = (await readdir(path)).filter((name) => !name.startsWith('.')).toSorted()
    for (const name of names) {
      const child = join(path, name)
      const info = await stat(child).catch(() => undefined)
      if (info?.isDirectory()) await walk(child, depth + 1)
      else if (info?.isFile() && endings.test(name)) {
        // What is not read would look as if it had been removed.
        if (found.length === most)
          throw new StartupError(`There are more than ${most} files of documents in ${folder}.`)
        found.push({ path: child, stamp: `${info.mtimeMs} ${info.size} ${info.ino}` })
      }
    }
  }
  await walk(folder, 0)
  return found
}

export interface LoadedFiles {
  documents: SourcedDocument[]
  problems: Problem[]
  broken: Identity[]
  brokenFiles: Set<string>
}

/** Reads and checks documents. What is wrong is reported; the rest comes through. */
export async function loadFiles(paths: readonly string[], limits?: FileLimits): Promise<LoadedFiles> {
  const loaded: LoadedFiles = { documents: [], problems: [], broken: [], brokenFiles: new Set() }
  for (const path of paths) {
    addFile(loaded, path, await readOne(path, limits))
    // A folder of thousands of files must not hold up a server that has other things to do.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return loaded
}

async function readOne(path: string, limits?: FileLimits): Promise<ParsedFile> {
  try {
    return parseFile(path, await readFile(path), limits)
  } catch (error) {
    return {
      documents: [],
      problems: [
        { file: path, message: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})` },
      ],
    }
  }
}

export function addFile(loaded: LoadedFiles, path: string, { documents, problems }: ParsedFile): void {
  loaded.problems.push(...problems)
  if (problems.length > 0) loaded.brokenFiles.add(path)
  for (const source of documents) {
    const checked = validateDocument(source)
    if (checked.ok) loaded.documents.push({ document: checked.document, source })
    else {
      loaded.problems.push(...checked.problems)
      if (checked.identity) loaded.broken.push(checked.identity)
      else loaded.brokenFiles.add(path)
    }
  }
}
