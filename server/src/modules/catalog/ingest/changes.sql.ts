import type { Sql } from '../../../platform/db/db.ts'
import type { Json } from './canonical.ts'

export interface ChangeRow {
  id: string
  config_id: string
  external_change_id: string | null
  external_created_by: string | null
  change_type: string
  severity: string | null
  source: string | null
  summary: string | null
  patches: Json
  diff: string | null
  details: Json
  created_by: string | null
  created_at: Date
  first_observed: Date
  count: number
  fingerprint: string | null
}

const columns = `id uuid, config_id uuid, external_change_id text, external_created_by text, change_type text, severity text,
  source text, summary text, patches jsonb, diff text, details jsonb, created_by uuid, created_at timestamptz,
  first_observed timestamptz, count integer, fingerprint text`
const names = columns.replace(/ (uuid|text|jsonb|timestamptz|integer)(?=,|$)/g, '')

/** New changes; one whose id in the source is stored already is left alone. Answers the ids that were stored. */
export async function insertChanges(sql: Sql, rows: readonly ChangeRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const stored = await sql.query<{ id: string }>(
    `insert into config_changes (${names}) select ${names} from json_to_recordset($1) as change (${columns})
     on conflict (config_id, external_change_id) do nothing returning id`,
    [JSON.stringify(rows)],
  )
  return new Set(stored.map(({ id }) => id))
}

/** Repetitions: the row shows the newest one, its count grows by `count`, first_observed stays. */
export const foldChanges = (sql: Sql, rows: readonly ChangeRow[]): Promise<number> =>
  rows.length === 0
    ? Promise.resolve(0)
    : sql.run(
        `update config_changes c set count = c.count + change.count, created_at = greatest(c.created_at, change.created_at),
           change_type = change.change_type, created_by = change.created_by, external_created_by = change.external_created_by,
           details = change.details, diff = change.diff, patches = coalesce(change.patches, c.patches),
           severity = change.severity, source = change.source, summary = change.summary
         from json_to_recordset($1) as change (${columns}) where c.id = change.id`,
        [JSON.stringify(rows)],
      )

/** The same change told again by its source with more to say. */
export const replaceChanges = (sql: Sql, rows: readonly ChangeRow[]): Promise<number> =>
  rows.length === 0
    ? Promise.resolve(0)
    : sql.run(
        `update config_changes c set created_at = change.created_at, change_type = change.change_type,
           created_by = change.created_by, external_created_by = change.external_created_by, details = change.details,
           diff = change.diff, patches = change.patches, severity = change.severity, source = change.source,
           summary = change.summary
         from json_to_recordset($1) as change (${columns})
         where c.id = change.id and (c.change_type, c.severity, c.summary, c.details, c.patches, c.created_at) is distinct from
           (change.change_type, change.severity, change.summary, change.details, change.patches, change.created_at)`,
        [JSON.stringify(rows)],
      )

export interface Pair {
  config_id: string
  key: string
}

/** Changes stored under these ids of their source, folded ones included. */
export const storedBySourceId = (sql: Sql, pairs: readonly Pair[]): Promise<(Pair & { change_id: string })[]> =>
  pairs.length === 0
    ? Promise.resolve([])
    : sql.query(
        `with wanted as (select * from unnest($1::uuid[], $2::text[]) as pair (config_id, key))
         select c.config_id, c.external_change_id as key, c.id as change_id
           from wanted join config_changes c on c.config_id = wanted.config_id and c.external_change_id = wanted.key
         union all
         select a.config_id, a.external_change_id, a.change_id
           from wanted join config_change_aliases a on a.config_id = wanted.config_id and a.external_change_id = wanted.key`,
        [pairs.map((pair) => pair.config_id), pairs.map((pair) => pair.key)],
      )

/** The stored change each fingerprint was last folded into, and when that was. */
export const storedByFingerprint = (
  sql: Sql,
  pairs: readonly Pair[],
): Promise<(Pair & { change_id: string; seen_at: Date })[]> =>
  pairs.length === 0
    ? Promise.resolve([])
    : sql.query(
        `select f.config_id, f.fingerprint as key, f.change_id, f.seen_at
           from unnest($1::uuid[], $2::text[]) as pair (config_id, key)
           join config_change_fingerprints f on f.config_id = pair.config_id and f.fingerprint = pair.key
           join config_changes c on c.id = f.change_id
          -- Retention must not take the change away before it is counted up.
          order by f.config_id, f.fingerprint for update of f, c`,
        [pairs.map((pair) => pair.config_id), pairs.map((pair) => pair.key)],
      )

export async function writeFingerprints(
  sql: Sql,
  rows: readonly { config_id: string; fingerprint: string; change_id: string; seen_at: Date }[],
): Promise<void> {
  if (rows.length === 0) return
  await sql.run(
    `insert into config_change_fingerprints (config_id, fingerprint, change_id, seen_at)
     select distinct on (config_id, fingerprint) config_id, fingerprint, change_id, seen_at
       from unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[]) as row (config_id, fingerprint, change_id, seen_at)
      order by config_id, fingerprint, seen_at desc
     on conflict (config_id, fingerprint) do update set change_id = excluded.change_id, seen_at = excluded.seen_at`,
    [
      rows.map((row) => row.config_id),
      rows.map((row) => row.fingerprint),
      rows.map((row) => row.change_id),
      rows.map((row) => row.seen_at),
    ],
  )
}

export async function writeAliases(
  sql: Sql,
  rows: readonly { config_id: string; external_change_id: string; change_id: string }[],
): Promise<void> {
  if (rows.length === 0) return
  await sql.run(
    `insert into config_change_aliases (config_id, external_change_id, change_id)
     select * from unnest($1::uuid[], $2::text[], $3::uuid[]) on conflict do nothing`,
    [rows.map((row) => row.config_id), rows.map((row) => row.external_change_id), rows.map((row) => row.change_id)],
  )
}

export interface UndoRow {
  config_id: string
  step: number
  change_id: string | null
  undo: Json
}

export const undosOf = (sql: Sql, changeIds: readonly string[]): Promise<(UndoRow & { change_id: string })[]> =>
  changeIds.length === 0
    ? Promise.resolve([])
    : sql.query(
        `select config_id, step, change_id, undo from config_change_undos where change_id = any($1::uuid[]) order by config_id, step`,
        [changeIds],
      )

export async function writeUndos(sql: Sql, rows: readonly UndoRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql.run(
    `insert into config_change_undos (config_id, step, change_id, undo)
     select config_id, step, change_id, undo
       from json_to_recordset($1) as undo (config_id uuid, step integer, change_id uuid, undo jsonb)
     on conflict (config_id, step) do update set change_id = excluded.change_id, undo = excluded.undo`,
    [JSON.stringify(rows)],
  )
}

export const peopleByEmail = (sql: Sql, emails: readonly string[]): Promise<{ id: string; email: string }[]> =>
  emails.length === 0
    ? Promise.resolve([])
    : sql.query('select id, lower(email) as email from people where lower(email) = any($1::text[])', [emails])
