import { StartupError } from '../errors.ts'
import type { Db } from './db.ts'

const oldest = 14

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  '28P01': 'it refuses the password',
  '28000': 'it refuses the user',
  '3D000': 'there is no such database',
  '53300': 'it has no connection left',
}

/** Refuses in one line a database that cannot be reached or is too old. `name` is the setting that named it. */
export async function requireUsableDatabase(db: Db, name: string): Promise<void> {
  let number: number
  try {
    const { version } = await withTimeout(
      db.one<{ version: string }>(`select current_setting('server_version_num') as version`),
    )
    number = Number(version)
  } catch (error) {
    await db.close().catch(() => {})
    const { code, message } = error as { code?: string; message: string }
    const reason = reasons[code ?? ''] ?? message
    throw new StartupError(
      `The database of ${name} (${placeOf(db)}) cannot be used: ${reason}. Check the setting and that PostgreSQL runs.`,
    )
  }
  if (number < oldest * 10_000) {
    await db.close()
    throw new StartupError(
      `The database of ${name} is PostgreSQL ${Math.floor(number / 10_000)}: Quarterdeck needs ${oldest} or later.`,
    )
  }
}

const insufficientPrivilege = '42501'

/** Says in one line that the user of the database lacks rights, instead of failing with the words of some statement. */
export async function withRights<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { code, message, cause } = error as { code?: string; message: string; cause?: { code?: string } }
    if ((cause?.code ?? code) !== insufficientPrivilege) throw error
    throw new StartupError(
      `The database user may not make or change tables (${message}): make it the owner of the database, ` +
        'or run quarterdeck migrate once as a user that is.',
    )
  }
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(
      () => reject(Object.assign(new Error('it does not answer within 10 s'), { code: 'ETIMEDOUT' })),
      10_000,
    ).unref()
  })
  return Promise.race([work, late])
}

/** Host, port and name, without the password. */
function placeOf(db: Db): string {
  try {
    const { hostname, port, pathname } = new URL(db.pool.options.connectionString ?? '')
    return `${hostname}:${port || 5432}${pathname}`
  } catch {
    return 'not a valid address'
  }
}
