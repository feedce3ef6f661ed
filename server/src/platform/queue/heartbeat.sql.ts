import type { Sql } from '../db/db.ts'

export interface WorkerIdentity {
  workerId: string
  hostname: string
  roles: readonly string[]
}

/** False when the row was gone: somebody took this worker for dead and gave its work away. */
export async function beat(sql: Sql, worker: WorkerIdentity): Promise<boolean> {
  const row = await sql.one<{ fresh: boolean }>(
    `insert into worker_heartbeats (worker_id, hostname, roles) values ($1, $2, $3)
     on conflict (worker_id) do update set seen_at = now()
     returning xmax = 0 as fresh`,
    [worker.workerId, worker.hostname, worker.roles],
  )
  return !row.fresh
}

export async function signOff(sql: Sql, workerId: string): Promise<void> {
  await sql.run('delete from worker_heartbeats where worker_id = $1', [workerId])
}

/** Removes the rows of silent and of known dead workers and returns their ids; each is handed to exactly one caller. */
export async function takeSilentWorkers(sql: Sql, silentForMs: number, gone: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ worker_id: string }>(
    `delete from worker_heartbeats where worker_id in (
       select worker_id from worker_heartbeats
       where seen_at < now() - $1 * interval '1 millisecond' or worker_id = any($2::text[]) for update skip locked)
     returning worker_id`,
    [silentForMs, gone],
  )
  return rows.map((row) => row.worker_id)
}

export async function workersOn(sql: Sql, hostname: string): Promise<string[]> {
  const rows = await sql.query<{ worker_id: string }>('select worker_id from worker_heartbeats where hostname = $1', [
    hostname,
  ])
  return rows.map((row) => row.worker_id)
}

/** Holders of locks that no heartbeat vouches for, such as workers that died before this table knew them. */
export async function orphanedLockHolders(sql: Sql, silentForMs: number): Promise<string[]> {
  const rows = await sql.query<{ locked_by: string }>(
    `select distinct locked_by from graphile_worker._private_jobs
     where locked_by is not null and locked_at < now() - $1 * interval '1 millisecond'
       and not exists (select from worker_heartbeats where worker_id = locked_by)`,
    [silentForMs],
  )
  return rows.map((row) => row.locked_by)
}

export async function unlockJobsOf(sql: Sql, workerIds: readonly string[]): Promise<void> {
  await sql.query('select graphile_worker.force_unlock_workers($1::text[])', [workerIds])
}

/** Stops a running job from being tried again once it fails. */
export async function lastAttempt(sql: Sql, jobId: string): Promise<void> {
  await sql.run('update graphile_worker._private_jobs set max_attempts = attempts where id = $1', [jobId])
}
