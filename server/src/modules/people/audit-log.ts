import type { AuditRow } from '@quarterdeck/contract/identity'
import { z } from 'zod'
import type { Sql } from '../../platform/db/db.ts'

const time = z.iso.datetime({ offset: true }).optional()
const text = z.string().max(200).optional()

export const AuditQuery = z.object({
  actor: z.uuid().optional(),
  /** One or several, separated by commas. */
  action: z.string().max(4000).optional(),
  outcome: z.enum(['success', 'failure']).optional(),
  object_type: text,
  object_id: text,
  /** Words in names, address and action. */
  search: text,
  from: time,
  to: time,
  limit: z.coerce.number().int().min(1).max(500).default(50),
  offset: z.coerce.number().int().min(0).max(1_000_000_000).default(0),
  format: z.enum(['json', 'csv']).optional(),
})
export type AuditQuery = z.infer<typeof AuditQuery>

const columns = [
  'id',
  'at',
  'action',
  'outcome',
  'actor_id',
  'actor_name',
  'object_type',
  'object_id',
  'object_name',
  'ip',
  'user_agent',
  'details',
] as const

type Row = Omit<AuditRow, 'at'> & { at: Date }

function conditions(query: AuditQuery): { where: string; values: unknown[] } {
  const values: unknown[] = []
  const parts: string[] = []
  const add = (sql: (mark: string) => string, value: unknown) => {
    if (value === undefined || value === '') return
    values.push(value)
    parts.push(sql(`$${values.length}`))
  }
  add((v) => `actor_id = ${v}`, query.actor)
  add(
    (v) => `action = any(${v}::text[])`,
    query.action
      ?.split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  )
  add((v) => `outcome = ${v}`, query.outcome)
  add((v) => `object_type = ${v}`, query.object_type)
  add((v) => `object_id = ${v}`, query.object_id)
  add((v) => `at >= ${v}::timestamptz`, query.from)
  add((v) => `at < ${v}::timestamptz`, query.to)
  const words = query.search?.trim().replace(/[\\%_]/g, (char) => `\\${char}`)
  add((v) => `concat_ws(' ', actor_name, object_name, action, ip) ilike '%' || ${v} || '%'`, words)
  return { where: parts.length > 0 ? `where ${parts.join(' and ')}` : '', values }
}

export async function auditPage(sql: Sql, query: AuditQuery): Promise<{ rows: Row[]; total: number }> {
  const { where, values } = conditions(query)
  const { total } = await sql.one<{ total: number }>(`select count(*)::int as total from audit_log ${where}`, values)
  const rows = await sql.query<Row>(
    `select ${columns.join(', ')} from audit_log ${where} order by at desc, id desc
     limit ${query.limit} offset ${query.offset}`,
    values,
  )
  return { rows, total }
}

/** A cell that a spreadsheet does not take for a formula. */
function cell(value: unknown): string {
  const raw =
    value === null || value === undefined
      ? ''
      : value instanceof Date
        ? value.toISOString()
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value)
  const safe = /^[=+\-@\t\r]/.test(raw) ? `'${raw}` : raw
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`

const page = 2000

/** Everything that matches, page by page, so that a long log does not fill the memory. */
export async function* auditCsv(sql: Sql, query: AuditQuery): AsyncGenerator<string> {
  yield csvLine(columns)
  const { where, values } = conditions(query)
  let last: string | undefined
  for (;;) {
    // The row itself says where to go on: its time is finer than the one that reaches us.
    const after = last
      ? `${where === '' ? 'where' : `${where} and`} (at, id) < (select at, id from audit_log where id = $${values.length + 1})`
      : where
    const rows = await sql.query<Row>(
      `select ${columns.join(', ')} from audit_log ${after} order by at desc, id desc limit ${page}`,
      last ? [...values, last] : values,
    )
    if (rows.length > 0) yield rows.map((row) => csvLine(columns.map((name) => row[name]))).join('')
    if (rows.length < page) return
    last = rows.at(-1)?.id
  }
}
