import type { z } from 'zod'
import type { CheckKind, CheckRun, CommonSpec } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { fillIn, type Target, targetOf } from './credentials.ts'

export interface SqlSpec extends CommonSpec {
  connection?: string
  url?: string
  query: string
  results?: number
}

/** Rows kept for expressions and the history; all are counted. */
const maxRows = 5_000

export class Rows {
  readonly rows: Record<string, unknown>[] = []
  count = 0
  add(row: Record<string, unknown>): void {
    this.count++
    if (this.rows.length < maxRows) this.rows.push(row)
  }
}

/** A kind that runs one statement and counts its rows; databases differ in `query` only. */
export function sqlKind<Spec extends SqlSpec>(
  key: string,
  schema: z.ZodType<Spec>,
  query: (run: CheckRun, target: Target & { url: string }, text: string, rows: Rows) => Promise<void>,
): CheckKind<Spec> {
  return {
    key,
    schema,
    templatable: true,
    concurrency: 50,
    endpoint: (spec) => spec.name,
    async run(run, spec) {
      const target = await targetOf(run, spec)
      if (!target.url) throw new InvalidCheck('there is no url, neither here nor in the connection')
      const url = await fillIn(run, target.url, { username: target.username, password: target.password })
      const text = await fillIn(run, spec.query, { properties: target.properties })
      const rows = new Rows()
      await query(run, { ...target, url }, text, rows)
      const detail = { rows: rows.rows, count: rows.count }
      const wanted = spec.results ?? 0
      const errors = rows.count < wanted ? [`${rows.count} rows, fewer than ${wanted}`] : []
      return { pass: errors.length === 0, errors, detail, message: `${rows.count} rows`, data: detail }
    },
  }
}

/** The address of a database, as every driver wants it in pieces. */
export interface SqlAddress {
  host: string
  port?: number
  username?: string
  password?: string
  database?: string
  options: Record<string, string>
}

/** Reads `scheme://user:password@host:port/database?options`; user and password of the check win. */
export function sqlAddress(target: Target & { url: string }): SqlAddress {
  let url: URL
  try {
    url = new URL(target.url)
  } catch {
    throw new InvalidCheck('the url of the database cannot be read')
  }
  const text = (part: string) => (part ? decodeURIComponent(part) : undefined)
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1') || 'localhost',
    port: url.port ? Number(url.port) : undefined,
    username: target.username ?? text(url.username),
    password: target.password ?? text(url.password),
    database: text(url.pathname.slice(1)),
    options: Object.fromEntries(url.searchParams),
  }
}
