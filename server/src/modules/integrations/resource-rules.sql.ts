import type { Sql } from '../../platform/db/db.ts'

interface Named {
  name: string
  namespace: string | null
}

/** Those of the wanted names that a living row of this server has. `table` is one of ours, never a word of a request. */
export async function takenNames(sql: Sql, table: string, wanted: readonly Named[]): Promise<Named[]> {
  const inNamespace = wanted.some(({ namespace }) => namespace !== null)
  const hasAgent = table === 'topologies' || table === 'logging_backends' || table === 'canaries'
  return sql.query<Named>(
    `select t.name, ${inNamespace ? 't.namespace' : 'null as namespace'}
     from ${table} t
     join unnest($1::text[], $2::text[]) as wanted (name, namespace)
       on wanted.name = t.name ${inNamespace ? 'and wanted.namespace = t.namespace' : ''}
     where t.deleted_at is null
       ${hasAgent ? `and coalesce(t.agent_id, '00000000-0000-0000-0000-000000000000') = '00000000-0000-0000-0000-000000000000'` : ''}
     limit 1`,
    [wanted.map(({ name }) => name), wanted.map(({ namespace }) => namespace)],
  )
}

/** A deleted row makes room for a new one of its name; its own name says since when. */
export const yieldName = (sql: Sql, table: string, name: string): Promise<number> =>
  sql.run(
    `update ${table} set name = name || ' (deleted ' || to_char(deleted_at, 'YYYY-MM-DD HH24:MI:SS') || ', ' || left(id::text, 8) || ')'
     where name = $1 and deleted_at is not null`,
    [name],
  )

/** Those of the ids that are nobody's. */
export async function unknownPeople(sql: Sql, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await sql.query<{ id: string }>(
    `select wanted.id from unnest($1::uuid[]) as wanted (id)
     where not exists (select from people where people.id = wanted.id and people.deleted_at is null)`,
    [ids],
  )
  return rows.map(({ id }) => id)
}

/** Those of the references that lead to no connection: ids, or `connection://` with a name, or a namespace or type before it. */
export async function unknownConnections(sql: Sql, references: readonly string[]): Promise<string[]> {
  if (references.length === 0) return []
  const rows = await sql.query<{ reference: string }>(
    `select wanted.reference
     from unnest($1::text[]) as wanted (reference)
     cross join lateral string_to_array(regexp_replace(wanted.reference, '^connection://', ''), '/') as parts
     where not exists (
       select from connections
       where connections.deleted_at is null and (
         connections.id::text = lower(wanted.reference)
         or (wanted.reference like 'connection://%' and connections.name = parts[cardinality(parts)]
           and (cardinality(parts) = 1 or parts[cardinality(parts) - 1] in (connections.namespace, connections.type))))
     )`,
    [references],
  )
  return rows.map(({ reference }) => reference)
}
