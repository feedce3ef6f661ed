import type { Sql } from '../../platform/db/db.ts'

/** Those of these sessions that may still be used. */
export async function liveSessions(sql: Sql, ids: readonly string[], now: Date): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await sql.query<{ id: string }>(
    'select id from identity_sessions where id = any($1::uuid[]) and active and expires_at > $2',
    [ids, now],
  )
  return new Set(rows.map((row) => row.id))
}

/** The stored roles of those of these people who may still act. */
export async function activeRoles(sql: Sql, people: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await sql.query<{ id: string; roles: string[] }>(
    `select p.id, array(select r.v1 from casbin_rule r where r.ptype = 'g' and r.v0 = p.id::text) as roles
     from people p left join identities i on i.id = p.id
     where p.id = any($1::uuid[]) and p.deleted_at is null and coalesce(i.state, 'active') = 'active'`,
    [people],
  )
  return new Map(rows.map((row) => [row.id, row.roles]))
}
