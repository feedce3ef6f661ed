import type { Sql } from '../db/db.ts'
import { type Position, showPosition } from './position.ts'

export interface ChangeRow {
  id: number
  relation: string
  ids: string[]
}

/**
 * Changes after a position, in their order; undefined when some of them are no longer kept. With a snapshot these are
 * exactly the ones it does not hold. A number alone is drawn before its transaction commits, so a slow one may appear
 * behind: those of the last minute come again, which costs a reader one needless look.
 */
export async function changesAfter(
  sql: Sql,
  { id: after, snapshot }: Position,
  limit = 10_000,
): Promise<ChangeRow[] | undefined> {
  const state = await sql.one<{ oldest: string | null; newest: string; known_at: Date | null }>(
    `select (select min(id) from live_changes) as oldest,
       (select case when is_called then last_value else 0 end from live_change_ids) as newest,
       (select at from live_changes where id <= $1 order by id desc limit 1) as known_at`,
    [after],
  )
  // A number from the future belongs to another database (restored, replaced): nothing is known about what was missed.
  if (after > Number(state.newest)) return undefined
  if (after < Number(state.newest) && (state.oldest === null || Number(state.oldest) > after + 1)) return undefined
  type Row = { id: string; relation: string; ids: string[] }
  const rows = snapshot
    ? await sql.query<Row>(
        `select id, relation, ids from live_changes
          where transaction >= $2::xid8 or transaction >= $1::xid8 and transaction = any($3::xid8[]) order by id limit $4`,
        [snapshot.from, snapshot.to, snapshot.open, limit + 1],
      )
    : await sql.query<Row>(
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

/** Where a reader is that has seen everything until now. */
export async function positionNow(sql: Sql): Promise<string> {
  const row = await sql.one<{ newest: string; snapshot: string }>(
    `select case when is_called then last_value else 0 end as newest, pg_current_snapshot()::text as snapshot
       from live_change_ids`,
  )
  return showPosition(row.newest, row.snapshot)
}
