import type { Sql } from '../../../platform/db/db.ts'
import { storableJson } from './storable.ts'

export interface StoredResult {
  checkId: string
  /** Milliseconds since 1970; stored to the second, as the wire has it. */
  time: number
  pass: boolean
  invalid: boolean
  duration: number
  message: string | null
  error: string | null
  /** JSON text, or null. */
  details: string | null
  severity: string | null
  lag: number | null
  nextRuntime: number | null
  /** Labels the result added; null leaves the row's labels alone. */
  labels: Record<string, string> | null
}

const at = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())
const toSecond = (time: number): number => Math.floor(time / 1000) * 1000

/** Newest result of each check: only that one moves the row of the check. */
function newestPerCheck(results: readonly StoredResult[]): StoredResult[] {
  const newest = new Map<string, StoredResult>()
  for (const result of results) {
    const known = newest.get(result.checkId)
    if (!known || known.time <= result.time) newest.set(result.checkId, result)
  }
  return [...newest.values()]
}

/**
 * Stores a batch in one statement: the history rows (triggers keep roll-ups and the last-hour summary), then the
 * newest result on each check. Checks deleted in the meantime are left out, so that one of them does not lose the
 * batch. A state from the future, left behind by a clock that was set back, gives way.
 */
export async function storeResults(sql: Sql, results: readonly StoredResult[]): Promise<void> {
  const newest = newestPerCheck(results)
  await sql.run(
    `with history as (
       select r.* from unnest($1::uuid[], $2::timestamptz[], $3::bool[], $4::bool[], $5::int[], $6::text[], $7::text[],
                              $8::jsonb[], $9::text[], $10::int[])
         as r (check_id, time, status, invalid, duration, message, error, details, severity, lag)
       where exists (select from checks c where c.id = r.check_id)
     ), stored as (
       insert into check_statuses (check_id, time, status, invalid, duration, message, error, details, severity, lag)
       select * from history on conflict (check_id, time) do nothing
     )
     update checks c
        set status = case when n.status then 'healthy' else 'unhealthy' end,
            last_runtime = n.time, next_runtime = n.next_runtime,
            labels = case when n.labels is null then c.labels else coalesce(c.labels, '{}') || n.labels end
       from unnest($11::uuid[], $12::timestamptz[], $13::bool[], $14::timestamptz[], $15::jsonb[])
         as n (check_id, time, status, next_runtime, labels)
      where c.id = n.check_id
        and (c.last_runtime is null or c.last_runtime <= n.time or c.last_runtime > now() + interval '1 minute')`,
    [
      results.map((each) => each.checkId),
      results.map((each) => at(toSecond(each.time))),
      results.map((each) => each.pass),
      results.map((each) => each.invalid),
      results.map((each) => Math.min(Math.max(0, Math.round(each.duration)) || 0, 2 ** 31 - 1)),
      results.map((each) => each.message),
      results.map((each) => each.error),
      results.map((each) => each.details),
      results.map((each) => each.severity),
      results.map((each) => each.lag),
      newest.map((each) => each.checkId),
      newest.map((each) => at(each.time)),
      newest.map((each) => each.pass),
      newest.map((each) => at(each.nextRuntime)),
      newest.map((each) => storableJson(each.labels)),
    ],
  )
}

/** Adds runs that were due and did not happen. */
export const addMissed = (sql: Sql, missed: ReadonlyMap<string, number>) =>
  sql.run(
    `insert into quarterdeck_health.check_state (check_id, missed, last_missed_at)
     select m.check_id, m.missed, now() from unnest($1::uuid[], $2::bigint[]) as m (check_id, missed)
      where exists (select from checks c where c.id = m.check_id)
     on conflict (check_id) do update
        set missed = check_state.missed + excluded.missed, last_missed_at = excluded.last_missed_at`,
    [[...missed.keys()], [...missed.values()]],
  )
