import type { Sql } from '../../platform/db/db.ts'

export interface ScheduleTime {
  key: string
  schedule: string
  next_run_at: Date | null
  last_run_at: Date | null
}

/** Times of the jobs of the whole server. */
export const scheduleTimes = (sql: Sql): Promise<ScheduleTime[]> =>
  sql.query<ScheduleTime>(
    'select key, schedule, next_run_at, last_run_at from quarterdeck_jobs.schedules where resource_id is null',
  )

export interface FailedTask {
  id: string
  task: string
  attempts: number
  last_error: string | null
  created_at: Date
  last_attempt: Date
}

const failed = 'j.attempts >= j.max_attempts and j.locked_at is null'

/** Without payloads: they may hold what not everybody should read. */
export const failedTasks = (sql: Sql, limit: number): Promise<FailedTask[]> =>
  sql.query<FailedTask>(
    `select j.id::text, t.identifier as task, j.attempts, j.last_error, j.created_at, j.updated_at as last_attempt
     from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where ${failed} order by j.updated_at desc, j.id desc limit $1`,
    [limit],
  )

/** Makes a failed task due at once, with as many tries as it had; undefined when there is none. */
export async function retryTask(sql: Sql, id: string): Promise<{ task: string } | undefined> {
  const row = await sql.maybeOne<{ task: string }>(
    `update graphile_worker._private_jobs j set attempts = 0, run_at = now(), last_error = null
     from graphile_worker._private_tasks t where t.id = j.task_id and j.id = $1 and ${failed} returning t.identifier as task`,
    [id],
  )
  if (row) await sql.query(`select pg_notify('jobs:insert', '{"count":1}')`)
  return row
}

export const discardTask = (sql: Sql, id: string): Promise<{ task: string } | undefined> =>
  sql.maybeOne<{ task: string }>(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.id = j.task_id and j.id = $1 and ${failed} returning t.identifier as task`,
    [id],
  )
