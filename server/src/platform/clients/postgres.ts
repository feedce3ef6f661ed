import { type ClientRun, InvalidTarget } from './run.ts'
import { policySocket } from './sockets.ts'
import { type OnRow, sqlAddress, type SqlTarget } from './sql-address.ts'
import { onAbort } from './support.ts'

const asNumber = (text: string): number | string => {
  const number = Number(text)
  // Beyond 2^53 digits would be lost; the text keeps them.
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : text
}
const int8 = 20
const numeric = 1700

/** Runs one statement on a PostgreSQL server. */
export async function queryPostgres(run: ClientRun, target: SqlTarget, text: string, onRow: OnRow): Promise<void> {
  const { default: pg } = await import('pg')
  const { host, port, username, password, database, options } = sqlAddress(target)
  if (!/^postgres(ql)?:/.test(target.url)) throw new InvalidTarget('the url must start with postgres://')
  const mode = options.sslmode ?? (target.insecureTls ? 'disable' : 'prefer')
  const connect = async (ssl: false | object) => {
    const client = new pg.Client({
      host: options.host ?? host,
      port: port ?? Number(options.port ?? 5432),
      user: username,
      password: password ?? '',
      database: database ?? options.dbname ?? username,
      ssl,
      application_name: 'quarterdeck',
      connectionTimeoutMillis: run.timeout,
      stream: () => policySocket(run),
      types: {
        getTypeParser: ((oid: number, format: 'text') =>
          oid === int8 || oid === numeric
            ? asNumber
            : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
      },
    })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  const strict = mode === 'verify-full' || mode === 'verify-ca'
  const tls = { rejectUnauthorized: strict, ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}) }
  const client =
    mode === 'disable' || mode === 'allow'
      ? await connect(false)
      : await connect(tls).catch((error: Error) => {
          if (mode === 'prefer' && /does not support SSL/.test(error.message)) return connect(false)
          throw error
        })
  const forget = onAbort(run.signal, () => void client.end().catch(() => undefined))
  try {
    await new Promise<void>((resolve, reject) => {
      const query = new pg.Query(text)
      query.on('row', (row: Record<string, unknown>) => onRow(row))
      query.on('end', () => resolve())
      query.on('error', reject)
      client.query(query)
    })
  } finally {
    forget()
    await client.end().catch(() => undefined)
  }
}
