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

/** Where a check runs and under which name: one that a transform made runs with the check that makes it. */
export const checkToRun = (sql: Sql, checkId: string) =>
  sql.maybeOne<{ canary_id: string; name: string; is_local: boolean }>(
    `select c.canary_id, coalesce(maker.name, c.name) as name,
            c.agent_id = '00000000-0000-0000-0000-000000000000' as is_local
       from checks c
       left join quarterdeck_health.check_state s on c.transformed and s.check_id = c.id
       left join checks maker on maker.id = s.made_by and maker.deleted_at is null
      where c.id = $1 and c.deleted_at is null`,
    [checkId],
  )

/** `,"key":value` of a JSON object, or nothing when there is no value. */
const member = (key: string, value: string, json = `to_json(${value})::text`): string =>
  `coalesce(',"${key}":' || ${json}, '')`
/** An address as everybody may read it: a password written into it is for the engine alone. */
const withoutPassword = (address: string): string =>
  `case when strpos(${address}, '@') > 0 then regexp_replace(${address}, '(://[^:/@]*):[^@/]*@', '\\1:***@') else ${address} end`
/** The same for numbers, which are their own JSON. */
const figure = (key: string, value: string): string => member(key, value, `(${value})::text`)

export type SummaryFields = 'all' | 'list'
export interface SummaryFilter {
  checkId?: string
  labels?: Record<string, string>
  /** `list` leaves out what the dashboard does not show. */
  fields?: SummaryFields
}

/**
 * One check as the text of a JSON object; empty fields are left out. Put together as text: with 10,000 checks that takes a
 * third of the time of building objects and stripping their nulls.
 */
function summaryEntry(fields: SummaryFields): string {
  const whole = (...parts: string[]) => (fields === 'all' ? parts : [])
  return [
    `'{"id":"' || c.id || '"'`,
    ...whole(`',"canary_id":"' || c.canary_id || '"'`),
    member('canary_name', 'k.name'),
    ...whole(member('canary_namespace', 'k.namespace')),
    member('name', 'c.name'),
    member('namespace', "coalesce(nullif(c.namespace, ''), k.namespace)"),
    member('type', 'c.type'),
    member('description', "nullif(c.description, '')"),
    ...whole(member('icon', "nullif(c.icon, '')")),
    member('status', 'c.status'),
    member('labels', '', `(coalesce(k.labels, '{}') || coalesce(c.labels, '{}'))::text`),
    ...whole(member('severity', "nullif(c.severity, '')"), member('owner', "nullif(c.owner, '')")),
    member('agent_id', "nullif(c.agent_id, '00000000-0000-0000-0000-000000000000')"),
    member('agent_last_seen', 'a.last_seen'),
    member(
      'endpoint',
      withoutPassword("coalesce(c.spec->>'url', c.spec->>'endpoint', c.spec->>'host', c.spec->>'server')"),
    ),
    `',"uptime":{"passed":' || coalesce(s.passed, 0) || ',"failed":' || coalesce(s.failed, 0)`,
    ...whole(member('last_pass', 's.last_pass'), member('last_fail', 's.last_fail')),
    `'}'`,
    ...(fields === 'all'
      ? [
          `',"latency":{"rolling1h":0'`,
          figure('p99', 's.p99'),
          figure('p95', 's.p95'),
          figure('p50', 's.p50'),
          figure('avg', 'round(s.mean)'),
          `'}'`,
        ]
      : [`coalesce(',"latency":{"p95":' || s.p95 || '}', '')`]),
    member('last_runtime', 'c.last_runtime'),
    member('next_runtime', 'c.next_runtime'),
    member('last_transition_time', 'c.last_transition_time'),
    `case when k.annotations->>'suspend' = 'true' or k.spec->>'replicas' = '0' then ',"suspended":true' else '' end`,
    ...whole(
      member('created_at', 'c.created_at'),
      member('updated_at', 'c.updated_at'),
      member('silenced_at', 'c.silenced_at'),
    ),
    `'}'`,
  ].join(' || ')
}
const entries: Record<SummaryFields, string> = { all: summaryEntry('all'), list: summaryEntry('list') }

/** Every live check with its last hour, as the text of a JSON list that goes through this process untouched. */
export async function summaryJson(sql: Sql, { checkId, labels, fields = 'all' }: SummaryFilter): Promise<string> {
  const { list } = await sql.one<{ list: string }>(
    `select '[' || coalesce(string_agg(entry, ','), '') || ']' as list from (
       select ${entries[fields]} as entry
         from checks c
         join canaries k on k.id = c.canary_id
         left join check_status_summary s on s.check_id = c.id
         left join agents a on a.id = c.agent_id and a.id <> '00000000-0000-0000-0000-000000000000'
        where c.deleted_at is null and k.deleted_at is null
          and ($1::uuid is null or c.id = $1)
          and ($2::jsonb is null or coalesce(k.labels, '{}') || coalesce(c.labels, '{}') @> $2)
        order by c.name, c.id
     ) as summary`,
    [checkId ?? null, labels ? JSON.stringify(labels) : null],
  )
  return list
}

