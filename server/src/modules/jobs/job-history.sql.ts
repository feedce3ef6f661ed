import type { Sql } from '../../platform/db/db.ts'

export type JobStatus = 'RUNNING' | 'SUCCESS' | 'WARNING' | 'FAILED' | 'STALE' | 'SKIPPED'

export interface HistoryRow {
  name: string
  resourceId: string | null
  resourceType: string | null
  status: JobStatus
  hostname: string
  timeStart: Date
  timeEnd: Date | null
  durationMillis: number | null
  successCount: number
  errorCount: number
  details: Record<string, unknown>
}

/** Returns the row's id. */
export async function insertHistory(sql: Sql, row: HistoryRow): Promise<string> {
  const made = await sql.one<{ id: string }>(
    `insert into job_history (name, resource_id, resource_type, status, hostname, time_start, time_end, duration_millis,
       success_count, error_count, details)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
    [
      row.name,
      row.resourceId,
      row.resourceType,
      row.status,
      row.hostname,
      row.timeStart,
      row.timeEnd,
      row.durationMillis,
      row.successCount,
      row.errorCount,
      JSON.stringify(row.details),
    ],
  )
  return made.id
}

export async function finishHistory(sql: Sql, id: string, row: HistoryRow): Promise<void> {
  await sql.run(
    `update job_history set status = $2, time_end = $3, duration_millis = $4, success_count = $5, error_count = $6, details = $7
     where id = $1`,
    [id, row.status, row.timeEnd, row.durationMillis, row.successCount, row.errorCount, JSON.stringify(row.details)],
  )
}

export interface Ring {
  name: string
  resourceId: string | null
  status: JobStatus
  keep: number
}

/** Deletes what is beyond the newest `keep` rows of each ring. Only rows of this server; those of agents have their own job. */
export async function deleteSurplus(sql: Sql, rings: readonly Ring[]): Promise<number> {
  if (rings.length === 0) return 0
  return sql.run(
    `delete from job_history h using (
       select s.id
       from unnest($1::text[], $2::text[], $3::text[], $4::int[]) as ring(name, resource_id, status, keep)
       cross join lateral (
         select id from job_history
         where name = ring.name and resource_id is not distinct from ring.resource_id and status = ring.status
           and agent_id = '00000000-0000-0000-0000-000000000000'
         order by created_at desc, id desc offset ring.keep
       ) s
     ) surplus
     where h.id = surplus.id`,
    [
      rings.map((ring) => ring.name),
      rings.map((ring) => ring.resourceId),
      rings.map((ring) => ring.status),
      rings.map((ring) => ring.keep),
    ],
  )
}

/** Marks runs as STALE whose worker is gone; `runIds` are history ids taken from its leases. */
export async function markStale(sql: Sql, runIds: readonly string[], reason: string): Promise<number> {
  if (runIds.length === 0) return 0
  return sql.run(
    `update job_history set status = 'STALE', time_end = coalesce(time_end, now()),
       duration_millis = least(2147483647, extract(epoch from now() - time_start) * 1000)::int,
       details = jsonb_set(coalesce(details, '{}'), '{errors}', coalesce(details->'errors', '[]') || to_jsonb($2::text))
     where id = any($1::uuid[]) and status = 'RUNNING'`,
    [runIds, reason],
  )
}

/** Marks every RUNNING row as STALE that began longer ago than any run may take. */
export async function markStaleByAge(sql: Sql, olderThanMs: number): Promise<number> {
  return sql.run(
    `update job_history set status = 'STALE', time_end = coalesce(time_end, now())
     where status = 'RUNNING' and coalesce(time_start, created_at) < now() - $1 * interval '1 millisecond'`,
    [olderThanMs],
  )
}
