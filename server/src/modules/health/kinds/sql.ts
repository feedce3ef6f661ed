import type { z } from 'zod'
import type { CheckKind, CheckRun, CommonSpec } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { fillIn, fillInQuery, type Target, targetOf } from './credentials.ts'

export { type SqlAddress, sqlAddress } from '../../../platform/clients/sql-address.ts'

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
  query: (run: CheckRun, target: Target & { url: string }, text: string, onRow: Rows['add']) => Promise<void>,
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
      const text = await fillInQuery(run, spec.query, { properties: target.properties })
      const rows = new Rows()
      await query(run, { ...target, url }, text, (row) => rows.add(row))
      const detail = { rows: rows.rows, count: rows.count }
      const wanted = spec.results ?? 0
      const errors = rows.count < wanted ? [`${rows.count} rows, fewer than ${wanted}`] : []
      return { pass: errors.length === 0, errors, detail, message: `${rows.count} rows`, data: detail }
    },
  }
}