/** What the summary leaves out of a check, because lists do not show it. */
export const restOfCheck = (sql: Sql, checkId: string) =>
  sql.maybeOne<{
    spec: unknown
    deleted_at: Date | null
    components: { id: string; name: string; icon: string | null }[]
    configs: { id: string; name: string; type: string }[]
  }>(
    `select spec, deleted_at,
            coalesce((select jsonb_agg(distinct jsonb_build_object('id', o.id, 'name', o.name, 'icon', o.icon))
                        from check_component_relationships r join components o on o.id = r.component_id
                       where r.check_id = c.id and r.deleted_at is null and o.deleted_at is null), '[]') as components,
            coalesce((select jsonb_agg(distinct jsonb_build_object('id', o.id, 'name', o.name, 'type', o.type))
                        from check_config_relationships r join config_items o on o.id = r.config_id
                       where r.check_id = c.id and r.deleted_at is null and o.deleted_at is null), '[]') as configs
       from checks c where id = $1`,
    [checkId],
  )

export interface GraphPoint {
  time: Date
  status: boolean
  duration: number
  passed: number
  failed: number
}

export interface GraphTotals {
  passed: number
  failed: number
  p95: number | null
  p97: number | null
  p99: number | null
}

/** Points of one check from its single runs. */
export const pointsFromRuns = (sql: Sql, checkId: string, from: Date, to: Date, stepMs: number) =>
  sql.query<GraphPoint>(
    `select to_timestamp(floor((extract(epoch from time) + $4 / 2000.0) / ($4 / 1000.0)) * ($4 / 1000.0)) as time,
            bool_and(coalesce(status, false)) as status, round(avg(duration))::int as duration,
            count(*) filter (where status)::int as passed, count(*) filter (where status is not true)::int as failed
       from check_statuses where check_id = $1 and time >= $2 and time <= $3
      group by 1 order by 1`,
    [checkId, from, to, stepMs],
  )

export const totalsFromRuns = (sql: Sql, checkId: string, from: Date, to: Date) =>
  sql.one<GraphTotals>(
    `select count(*) filter (where status)::int as passed, count(*) filter (where status is not true)::int as failed,
            percentile_disc(0.95) within group (order by duration) as p95,
            percentile_disc(0.97) within group (order by duration) as p97,
            percentile_disc(0.99) within group (order by duration) as p99
       from check_statuses where check_id = $1 and time >= $2 and time <= $3`,
    [checkId, from, to],
  )

const rollUps = { hours: 'check_statuses_1h', days: 'check_statuses_1d' } as const
const bucketOf = { hours: "'hour'", days: "'day'" } as const

/** Points from a roll-up. The bucket the range begins in counts whole, so a range never starts with a hole. */
export const pointsFromRollUp = (
  sql: Sql,
  source: 'hours' | 'days',
  checkId: string,
  from: Date,
  to: Date,
  stepMs: number,
) =>
  sql.query<GraphPoint>(
    `select to_timestamp(floor(extract(epoch from created_at) / ($4 / 1000.0)) * ($4 / 1000.0)) as time,
            sum(failed) = 0 as status, round(sum(duration)::numeric / nullif(sum(total), 0))::int as duration,
            sum(passed)::int as passed, sum(failed)::int as failed
       from ${rollUps[source]}
      where check_id = $1 and created_at >= date_trunc(${bucketOf[source]}, $2::timestamptz, 'UTC') and created_at <= $3
      group by 1 order by 1`,
    [checkId, from, to, stepMs],
  )

export const totalsFromRollUp = (sql: Sql, source: 'hours' | 'days', checkId: string, from: Date, to: Date) =>
  sql.one<GraphTotals>(
    `select coalesce(passed, 0)::int as passed, coalesce(failed, 0)::int as failed,
            latency_percentile(latency, 0.95) as p95, latency_percentile(latency, 0.97) as p97,
            latency_percentile(latency, 0.99) as p99
       from (select sum(passed) as passed, sum(failed) as failed, latency_merge(latency) as latency
               from ${rollUps[source]}
              where check_id = $1 and created_at >= date_trunc(${bucketOf[source]}, $2::timestamptz, 'UTC')
                and created_at <= $3) as merged`,
    [checkId, from, to],
  )

/** How well the engine kept this check's times, over the newest runs. */
export const punctualityOf = (sql: Sql, checkId: string) =>
  sql.one<{ lag_p99: number | null; missed: number; last_missed_at: Date | null }>(
    `select (select percentile_disc(0.99) within group (order by lag)
               from (select lag from check_statuses where check_id = $1 and lag is not null order by time desc limit 500) as newest) as lag_p99,
            coalesce((select missed from quarterdeck_health.check_state where check_id = $1), 0)::int as missed,
            (select last_missed_at from quarterdeck_health.check_state where check_id = $1) as last_missed_at`,
    [checkId],
  )

export const checkExists = async (sql: Sql, checkId: string): Promise<boolean> =>
  (await sql.maybeOne('select from checks where id = $1', [checkId])) !== undefined

/** Runs with their words, newest first, for evidence and for details of one moment. */
export const runsOf = (sql: Sql, checkId: string, from: Date, to: Date, limit: number) =>
  sql.query(
    `select time, status, duration, coalesce(message, '') as message, coalesce(error, '') as error, invalid, details as detail
       from check_statuses where check_id = $1 and time >= $2 and time <= $3 order by time desc limit $4`,
    [checkId, from, to, limit],
  )
