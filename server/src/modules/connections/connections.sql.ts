import type { Sql } from '../../platform/db/db.ts'
import type { Named } from './references.ts'

/** A document that holds the name or id of a connection somewhere in its text. */
export interface Candidate {
  kind: string
  table: string
  id: string
  name: string
  namespace: string | null
  document: unknown
}

const part = (kind: string, table: string, document: string, { name = 'name', namespace = 'null::text' } = {}) =>
  `select '${kind}' as kind, '${table}' as table, id, ${name} as name, ${namespace} as namespace, ${document} as document
   from ${table} where deleted_at is null and (${document})::text ilike any($1::text[])`

const own = { namespace: 'namespace' }
const documents = [
  part('health check', 'canaries', 'spec', own),
  part('scraper', 'config_scrapers', 'spec'),
  part('topology', 'topologies', 'spec', own),
  part('playbook', 'playbooks', 'spec', { ...own, name: `coalesce(nullif(title, ''), name)` }),
  part('notification', 'notifications', `jsonb_build_array(custom_services, properties)`, {
    name: `coalesce(nullif(title, ''), 'on ' || array_to_string(events, ', '))`,
  }),
  part('team', 'teams', 'spec'),
  part('log backend', 'logging_backends', 'spec'),
  part('rule', 'incident_rules', 'spec'),
  part('connection', 'connections', 'properties', own),
]

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

/** Documents that may name the connection; whether they do is decided by reading them. */
export function documentsNaming(sql: Sql, { id, name }: Named): Promise<Candidate[]> {
  // As the name stands inside JSON.
  const inside = escaped(JSON.stringify(name).slice(1, -1))
  const patterns = [`%connection://%${inside}%`, `%"awsConnectionName"%${inside}%`, `%${id}%`]
  return sql.query<Candidate>(`${documents.join('\nunion all\n')}\norder by kind, name`, [patterns])
}

export const connectionNamed = (sql: Sql, name: string, namespace: string) =>
  sql.maybeOne<{ id: string }>('select id from connections where name = $1 and namespace = $2 and deleted_at is null', [
    name,
    namespace,
  ])

export interface UsedConnection extends Named {
  last_used_at: Date | null
  last_used_by: string | null
}

export const connectionWithUse = (sql: Sql, id: string) =>
  sql.maybeOne<UsedConnection>(
    `select id, name, namespace, type, last_used_at, last_used_by from connections where id = $1 and deleted_at is null`,
    [id],
  )
