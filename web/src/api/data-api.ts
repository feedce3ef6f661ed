import { client, type RequestOptions } from './client.ts'
import { ApiError } from './errors.ts'

/** A page of rows and how many there are in all; the shape every counted read has. */
export interface Paged<Row> {
  data: Row[] | null
  /** Absent when the server did not say. */
  totalEntries: number | undefined
  error: ApiError | null
}

type Value = string | number | boolean | Date
type Comparison = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'ilike'
type ReadOptions = Pick<RequestOptions, 'signal' | 'timeout' | 'keep401'>

const db = client('db')
const textOf = (value: Value) => (value instanceof Date ? value.toISOString() : String(value))
// Inside lists and logic trees these characters end a value, so such a value is quoted.
const quoted = (value: Value) => {
  const text = textOf(value)
  return text === '' || /[,()"\\:\s]|^null$/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text
}
const listOf = (values: readonly Value[]) => `(${values.map(quoted).join(',')})`

/** Conditions inside `or` and `and`. */
export const where = {
  is: (column: string, operator: Comparison, value: Value) => `${column}.${operator}.${quoted(value)}`,
  contains: (column: string, text: string) => `${column}.ilike.${quoted(`*${text}*`)}`,
  oneOf: (column: string, values: readonly Value[]) => `${column}.in.${listOf(values)}`,
  isNull: (column: string) => `${column}.is.null`,
  notNull: (column: string) => `${column}.not.is.null`,
  all: (...conditions: string[]) => `and(${conditions.join(',')})`,
  any: (...conditions: string[]) => `or(${conditions.join(',')})`,
}

/** The number after the slash of a Content-Range header, when there is one. */
export function totalOf(headers: Headers): number | undefined {
  const total = /\/(\d+)$/.exec(headers.get('Content-Range') ?? '')?.[1]
  return total === undefined ? undefined : Number(total)
}

/** One question to the data API. Every call returns a new query; nothing is sent before rows, first, paged or a write. */
export class DataQuery<Row> {
  readonly path: string
  readonly #params: readonly (readonly [string, string])[]

  constructor(path: string, params: readonly (readonly [string, string])[] = []) {
    this.path = path
    this.#params = params
  }

  #with(name: string, value: string): DataQuery<Row> {
    return new DataQuery(this.path, [...this.#params, [name, value]])
  }

  /** Columns and embedded relations, as the data API writes them. */
  select(columns: string): DataQuery<Row> {
    return this.#with('select', columns)
  }

  where(column: string, operator: Comparison, value: Value): DataQuery<Row> {
    return this.#with(column, `${operator}.${textOf(value)}`)
  }

  eq(column: string, value: Value): DataQuery<Row> {
    return this.where(column, 'eq', value)
  }

  isNull(column: string): DataQuery<Row> {
    return this.#with(column, 'is.null')
  }

  notNull(column: string): DataQuery<Row> {
    return this.#with(column, 'not.is.null')
  }

  oneOf(column: string, values: readonly Value[]): DataQuery<Row> {
    return this.#with(column, `in.${listOf(values)}`)
  }

  noneOf(column: string, values: readonly Value[]): DataQuery<Row> {
    return this.#with(column, `not.in.${listOf(values)}`)
  }

  /** A decoded tri-state list (`a,!b,prefix*`), which the server turns into conditions; empty adds nothing. */
  triState(column: string, list: string | undefined): DataQuery<Row> {
    return list ? this.#with(`${column}.filter`, list) : this
  }

  /** At least one of the conditions made with `where`. */
  anyOf(...conditions: string[]): DataQuery<Row> {
    return this.#with('or', `(${conditions.join(',')})`)
  }

  allOf(...conditions: string[]): DataQuery<Row> {
    return this.#with('and', `(${conditions.join(',')})`)
  }

  /** A parameter this builder has no word for, such as an argument of a function. */
  param(name: string, value: Value): DataQuery<Row> {
    return this.#with(name, textOf(value))
  }

  /** Applies a step only when there is a value to apply it with. */
  when<V>(value: V | null | undefined | '', step: (query: DataQuery<Row>, value: V) => DataQuery<Row>): DataQuery<Row> {
    return value === null || value === undefined || value === '' ? this : step(this, value)
  }

  order(...columns: `${string}.${'asc' | 'desc'}${'' | '.nullsfirst' | '.nullslast'}`[]): DataQuery<Row> {
    return this.#with('order', columns.join(','))
  }

  limit(count: number): DataQuery<Row> {
    return this.#with('limit', String(count))
  }

  page({ pageIndex, pageSize }: { pageIndex: number; pageSize: number }): DataQuery<Row> {
    return this.limit(pageSize).#with('offset', String(pageIndex * pageSize))
  }

  /** Path and query as sent; also a good part of a query key. */
  toString(): string {
    const text = new URLSearchParams(this.#params.map(([name, value]) => [name, value])).toString()
    return text === '' ? this.path : `${this.path}?${text}`
  }

  async rows(options?: ReadOptions): Promise<Row[]> {
    return db.get<Row[]>(this.toString(), options)
  }

  /** The first row, or null when nothing matches. */
  async first(options?: ReadOptions): Promise<Row | null> {
    return (await this.rows(options))[0] ?? null
  }

  /** The rows of this page with the total of all pages. */
  async paged(options?: ReadOptions): Promise<Paged<Row> & { data: Row[] }> {
    const headers = { Prefer: 'return=representation, count=exact' }
    try {
      const reply = await db.request<Row[]>('GET', this.toString(), { ...options, headers })
      return { data: reply.data ?? [], totalEntries: totalOf(reply.headers), error: null }
    } catch (error) {
      // The last page emptied since it was asked for: no rows is the answer, not a failure.
      if (error instanceof ApiError && error.status === 416) return { data: [], totalEntries: undefined, error: null }
      throw error
    }
  }

  async insert(rows: object | readonly object[]): Promise<Row[]> {
    return db.post<Row[]>(this.toString(), rows)
  }

  /** Changes every row that matches; at least one condition is needed, or the call is refused before it is sent. */
  async update(values: object): Promise<Row[]> {
    this.#refuseUnbounded()
    return db.patch<Row[]>(this.toString(), values)
  }

  async remove(): Promise<Row[]> {
    this.#refuseUnbounded()
    return db.delete<Row[]>(this.toString())
  }

  #refuseUnbounded() {
    const bounds = this.#params.filter(([name]) => !['select', 'order', 'limit', 'offset'].includes(name))
    if (bounds.length === 0) throw new Error(`A write to ${this.path} needs a condition`)
  }
}

/** Starts a question to a table or view. */
export const from = <Row>(relation: string) => new DataQuery<Row>(`/${relation}`)

/** Starts a question to a function that reads. */
export const rpc = <Row>(name: string, args: Record<string, Value | undefined> = {}) =>
  Object.entries(args).reduce(
    (query, [key, value]) => (value === undefined ? query : query.param(key, value)),
    new DataQuery<Row>(`/rpc/${name}`),
  )

/** Turns a failed read into a result, for screens that go on without it. */
export async function settled<Row>(read: Promise<Paged<Row> | Row[]>): Promise<Paged<Row>> {
  try {
    const result = await read
    return Array.isArray(result) ? { data: result, totalEntries: undefined, error: null } : result
  } catch (error) {
    if (error instanceof ApiError) return { data: null, totalEntries: undefined, error }
    throw error
  }
}
