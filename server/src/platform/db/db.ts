import pg from 'pg'

/** Anything that runs SQL: the pool, or one client inside a transaction. Services take this, so they work in both. */
export interface Sql {
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  one<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row>
  maybeOne<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row | undefined>
  /** Number of rows a write touched. */
  run(text: string, values?: unknown[]): Promise<number>
}

export interface Db extends Sql {
  readonly pool: pg.Pool
  /** Runs `work` in one transaction; it commits when `work` returns and rolls back when it throws. */
  tx<T>(work: (sql: Sql, client: pg.PoolClient) => Promise<T>): Promise<T>
  close(): Promise<void>
}

type Runner = Pick<pg.Pool | pg.PoolClient, 'query'>

function sqlOver(runner: Runner): Sql {
  const run = <Row extends object>(text: string, values?: unknown[]) =>
    runner.query<Row & pg.QueryResultRow>(text, values)
  const maybeOne = async <Row extends object>(text: string, values?: unknown[]) =>
    (await run<Row>(text, values)).rows[0]
  return {
    query: async (text, values) => (await run(text, values)).rows as never,
    maybeOne: maybeOne as Sql['maybeOne'],
    one: async (text, values) => {
      const row = await maybeOne(text, values)
      if (!row) throw new Error('a row was expected and none came back')
      return row as never
    },
    run: async (text, values) => (await run(text, values)).rowCount ?? 0,
  }
}

export interface DbOptions {
  url: string
  max?: number
  applicationName?: string
  /** Settings that every connection makes first, such as statement_timeout. */
  session?: Record<string, string>
  /** Milliseconds to wait for a free connection; without it, as long as it takes. */
  waitFor?: number
  onError?: (error: Error) => void
}

function applySession(client: pg.ClientBase, session: Record<string, string>): Promise<unknown> {
  const settings = Object.keys(session).map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`)
  return client.query(`select ${settings.join(', ')}`, Object.entries(session).flat())
}

/** Opens the pool. Connections are made on first use; `onError` hears of idle connections that break. */
export function openDb({ url, max = 10, applicationName = 'quarterdeck', session, waitFor, onError }: DbOptions): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    // A new connection costs as much as dozens of statements, and forgets their plans.
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: waitFor ?? 0,
    ...(session ? { onConnect: (client: pg.ClientBase) => applySession(client, session) } : {}),
  })
  pool.on('error', (error) => onError?.(error))
  pool.on('connect', (client) => client.on('error', (error) => onError?.(error)))
  return {
    pool,
    ...sqlOver(pool),
    async tx(work) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const result = await work(sqlOver(client), client)
        await client.query('commit')
        client.release()
        return result
      } catch (error) {
        // A client whose rollback fails is broken; the pool must not hand it out again.
        const broken = await client.query('rollback').then(
          () => undefined,
          (reason: Error) => reason,
        )
        client.release(broken)
        throw error
      }
    },
    close: () => pool.end(),
  }
}
