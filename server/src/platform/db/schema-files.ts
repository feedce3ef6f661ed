import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SqlFile {
  name: string
  text: string
  /** SHA-1 of the text; what migration_logs remembers. */
  hash: Buffer
}

export interface SchemaFiles {
  /** Numbered, forward only: each runs once, in its own transaction. */
  migrations: SqlFile[]
  /** Functions, views and triggers: dropped and made anew together when any file changed. */
  views: SqlFile[]
  viewsHash: Buffer
}

/** Line ends are made equal first, so that a checkout on Windows does not look like an edited file. */
export function sqlFile(name: string, raw: string): SqlFile {
  const text = raw.replaceAll('\r\n', '\n')
  return { name, text, hash: createHash('sha1').update(text).digest() }
}

/** The package folder: the first one above this file that holds `migrations`, from source as from a build. */
export function schemaFolder(start = dirname(fileURLToPath(import.meta.url))): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'migrations')) && existsSync(join(folder, 'views'))) return folder
    if (folder === dirname(folder)) throw new Error(`no folder above ${start} holds the migrations`)
  }
}

export function readSchemaFiles(folder = schemaFolder()): SchemaFiles {
  const read = (part: string) =>
    readdirSync(join(folder, part))
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => sqlFile(name, readFileSync(join(folder, part, name), 'utf8')))
  return schemaFiles(read('migrations'), read('views'))
}

export function schemaFiles(migrations: SqlFile[], views: SqlFile[]): SchemaFiles {
  // Migrations count too: a view that selects every column of a table must see a new column.
  const viewsHash = createHash('sha1')
  for (const file of [...migrations, ...views]) viewsHash.update(file.name).update(file.hash)
  return { migrations, views, viewsHash: viewsHash.digest() }
}
