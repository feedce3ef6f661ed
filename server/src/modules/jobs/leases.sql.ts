import type { Sql } from '../../platform/db/db.ts'

/** A lease says "this run is being worked on"; its holder renews it, and one that is not renewed ends by itself. */
export interface Lease {
  id: string
  job: string
  resourceId: string | null
  workerId: string
  singleton: boolean
}

export const leaseMs = 45_000

/** True when the lease is ours now: a singleton gets it only while no other run holds a live one. */
export async function takeLease(sql: Sql, lease: Lease): Promise<boolean> {
  const rows = await sql.run(
    `insert into quarterdeck_jobs.leases as held (id, job, resource_id, worker_id, singleton, expires_at)
     values ($1, $2, coalesce($3, ''), $4, $5, now() + $6 * interval '1 millisecond')
     on conflict (job, resource_id) where singleton do update
       set id = excluded.id, worker_id = excluded.worker_id, started_at = now(), expires_at = excluded.expires_at, run_id = null
       where held.expires_at < now()`,
    [lease.id, lease.job, lease.resourceId, lease.workerId, lease.singleton, leaseMs],
  )
  return rows === 1
}

/** Ties the lease to its history row, so that the row can be closed when the holder dies. */
export async function nameRun(sql: Sql, leaseId: string, runId: string): Promise<void> {
  await sql.run('update quarterdeck_jobs.leases set run_id = $2 where id = $1', [leaseId, runId])
}

/** False when the lease is no longer ours. */
export async function renewLease(sql: Sql, leaseId: string): Promise<boolean> {
  const rows = await sql.run(
    `update quarterdeck_jobs.leases set expires_at = now() + $2 * interval '1 millisecond' where id = $1`,
    [leaseId, leaseMs],
  )
  return rows === 1
}

export async function endLease(sql: Sql, leaseId: string): Promise<void> {
  await sql.run('delete from quarterdeck_jobs.leases where id = $1', [leaseId])
}

/** Ends the leases of dead workers and returns the history rows they were writing. */
export async function endLeasesOf(sql: Sql, workerIds: readonly string[]): Promise<string[]> {
  return runIds(
    await sql.query<{ run_id: string | null }>(
      'delete from quarterdeck_jobs.leases where worker_id = any($1::text[]) returning run_id',
      [workerIds],
    ),
  )
}

/** The same for leases nobody renewed. */
export async function endExpiredLeases(sql: Sql): Promise<string[]> {
  return runIds(
    await sql.query<{ run_id: string | null }>(
      'delete from quarterdeck_jobs.leases where expires_at < now() returning run_id',
    ),
  )
}

const runIds = (rows: { run_id: string | null }[]) => rows.flatMap((row) => (row.run_id === null ? [] : [row.run_id]))
