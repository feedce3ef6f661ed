import { join } from 'node:path'
import type { Config } from './config.ts'
import { openDataFolder, dataFolderHolder, lockDataFolder } from './platform/data-folder.ts'
import { type Db, openDb } from './platform/db/db.ts'
import { runningEmbedded, startEmbedded } from './platform/db/embedded.ts'
import { requireUsableDatabase } from './platform/db/requirements.ts'
import type { Logger } from 'pino'

/** Things to undo at the end, last opened first. */
export interface Opened {
  db: Db
  url: string
  /** Another process runs this embedded database. */
  isJoined: boolean
  close(): Promise<void>
}

const databaseName = 'quarterdeck'

export interface OpenOptions {
  config: Config
  log: Logger
  tell(line: string): void
  /** Commands and extra workers use the server that a running product keeps on this data folder. */
  join: boolean
  max?: number
}

/** Opens the database the settings name: the user's own, or the embedded one of the data folder. */
export async function openDatabase({ config, log, tell, join: mayJoin, max }: OpenOptions): Promise<Opened> {
  let isClosing = false
  // While we close, the server hangs up on connections that are just saying goodbye.
  const onError = (error: Error) => isClosing || log.warn({ err: error }, 'a database connection broke')
  const connect = async (url: string, name: string) => {
    const db = openDb({ url, max, waitFor: 10_000, onError })
    await requireUsableDatabase(db, name)
    return db
  }
  if (config.DATABASE_URL) {
    const db = await connect(config.DATABASE_URL, 'DATABASE_URL')
    return { db, url: config.DATABASE_URL, isJoined: false, close: () => db.close() }
  }
  const folder = openDataFolder(config.QUARTERDECK_DATA_DIR)
  if (mayJoin && dataFolderHolder(folder) !== undefined) {
    const url = runningEmbedded(folder, databaseName)
    if (url) {
      const db = await connect(url, 'the embedded database')
      return { db, url, isJoined: true, close: () => db.close() }
    }
  }
  const lock = await lockDataFolder(folder, { tell })
  try {
    const report = (level: 'info' | 'error', words: string, error?: unknown) => log[level]({ err: error }, words)
    const server = await startEmbedded(folder, { database: databaseName, tell, report })
    const db = await connect(server.url, 'the embedded database')
    const close = async () => {
      isClosing = true
      await db.close()
      await server.stop()
      lock.release()
    }
    return { db, url: server.url, isJoined: false, close }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Where the key for secrets at rest lies. */
export const keyFileOf = (config: Config): string =>
  config.QUARTERDECK_ENCRYPTION_KEY_FILE ?? join(openDataFolder(config.QUARTERDECK_DATA_DIR), 'encryption.key')
