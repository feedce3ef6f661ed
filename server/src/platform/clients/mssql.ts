import { type ClientRun, InvalidTarget } from './run.ts'
import { checkedAddress } from './sockets.ts'
import { type OnRow, type SqlAddress, sqlAddress, type SqlTarget } from './sql-address.ts'
import { driver, onAbort } from './support.ts'

/** The little of the driver that is used; it is not part of every installation. */
interface Tedious {
  Connection: new (config: object) => TediousConnection
  Request: new (text: string, done: (error: Error | null | undefined) => void) => TediousRequest
}
interface TediousConnection {
  connect(done: (error?: Error) => void): void
  execSqlBatch(request: TediousRequest): void
  on(event: 'error', listener: (error: Error) => void): void
  close(): void
}
interface TediousRequest {
  on(event: 'row', listener: (columns: { metadata: { colName: string }; value: unknown }[]) => void): void
}

// A name in a variable keeps the compiler from asking for the package.
const tedious = 'tedious'

/** `server=host,port;user id=x;password=y;database=z`, or an address with a scheme. */
export function mssqlAddress(target: SqlTarget): SqlAddress {
  if (/^sqlserver:|^mssql:/.test(target.url)) {
    const address = sqlAddress(target)
    return { ...address, database: address.options.database ?? address.database }
  }
  if (!target.url.includes('='))
    throw new InvalidTarget('the url must start with sqlserver:// or be server=…;user id=…')
  const fields = new Map(
    target.url.split(';').flatMap((part) => {
      const at = part.indexOf('=')
      return at > 0 ? [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()] as const] : []
    }),
  )
  const [host = 'localhost', port] = (fields.get('server') ?? fields.get('data source') ?? '').split(/[,:]/)
  return {
    host: host || 'localhost',
    port: port || fields.get('port') ? Number(port || fields.get('port')) : undefined,
    username: target.username ?? fields.get('user id') ?? fields.get('uid'),
    password: target.password ?? fields.get('password') ?? fields.get('pwd'),
    database: fields.get('database') ?? fields.get('initial catalog'),
    options: Object.fromEntries(fields),
  }
}

/** Runs one batch on a Microsoft SQL Server. */
export async function queryMssql(run: ClientRun, target: SqlTarget, text: string, onRow: OnRow): Promise<void> {
  const { host, port, username, password, database, options } = mssqlAddress(target)
  if (password) run.secret(password)
  const { Connection, Request } = await driver(tedious, () => import(tedious) as Promise<Tedious>)
  const option = (name: string) => (options[name] ?? options[name.toLowerCase()])?.toLowerCase()
  const connection = new Connection({
    server: await checkedAddress(run, host),
    authentication: { type: 'default', options: { userName: username, password } },
    options: {
      port: port ?? 1433,
      database,
      serverName: host,
      encrypt: option('encrypt') !== 'false' && option('encrypt') !== 'disable',
      trustServerCertificate: target.insecureTls || option('TrustServerCertificate') === 'true',
      connectTimeout: run.timeout,
      requestTimeout: run.timeout,
      rowCollectionOnRequestCompletion: false,
    },
  })
  connection.on('error', () => undefined)
  const forget = onAbort(run.signal, () => connection.close())
  try {
    await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())))
    await new Promise<void>((resolve, reject) => {
      const request = new Request(text, (error) => (error ? reject(error) : resolve()))
      request.on('row', (columns) =>
        onRow(Object.fromEntries(columns.map(({ metadata, value }) => [metadata.colName, value]))),
      )
      connection.execSqlBatch(request)
    })
  } finally {
    forget()
    connection.close()
  }
}
