import type { Sql } from '../db/db.ts'

export interface ConnectionRow {
  id: string
  name: string
  namespace: string
  type: string
  url: string | null
  username: string | null
  password: string | null
  certificate: string | null
  properties: Record<string, unknown> | null
  insecure_tls: boolean | null
}

const columns = 'id, name, namespace, type, url, username, password, certificate, properties, insecure_tls'
const live = `select ${columns} from connections where deleted_at is null`

export const connectionById = (sql: Sql, id: string) => sql.maybeOne<ConnectionRow>(`${live} and id = $1`, [id])

export const connectionByName = (sql: Sql, namespace: string, name: string) =>
  sql.maybeOne<ConnectionRow>(`${live} and namespace = $1 and name = $2`, [namespace, name])

/** The old spelling names the type; the namespace of the document is preferred, then the oldest. */
export const connectionByType = (sql: Sql, type: string, name: string, namespace: string) =>
  sql.maybeOne<ConnectionRow>(`${live} and type = $1 and name = $2 order by namespace <> $3, created_at limit 1`, [
    type,
    name,
    namespace,
  ])

export const connectionByTypeAndNamespace = (sql: Sql, type: string, namespace: string, name: string) =>
  sql.maybeOne<ConnectionRow>(`${live} and type = $1 and namespace = $2 and name = $3`, [type, namespace, name])

/** At most every five minutes, so that thousands of checks do not write one row thousands of times. */
export const recordConnectionUse = (sql: Sql, id: string, by: string, at: Date) =>
  sql.run(
    `update connections set last_used_at = $3, last_used_by = $2
     where id = $1 and (last_used_at is null or last_used_at < $3::timestamptz - interval '5 minutes' or last_used_by is distinct from $2)`,
    [id, by, at],
  )
