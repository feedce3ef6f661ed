import type { Sql } from '../../platform/db/db.ts'

/** The newest stored result, as `last_result()` shows it. */
export async function lastResultOf(sql: Sql, checkId: string): Promise<Record<string, unknown>> {
  const row = await sql.maybeOne<Record<string, unknown>>(
    `select status, coalesce(invalid, false) as invalid, time as "createdAt", duration, coalesce(message, '') as message,
            coalesce(error, '') as error, details as results
       from check_statuses where check_id = $1 order by time desc limit 1`,
    [checkId],
  )
  return row ?? {}
}
