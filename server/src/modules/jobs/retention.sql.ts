import type { Sql } from '../../platform/db/db.ts'

/** Every statement here removes at most `limit` rows and returns how many went, so that no lock is held for long. */
export type Sweep = (sql: Sql, olderThanMs: number, limit: number) => Promise<number>

const nobody = `'00000000-0000-0000-0000-000000000000'`
const cutoff = `now() - $1 * interval '1 millisecond'`

/** Deletes rows of a table by its id. The condition may use $1, the age in milliseconds, through `cutoff`. */
const oldRows =
  (table: string, condition: string, id = 'id'): Sweep =>
  (sql, olderThanMs, limit) =>
    sql.run(`delete from ${table} where ${id} in (select t.${id} from ${table} t where ${condition} limit $2)`, [
      olderThanMs,
      limit,
    ])

export const oldJobHistory = oldRows('job_history', `t.created_at < ${cutoff}`)
export const oldEvents = oldRows('event_queue', `t.created_at < ${cutoff}`)
export const oldSendHistory = oldRows('notification_send_history', `t.created_at < ${cutoff}`)

// What an evidence shows must stay for as long as the evidence. "not exists", because "not in" finds nothing at all
// as soon as one evidence has no such reference (appendix A21).
export const oldChanges = oldRows(
  'config_changes',
  `t.created_at < ${cutoff} and not exists (select from evidences e where e.config_change_id = t.id)`,
)
export const oldAnalysis = oldRows(
  'config_analysis',
  `t.last_observed < ${cutoff} and not exists (select from evidences e where e.config_analysis_id = t.id)`,
)

export const expiredArtifacts = oldRows('artifacts', `t.expires_at < ${cutoff}`)

// Every table that refers to a check without cascading is asked, else one such row would stop the whole sweep (A28).
export const deletedChecks = oldRows(
  'checks',
  `t.deleted_at < ${cutoff}
     and not exists (select from evidences e where e.check_id = t.id)
     and not exists (select from playbook_runs r where r.check_id = t.id)
     and not exists (select from artifacts a where a.check_id = t.id)`,
)
export const deletedCanaries = oldRows(
  'canaries',
  `t.deleted_at < ${cutoff} and not exists (select from checks c where c.canary_id = t.id)`,
)

const rollups =
  (table: string): Sweep =>
  (sql, olderThanMs, limit) =>
    sql.run(
      `delete from ${table} where (check_id, created_at) in (
       select t.check_id, t.created_at from ${table} t where t.created_at < ${cutoff} limit $2)`,
      [olderThanMs, limit],
    )
export const oldHourly = rollups('check_statuses_1h')
export const oldDaily = rollups('check_statuses_1d')

export const oldSessions = oldRows(
  'identity_sessions',
  `t.expires_at < ${cutoff} or (not t.active and t.issued_at < ${cutoff})`,
)
export const oldFlows = oldRows('identity_flows', `t.expires_at < ${cutoff}`)

/** Checks of canaries that are gone; returns how many were soft-deleted. */
export const checksOfDeletedCanaries = (sql: Sql): Promise<number> =>
  sql.run(
    `update checks c set deleted_at = k.deleted_at from canaries k
     where k.id = c.canary_id and k.deleted_at is not null and c.deleted_at is null and c.agent_id = ${nobody}`,
  )

/** Components of topologies that are gone, and the canaries defined inside them. */
export async function componentsOfDeletedTopologies(sql: Sql): Promise<number> {
  const gone = await sql.query<{ id: string }>(
    `update components c set deleted_at = t.deleted_at from topologies t
     where t.id = c.topology_id and t.deleted_at is not null and c.deleted_at is null and c.agent_id = ${nobody} returning c.id`,
  )
  if (gone.length > 0) {
    await sql.run(`update canaries set deleted_at = now() where deleted_at is null and source = any($1::text[])`, [
      gone.map((component) => `component/${component.id}`),
    ])
  }
  return gone.length
}

/**
 * Components soft-deleted long ago, deepest first. One that an evidence or a playbook run points at stays and is
 * detached from its parent; it also leaves its topology, because there its name may belong to a root already. A parent
 * of something that still lives is left alone.
 */
export const deletedComponents: Sweep = async (sql, olderThanMs, limit) => {
  const doomed = await sql.query<{ id: string }>(
    `select t.id from components t
     where t.deleted_at < ${cutoff}
       and not exists (select from evidences e where e.component_id = t.id)
       and not exists (select from playbook_runs r where r.component_id = t.id)
       and not exists (select from components child where child.parent_id = t.id and child.deleted_at is null)
     order by length(coalesce(t.path, '')) desc, t.id limit $2`,
    [olderThanMs, limit],
  )
  const ids = [doomed.map((row) => row.id)]
  if (doomed.length === 0) return 0
  await sql.run(
    `update components set parent_id = null, topology_id = null where parent_id = any($1::uuid[]) and not id = any($1::uuid[])`,
    ids,
  )
  await sql.run(
    'delete from component_relationships where component_id = any($1::uuid[]) or relationship_id = any($1::uuid[])',
    ids,
  )
  return sql.run('delete from components where id = any($1::uuid[])', ids)
}

/** Catalog items soft-deleted long ago that nothing points at, with everything that hangs on them. */
export const deletedConfigItems: Sweep = async (sql, olderThanMs, limit) => {
  const row = await sql.one<{ dropped: number }>(
    `select drop_config_items(array(
       select t.id::text from config_items t
       where t.deleted_at < ${cutoff}
         and not exists (select from evidences e where e.config_id = t.id)
         and not exists (select from evidences e join config_changes c on c.id = e.config_change_id where c.config_id = t.id)
         and not exists (select from evidences e join config_analysis a on a.id = e.config_analysis_id where a.config_id = t.id)
         and not exists (select from playbook_runs r where r.config_id = t.id)
         and not exists (select from components c where c.config_id = t.id)
       limit $2)) as dropped`,
    [olderThanMs, limit],
  )
  return row.dropped
}

/** Rows that agents pushed: the newest `keep` of each job, resource and outcome stay. */
export const surplusOfAgents = (sql: Sql, keep: number, limit: number): Promise<number> =>
  sql.run(
    `delete from job_history where id in (
       select id from (
         select id, row_number() over (
           partition by agent_id, name, resource_type, resource_id, status order by created_at desc, id desc) as place
         from job_history where agent_id <> ${nobody}
       ) ranked where place > $1 limit $2)`,
    [keep, limit],
  )

/** Queue entries that failed for good long ago. */
export const oldFailedTasks: Sweep = (sql, olderThanMs, limit) =>
  sql.run(
    `delete from graphile_worker._private_jobs where id in (
       select id from graphile_worker._private_jobs t
       where t.attempts >= t.max_attempts and t.locked_at is null and t.updated_at < ${cutoff} limit $2)`,
    [olderThanMs, limit],
  )
