import { dialerOf } from '../network/dialer.ts'
import type { ClientRun } from './run.ts'
import { type OnRow, sqlAddress, type SqlTarget } from './sql-address.ts'
import { driver, onAbort } from './support.ts'

/** `user:password@tcp(host:port)/database?options`, the other way such addresses are written. */
const dsn = /^(?:([^:@/]*)(?::(.*))?@)?(?:tcp)?\(([^)]+)\)\/(.*)$/

export function mysqlUrl(text: string): string {
  const found = dsn.exec(text)
  if (!found) return text
  const [, user = '', password = '', host, rest] = found
  const who = user ? `${encodeURIComponent(user)}:${encodeURIComponent(password)}@` : ''
  return `mysql://${who}${host}/${rest}`
}

const isOff = (text: string | undefined): boolean =>
  ['disabled', 'disable', 'false'].includes(text?.toLowerCase() ?? '')

/** Runs one statement on a MySQL or MariaDB server. */
export async function queryMysql(run: ClientRun, target: SqlTarget, text: string, onRow: OnRow): Promise<void> {
  const { createConnection } = await driver('mysql2', () => import('mysql2'))
  const address = sqlAddress({ ...target, url: mysqlUrl(target.url) })
  const { host, port = 3306, username, password, options } = address
  const mode = (options.sslMode ?? options['ssl-mode'] ?? options.tls)?.toLowerCase()
  const wantsTls = mode !== undefined && !isOff(mode) && mode !== 'preferred'
  const verify = mode === 'verify_ca' || mode === 'verify_identity' || mode === 'true'
  const socket = await dialerOf(run.ctx).connectTcp(host, port, { signal: run.signal, timeoutMs: run.timeout })
  const connection = createConnection({
    stream: socket,
    host,
    user: username,
    password,
    // The old template glues the option to the name.
    database: address.database?.replace(/sslMode=disabled$/, ''),
    ssl: wantsTls ? { rejectUnauthorized: verify } : undefined,
    supportBigNumbers: true,
    decimalNumbers: true,
    connectTimeout: run.timeout,
  })
  const forget = onAbort(run.signal, () => connection.destroy())
  try {
    await new Promise<void>((resolve, reject) => {
      // A refused login is told to the connection, not to the statement that waits for it.
      connection.on('error', reject)
      connection
        .query(text)
        .on('error', reject)
        .on('result', (row) => {
          // Statements without rows answer with counters.
          if (!('affectedRows' in row && 'serverStatus' in row)) onRow({ ...row } as Record<string, unknown>)
        })
        .on('end', () => resolve())
    })
  } finally {
    forget()
    connection.destroy()
  }
}
