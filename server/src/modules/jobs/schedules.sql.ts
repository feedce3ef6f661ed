import type { Sql } from '../../platform/db/db.ts'

export interface ScheduleRow {
  key: string
  job: string
  resource_id: string | null
  schedule: string
  next_run_at: Date | null
}

export interface WantedSchedule {
  key: string
  job: string
  resourceId: string | null
  schedule: string
  nextRunAt: Date | null
}

/** Adds schedules that are new and moves those whose text changed; the others keep their time. */
export async function upsertSchedules(sql: Sql, wanted: readonly WantedSchedule[]): Promise<void> {
  if (wanted.length === 0) return
  await sql.run(
    `insert into quarterdeck_jobs.schedules as kept (key, job, resource_id, schedule, next_run_at)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
     on conflict (key) do update set schedule = excluded.schedule, next_run_at = excluded.next_run_at
       where kept.schedule <> excluded.schedule`,
    [
      wanted.map((each) => each.key),
      wanted.map((each) => each.job),
      wanted.map((each) => each.resourceId),
      wanted.map((each) => each.schedule),
      wanted.map((each) => each.nextRunAt),
    ],
  )
}

/** Locks what is due for this transaction; rows another process holds are left to it. */
export function claimDue(sql: Sql, jobs: readonly string[], now: Date, limit: number): Promise<ScheduleRow[]> {
  return sql.query<ScheduleRow>(
    `select key, job, resource_id, schedule, next_run_at from quarterdeck_jobs.schedules
     where next_run_at <= $2 and job = any($1::text[])
     order by next_run_at limit $3 for update skip locked`,
    [jobs, now, limit],
  )
}

export async function advance(sql: Sql, rows: readonly { key: string; next: Date | null }[], now: Date): Promise<void> {
  await sql.run(
    `update quarterdeck_jobs.schedules s set next_run_at = n.next_run_at, last_run_at = $3
     from unnest($1::text[], $2::timestamptz[]) as n(key, next_run_at) where s.key = n.key`,
    [rows.map((row) => row.key), rows.map((row) => row.next), now],
  )
}

export async function earliestDue(sql: Sql, jobs: readonly string[]): Promise<Date | undefined> {
  const row = await sql.maybeOne<{ next_run_at: Date | null }>(
    'select min(next_run_at) as next_run_at from quarterdeck_jobs.schedules where job = any($1::text[])',
    [jobs],
  )
  return row?.next_run_at ?? undefined
}

/** True for one caller: the run at start belongs to the first of several processes that start together. */
export async function takeStart(sql: Sql, key: string, now: Date, notWithinMs: number): Promise<boolean> {
  const rows = await sql.run(
    `update quarterdeck_jobs.schedules set last_run_at = $2
     where key = $1 and (last_run_at is null or last_run_at < $2::timestamptz - $3 * interval '1 millisecond')`,
    [key, now, notWithinMs],
  )
  return rows === 1
}

/** Resources of a job that are scheduled now. */
export async function scheduledResources(sql: Sql, job: string): Promise<string[]> {
  const rows = await sql.query<{ resource_id: string }>(
    'select resource_id from quarterdeck_jobs.schedules where job = $1 and resource_id is not null',
    [job],
  )
  return rows.map((row) => row.resource_id)
}

export async function deleteSchedules(sql: Sql, keys: readonly string[]): Promise<void> {
  await sql.run('delete from quarterdeck_jobs.schedules where key = any($1::text[])', [keys])
}

export async function knownSchedules(sql: Sql, keys: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ key: string }>(
    'select key from quarterdeck_jobs.schedules where key = any($1::text[])',
    [keys],
  )
  return new Set(rows.map((row) => row.key))
}
