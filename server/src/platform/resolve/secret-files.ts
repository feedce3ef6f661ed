import { readFile, realpath } from 'node:fs/promises'
import { isAbsolute, join, normalize, sep } from 'node:path'
import { ResolveError } from './reference.ts'

const largest = 1024 * 1024

/** Reads a file that lies in one of the allowed folders; links that lead out of them are refused. */
export async function readSecretFile(path: string, folders: readonly string[]): Promise<string> {
  const inside = (folder: string, file: string) => file.startsWith(normalize(folder + sep))
  const plain = normalize(path)
  if (!isAbsolute(plain) || !folders.some((folder) => inside(folder, plain))) {
    throw new ResolveError(`file://${path} is in none of the folders that QUARTERDECK_SECRET_FILES allows`)
  }
  const real = await realpath(plain).catch(() => undefined)
  if (real === undefined) throw new ResolveError(`file://${path} does not exist`)
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)))
  if (!roots.some((folder) => inside(folder, real)))
    throw new ResolveError(`file://${path} leads out of the allowed folders`)
  const content = await readFile(real, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ResolveError(`file://${path} cannot be read (${error.code})`)
  })
  if (content.length > largest) throw new ResolveError(`file://${path} is larger than 1 MB`)
  return content.replace(/\r?\n$/, '')
}

/** Without a cluster, secrets and config maps are folders: `<folder>/<namespace>/<name>/<key>`, or without the namespace. */
export async function readStoredSecret(
  name: string,
  key: string,
  namespace: string,
  folders: readonly string[],
): Promise<string | undefined> {
  if ([name, key, namespace].some((part) => part === '..' || /[/\0]/.test(part))) return undefined
  for (const folder of folders) {
    for (const path of [join(folder, namespace, name, key), join(folder, name, key)]) {
      const found = await readSecretFile(path, folders).catch(() => undefined)
      if (found !== undefined) return found
    }
  }
  return undefined
}
