import type { Sql } from '../db/db.ts'

export interface ChangeRow {
  id: number
  relation: string
  ids: string[]
}

/**
 * Changes after the one with this number, in their order; undefined when some of them are no longer kept. Numbers are
 * drawn before their transaction commits, so a slow one may appear behind: those of the last minute come again, which
 * costs a reader one needless look.
 */
export async function changesAfter(sql: Sql, after: number, limit = 10_000): Promise<ChangeRow[] | undefined> {
  const state = await sql.one<{ oldest: string | null; newest: string; known_at: Date | null }>(
    `select (select min(id) from live_changes) as oldest,
       (select case when is_called then last_value else 0 end from live_change_ids) as newest,
       (select at from live_changes where id <= $1 order by id desc limit 1) as known_at`,
    [after],
  )
  // A number from the future belongs to another database (restored, replaced): nothing is known about what was missed.
  if (after > Number(state.newest)) return undefined
  if (after < Number(state.newest) && (state.oldest === null || Number(state.oldest) > after + 1)) return undefined
  const rows = await sql.query<{ id: string; relation: string; ids: string[] }>(
    `select id, relation, ids from live_changes
     where id > $1 or at > $2::timestamptz - interval '1 minute' order by id limit $3`,
    [after, state.known_at, limit + 1],
  )
  return rows.length > limit ? undefined : rows.map((row) => ({ ...row, id: Number(row.id) }))
}

export async function newestChange(sql: Sql): Promise<number> {
  const row = await sql.one<{ newest: string }>(
    'select case when is_called then last_value else 0 end as newest from live_change_ids',
  )
  return Number(row.newest)
}
