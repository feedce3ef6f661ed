import type pg from 'pg'
import type { Db } from '../platform/db/db.ts'
import { SharedReads } from '../platform/db/shared-read.ts'
import { Limiter } from '../platform/limiter.ts'
import type { Limits } from './limits.ts'
import type { Param } from './plan/model.ts'
import type { Statement } from './query/sql-writer.ts'

/** A statement that is kept. From its second use on it is prepared under a name of its own. */
export interface Compiled extends Statement {
  readonly id: number
  name?: string
  uses: number
}

let statements = 0
export const compiled = (statement: Statement): Compiled => ({ ...statement, id: ++statements, uses: 0 })

/** The values behind the parameters of one request. */
export interface Bindings {
  slots: readonly unknown[]
  limit: number
  offset: number
  person: string
  body?: string
  args?: ReadonlyMap<string, string[]>
  /** Arguments that take a list: every value given counts, not only the last. */
  lists?: ReadonlySet<string>
}

function valueOf(param: Param, bindings: Bindings): unknown {
  if ('slot' in param) return bindings.slots[param.slot]
  if ('constant' in param) return param.constant
  if ('from' in param) return bindings[param.from]
  if ('object' in param) return objectOf(param, bindings.slots)
  const given = bindings.args?.get(param.argument) ?? []
  return bindings.lists?.has(param.argument) ? given : given.at(-1)
}

const valuesOf = ({ params }: Statement, bindings: Bindings) => params.map((param) => valueOf(param, bindings))

function objectOf({ object, as }: Extract<Param, { object: unknown }>, slots: readonly unknown[]): string {
  const value = slots[object.value] as string
  const keys = slots[object.keys] as string[]
  return keys.reduceRight(
    (inner, key) => `{${JSON.stringify(key)}:${inner}}`,
    as === 'scalar' ? value : JSON.stringify(value),
  )
}

/** A statement that takes longer gives its place to the next: a slow report must not hold up quick lists. */
const promptMs = 100

const isPreparedTrouble = (error: unknown) =>
  error instanceof Error && ['26000', '42P05'].includes((error as { code?: string }).code ?? '')

/** Runs statements, prepared where that pays. */
export class Statements {
  private readonly places = new Limiter(() => this.limits.readsAtOnce)
  private readonly shared = new SharedReads<pg.QueryResultRow[]>(() => this.turn())
  private names = 0
  private readonly prepared = new WeakMap<object, Set<string>>()
  /** A pooler between us and the database may not keep prepared statements; then none are named any more. */
  private named = true

  constructor(
    private readonly db: Db,
    private readonly limits: Limits,
  ) {}

  /**
   * One statement on any connection, without a transaction around it. After a change every open console asks the same:
   * equal questions share an answer, those that wait for their turn too.
   */
  read<Row extends pg.QueryResultRow>(statement: Compiled, bindings: Bindings): Promise<Row[]> {
    const values = valuesOf(statement, bindings)
    const question = `${statement.id} ${JSON.stringify(values)}`
    return this.shared.read(question, () => this.readAlone(statement, values)) as Promise<Row[]>
  }

  private async turn(): Promise<() => void> {
    const leave = await this.places.enter('')
    const patience = setTimeout(leave, promptMs)
    return () => {
      clearTimeout(patience)
      leave()
    }
  }

  private async readAlone(statement: Compiled, values: unknown[]): Promise<pg.QueryResultRow[]> {
    const client = await this.db.pool.connect()
    let broken: Error | boolean = false
    try {
      return await this.run(client, statement, values)
    } catch (error) {
      // Anything but an ordinary error of the statement may have cost the connection.
      if ((error as { severity?: string }).severity !== 'ERROR') broken = error as Error
      if (!isPreparedTrouble(error) || !this.named) throw error
      this.named = false
    } finally {
      client.release(broken || this.isFull(client))
    }
    return this.readAlone(statement, values)
  }

  on<Row extends pg.QueryResultRow>(client: pg.PoolClient, statement: Compiled, bindings: Bindings): Promise<Row[]> {
    return this.run<Row>(client, statement, valuesOf(statement, bindings))
  }

  private async run<Row extends pg.QueryResultRow>(
    client: pg.PoolClient,
    statement: Compiled,
    values: unknown[],
  ): Promise<Row[]> {
    statement.uses++
    if (this.named && statement.uses > 1) {
      statement.name ??= `data_api_${++this.names}`
      this.note(client, statement.name)
    }
    const { text, name } = statement
    return (await client.query<Row>({ text, values, ...(this.named && name ? { name } : {}) })).rows
  }

  /** Writes repeat as a whole: their transaction is gone with the failure. */
  async transaction<T>(
    work: (client: pg.PoolClient, sql: Parameters<Parameters<Db['tx']>[0]>[0]) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.db.tx((sql, client) => work(client, sql))
    } catch (error) {
      if (!isPreparedTrouble(error) || !this.named) throw error
      this.named = false
      return this.db.tx((sql, client) => work(client, sql))
    }
  }

  private note(client: pg.PoolClient, name: string) {
    const names = this.prepared.get(client)
    if (names) names.add(name)
    else this.prepared.set(client, new Set([name]))
  }

  /** PostgreSQL keeps what is prepared as long as the connection lives, so a full connection gives way to a new one. */
  private isFull(client: pg.PoolClient): boolean {
    return (this.prepared.get(client)?.size ?? 0) >= this.limits.preparedPerConnection
  }
}
