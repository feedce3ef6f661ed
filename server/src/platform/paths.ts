import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The server workspace, found from the sources and from the bundle alike. */
export const serverFolder = findUp(dirname(fileURLToPath(import.meta.url)))
/** The repository, or wherever the product was unpacked. */
export const projectFolder = dirname(serverFolder)
/** The built console. */
export const consoleFolder = join(projectFolder, 'web/dist')

/** The product's version, as its package file says. */
export const version = (JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string })
  .version

function findUp(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('the server folder was not found')
  return findUp(parent)
}
