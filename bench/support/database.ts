import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Db, openDb } from '../../server/src/platform/db/db.ts'
import { startEmbedded } from '../../server/src/platform/db/embedded.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'

export const say = (text: string) => void process.stdout.write(`${text}\n`)

/** Runs `work` with a migrated and seeded database of its own; `settings` are those of PostgreSQL. */
export async function withDatabase<T>(
  { settings, seed }: { settings?: string[]; seed?: (db: Db) => Promise<unknown> },
  work: (url: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-bench-'))
  chmodSync(folder, 0o755)
  const database = await startEmbedded(folder, { settings })
  try {
    const db = openDb({ url: database.url })
    await migrate(db)
    await seed?.(db)
    await db.close()
    return await work(database.url)
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs `work` with a server in a process of its own: `file` is told the database and tells its address. */
export async function withServer<T>(file: URL, url: string, work: (address: string) => Promise<T>): Promise<T> {
  const server = fork(fileURLToPath(file), [url])
  const ended = once(server, 'exit')
  try {
    const address = await Promise.race([once(server, 'message'), ended.then(() => [])])
    if (address.length === 0) throw new Error(`${file.pathname} ended before it listened`)
    return await work(address[0] as string)
  } finally {
    server.kill()
    await ended
  }
}

/** Says whether all aims are met, also to who waits for the process. */
export function conclude(aims: readonly boolean[]): void {
  const isMet = aims.every(Boolean)
  say(isMet ? '\nall aims met' : '\nnot all aims met')
  process.exitCode = isMet ? 0 : 1
}
