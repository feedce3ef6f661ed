import type { DataApi } from '../../data-api/data-api.ts'
import type { AfterWrite, Row } from '../../data-api/hooks.ts'
import { audit } from '../../platform/auth/audit.ts'

/** What a row of each table is called in the audit log, and the column of its name. */
const tables: Record<string, { type: string; name?: string; key?: string }> = {
  topologies: { type: 'topology' },
  logging_backends: { type: 'log backend' },
  incident_rules: { type: 'rule' },
  notifications: { type: 'notification', name: 'title' },
  properties: { type: 'property', key: 'name' },
  teams: { type: 'team' },
  canaries: { type: 'health check' },
  config_scrapers: { type: 'scraper' },
}

/** One line each; a write of more rows than this is one line with their number. */
const most = 50

/** Keeps who added, changed and deleted definitions. What engines and agents write does not come this way. */
export function auditResources(api: Pick<DataApi, 'afterWrite'>): void {
  for (const table of Object.keys(tables)) api.afterWrite(table, record)
}

const record: AfterWrite = async ({ sql, kind, relation, rows, principal }) => {
  const { type, name = 'name', key = 'id' } = tables[relation]!
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const actionOf = (row: Row) => {
    if (kind === 'delete' || row.deleted_at) return 'definition_deleted'
    return kind === 'insert' ? 'definition_added' : 'definition_changed'
  }
  if (rows.length > most) {
    const details = { count: rows.length }
    return audit(sql, { action: actionOf(rows[0]!), actor: principal, target: { type }, details })
  }
  for (const row of rows) {
    const target = { type, id: text(row[key]), name: text(row[name]) }
    await audit(sql, { action: actionOf(row), actor: principal, target, details: { kind: type } })
  }
}
