import type { Sql } from '../../platform/db/db.ts'
import type { CanaryRow, PlannedCheck } from './canary.ts'
import { storableJson } from './results/storable.ts'
import type { TransformedRow } from './run/finish.ts'

const nilAgent = '00000000-0000-0000-0000-000000000000'

export const localCanaryIds = async (sql: Sql): Promise<string[]> =>
  (
    await sql.query<{ id: string }>('select id from canaries where deleted_at is null and agent_id = $1', [nilAgent])
  ).map(({ id }) => id)

export const canariesById = (sql: Sql, ids: readonly string[]) =>
  sql.query<CanaryRow>(
    `select id, name, namespace, labels, annotations,
            case when jsonb_typeof(spec) = 'object' then spec else '{}' end as spec, source from canaries
      where id = any($1::uuid[]) and deleted_at is null and agent_id = $2`,
    [ids, nilAgent],
  )

/** An extra run has begun; one that was asked for since stays. */
export const dropExtraRun = (sql: Sql, canaryId: string, text: string) =>
  sql.run(
    `update canaries set annotations = annotations - 'next-runtime' where id = $1 and annotations ->> 'next-runtime' = $2`,
    [canaryId, text],
  )

export interface CheckRow {
  id: string
  canary_id: string
  type: string
  name: string
  namespace: string | null
  description: string | null
  icon: string | null
  spec: unknown
  labels: Record<string, string> | null
  owner: string | null
  severity: string | null
  transformed: boolean | null
  /** The check whose transform made this one. */
  made_by: string | null
  last_runtime: Date | null
  deleted_at: Date | null
}

export const checksOfCanaries = (sql: Sql, canaryIds: readonly string[]) =>
  sql.query<CheckRow>(
    `select c.id, canary_id, type, name, namespace, description, icon, spec, labels, owner, severity, transformed,
            case when transformed then s.made_by end as made_by, last_runtime, deleted_at
       from checks c left join quarterdeck_health.check_state s on transformed and s.check_id = c.id
      where canary_id = any($1::uuid[]) and agent_id = $2`,
    [canaryIds, nilAgent],
  )

/** Writes the rows of a canary's checks: new and changed ones, and those that came back. */
export async function upsertChecks(sql: Sql, canaryId: string, checks: readonly PlannedCheck[]): Promise<void> {
  if (checks.length === 0) return
  await sql.run(
    `insert into checks (canary_id, type, name, namespace, description, icon, spec, labels, owner, severity, created_at, updated_at)
     select $1, n.*, now(), now()
       from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::jsonb[], $9::text[], $10::text[])
         as n (type, name, namespace, description, icon, spec, labels, owner, severity)
     on conflict (canary_id, type, name, agent_id) do update
        set namespace = excluded.namespace, description = excluded.description, icon = excluded.icon, spec = excluded.spec,
            labels = excluded.labels, owner = excluded.owner, severity = excluded.severity, transformed = null, deleted_at = null`,
    [
      canaryId,
      checks.map((check) => check.type),
      checks.map((check) => check.name),
      checks.map((check) => check.namespace),
      checks.map((check) => check.description),
      checks.map((check) => check.icon),
      checks.map((check) => JSON.stringify(check.raw)),
      checks.map((check) => JSON.stringify(check.labels)),
      checks.map((check) => check.owner),
      checks.map((check) => check.severity),
    ],
  )
}

/** Where rows come from: the canary, and the check whose transform made them. */
export interface Parent {
  canaryId: string
  checkId: string
}

/** Checks a transform made, upserted under their parent's canary; answers the id of each by type and name. */
export async function upsertTransformed(
  sql: Sql,
  { canaryId, checkId }: Parent,
  rows: readonly TransformedRow[],
): Promise<Map<string, string>> {
  const stored = await sql.query<{ id: string; type: string; name: string }>(
    `insert into checks (canary_id, type, name, namespace, description, icon, labels, severity, transformed, created_at, updated_at)
     select k.id, n.type, n.name, coalesce(n.namespace, parent.namespace, k.namespace), n.description, n.icon, n.labels,
            parent.severity, true, now(), now()
       from canaries k
       left join checks parent on parent.id = $8
      cross join unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[])
         as n (type, name, namespace, description, icon, labels)
      where k.id = $1 and k.deleted_at is null
     on conflict (canary_id, type, name, agent_id) do update
        set namespace = excluded.namespace, description = excluded.description, icon = excluded.icon,
            labels = excluded.labels, severity = excluded.severity, deleted_at = null
      where checks.transformed
     returning id, type, name`,
    [
      canaryId,
      rows.map((row) => row.type),
      rows.map((row) => row.name),
      rows.map((row) => row.namespace ?? null),
      rows.map((row) => row.description ?? null),
      rows.map((row) => row.icon ?? null),
      rows.map((row) => storableJson(row.labels)),
      checkId,
    ],
  )
  const ids = new Map(stored.map((row) => [`${row.type}/${row.name}`, row.id]))
  const made = rows.filter((row) => ids.has(`${row.type}/${row.name}`))
  if (made.length > 0) {
    await sql.run(
      `insert into quarterdeck_health.check_state (check_id, delete_strategy, made_by)
       select check_id, strategy, $3 from unnest($1::uuid[], $2::text[]) as n (check_id, strategy)
       on conflict (check_id) do update set delete_strategy = excluded.delete_strategy, made_by = excluded.made_by
        where (check_state.delete_strategy, check_state.made_by)
              is distinct from (excluded.delete_strategy, excluded.made_by)`,
      [made.map((row) => ids.get(`${row.type}/${row.name}`)), made.map((row) => row.deleteStrategy ?? null), checkId],
    )
  }
  return ids
}

/** Checks this transform made earlier and did not name now; those of a webhook are never removed by themselves. */
export const vanishedTransformed = (sql: Sql, { canaryId, checkId }: Parent, keep: readonly string[]) =>
  sql.query<{ id: string; delete_strategy: string | null }>(
    `select c.id, s.delete_strategy from checks c
       left join quarterdeck_health.check_state s on s.check_id = c.id
       left join checks parent on parent.id = s.made_by
      where c.canary_id = $1 and c.transformed and c.deleted_at is null
        and coalesce(parent.type, c.type) <> 'webhook' and coalesce(s.made_by, $2) = $2 and c.id <> all($3::uuid[])`,
    [canaryId, checkId, keep],
  )

export const softDeleteChecks = (sql: Sql, ids: readonly string[]) =>
  sql.run('update checks set deleted_at = now() where id = any($1::uuid[]) and deleted_at is null', [ids])
