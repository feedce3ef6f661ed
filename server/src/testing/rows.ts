import type { Sql } from '../platform/db/db.ts'

/** The person that machine-made rows belong to; seeded. */
export const systemPerson = '00000000-0000-4000-8000-000000000001'

type Row = Record<string, unknown>
export type Stored = Row & { id: string }

let counter = 0
const unique = (word: string) => `${word}-${++counter}`

/** Inserts one row and returns it as stored. Objects become JSON; arrays stay arrays. */
export async function insertRow<R extends object = Stored>(sql: Sql, table: string, row: Row): Promise<R> {
  const names = Object.keys(row)
  const values = names.map((name) => {
    const value = row[name]
    return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
      ? JSON.stringify(value)
      : value
  })
  const places = names.map((_, index) => `$${index + 1}`)
  return sql.one<R>(`insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) returning *`, values)
}

/** Ready-made rows for database tests: what is not given gets a value that works. */
export function rows(sql: Sql) {
  const insert = (table: string, row: Row) => insertRow(sql, table, row)
  return {
    insert,
    aPerson: (row: Row = {}) => insert('people', { name: unique('person'), ...row }),
    aTeam: (row: Row = {}) => insert('teams', { name: unique('team'), created_by: systemPerson, ...row }),
    anAgent: (row: Row = {}) => insert('agents', { name: unique('agent'), ...row }),
    aCanary: (row: Row = {}) => insert('canaries', { name: unique('canary'), namespace: 'default', spec: {}, ...row }),
    aCheck: async (row: Row = {}) => {
      const canary_id =
        row.canary_id ?? (await insert('canaries', { name: unique('canary'), namespace: 'default', spec: {} })).id
      return insert('checks', { canary_id, type: 'http', name: unique('check'), ...row })
    },
    aConfig: (row: Row = {}) =>
      insert('config_items', { config_class: 'Pod', type: 'Kubernetes::Pod', name: unique('config'), ...row }),
    aComponent: (row: Row = {}) =>
      insert('components', { name: unique('component'), external_id: unique('external'), status: 'healthy', ...row }),
    anIncident: (row: Row = {}) =>
      insert('incidents', {
        title: unique('incident'),
        description: '',
        severity: 'low',
        type: 'availability',
        status: 'open',
        created_by: systemPerson,
        ...row,
      }),
    aHypothesis: (row: Row & { incident_id: string }) =>
      insert('hypotheses', {
        title: unique('hypothesis'),
        type: 'root',
        status: 'possible',
        created_by: systemPerson,
        ...row,
      }),
    anEvidence: (row: Row & { hypothesis_id: string }) =>
      insert('evidences', { description: '', type: 'comment', created_by: systemPerson, ...row }),
    aPlaybook: (row: Row = {}) => insert('playbooks', { name: unique('playbook'), spec: {}, source: 'UI', ...row }),
    aNotification: (row: Row = {}) => insert('notifications', { events: ['check.failed'], ...row }),
  }
}
