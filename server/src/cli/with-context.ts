import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { keyFileOf, openDatabase } from '../boot.ts'
import { readConfig } from '../config.ts'
import { type Context, systemClock } from '../context.ts'
import { migrate } from '../platform/db/migrate.ts'
import { StartupError } from '../platform/errors.ts'
import { idleLive } from '../platform/events/idle.ts'
import { createLog } from '../platform/log.ts'
import { createQueue, installQueue } from '../platform/queue/queue.ts'
import { fileSecrets } from '../platform/secrets/file-secrets.ts'
import { tell } from './output.ts'

/** A command must not make an empty database in whatever folder it was typed. */
const isUsed = (folder: string) => existsSync(join(folder, 'postgres.json'))

/** Runs a command with the product's database: that of the running product, or one started for the moment. */
export async function withContext<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  if (config.BACKEND_URL)
    throw new StartupError('With BACKEND_URL there is no database here: run this command on the backend itself.')
  if (!config.DATABASE_URL && !isUsed(config.QUARTERDECK_DATA_DIR)) {
    const folder = resolve(config.QUARTERDECK_DATA_DIR)
    throw new StartupError(
      `There is no database in ${folder} yet: start the product once, or set QUARTERDECK_DATA_DIR or DATABASE_URL to yours.`,
    )
  }
  const log = createLog(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL)
  const { db, close, isJoined } = await openDatabase({ config, log, tell, join: true, max: 4 })
  try {
    if (!isJoined) {
      await migrate(db)
      await installQueue(db)
    }
    const secrets = fileSecrets(keyFileOf(config))
    return await work({ config, log, db, clock: systemClock, queue: createQueue(), live: idleLive, secrets })
  } finally {
    await close()
  }
}
