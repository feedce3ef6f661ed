import type { Db } from '../../server/src/platform/db/db.ts'
import type { ApiCase } from '../api/cases.ts'

const order = 'order=created_at.desc'
const page = 'select=*&limit=50&offset=0'
const list = (more: string, at = page, by = order) => `/job_histories?${at}&${by}${more && `&${more}`}`
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const within = (days: number) =>
  `and=${encodeURIComponent(`(created_at.gt."${ago(days)}",created_at.lt."${ago(-1)}")`)}`
const counted = { prefer: 'count=exact' }

/** Every filter of the job history alone, the default, some together, and the tab of one resource. */
export const settingsCases: Record<string, ApiCase> = {
  default: {
    title: 'the page as it opens: no successes, two days',
    path: list(`status.filter=!SUCCESS&${within(2)}`),
    ...counted,
  },
  all: { title: 'no filter at all', path: list(''), ...counted },
  'all-5y': { title: 'every state, five years', path: list(within(5 * 365)), ...counted },
  name: { title: 'one job', path: list('name.filter=Job%207'), ...counted },
  'not-name': { title: 'all but one job', path: list('name.filter=!Job%207'), ...counted },
  'status-failed': { title: 'failures', path: list('status.filter=FAILED'), ...counted },
  'status-success': { title: 'successes', path: list('status.filter=SUCCESS'), ...counted },
  'not-success': { title: 'no successes', path: list('status.filter=!SUCCESS'), ...counted },
  'resource-type': { title: 'one type of resource', path: list('resource_type.filter=topology'), ...counted },
  duration: { title: 'longer than a minute', path: list('duration_millis=gte.60000'), ...counted },
  'duration-short': { title: 'longer than a second', path: list('duration_millis=gte.1000'), ...counted },
  range: { title: 'the last seven days', path: list(within(7)), ...counted },
  together: {
    title: 'job, state, type, duration and range together',
    path: list(
      `name.filter=Job%207&status.filter=FAILED&resource_type.filter=topology&duration_millis=gte.5000&${within(30)}`,
    ),
    ...counted,
  },
  resource: {
    title: 'the tab of one resource',
    path: list(
      'resource_type.filter=canary&resource_id=eq.0190aaaa-0000-7000-8000-000000000005',
      'select=*&limit=150&offset=0',
    ),
    ...counted,
  },
  deep: { title: 'page 20', path: list('', 'select=*&limit=50&offset=950'), ...counted },
  deeper: { title: 'page 1,000', path: list('', 'select=*&limit=50&offset=49950'), ...counted },
  sorted: {
    title: 'longest first',
    path: list(`status.filter=!SUCCESS&${within(2)}`, page, 'order=duration_millis.desc'),
    ...counted,
  },
  names: { title: 'names for the filter', path: '/job_history_names?order=name.asc' },
}

export const historyRows = 1_000_000

/** A million runs of fifty jobs over thirty days; nine of ten succeed, most are about one of a thousand resources. */
export async function seedHistory(db: Db): Promise<void> {
  for (let from = 1; from <= historyRows; from += 100_000) {
    await db.query(
      `insert into job_history (name, status, resource_type, resource_id, duration_millis, success_count, error_count, details, hostname, time_start, time_end, created_at)
       select 'Job ' || n % 50, s.status, s.type, case when s.type is not null then '0190aaaa-0000-7000-8000-' || lpad((n % 1000)::text, 12, '0') end,
         ((n::bigint * 7919) % 120000)::int, n % 5, case s.status when 'SUCCESS' then 0 else 1 end,
         case s.status when 'SUCCESS' then '{}'::jsonb else jsonb_build_object('errors', jsonb_build_array('failure ' || n)) end,
         'host-' || n % 3, t.at, t.at + interval '3 seconds', t.at
       from generate_series(${from}, ${from + 99_999}) n
       cross join lateral (select
         (array['SUCCESS','SUCCESS','SUCCESS','SUCCESS','SUCCESS','SUCCESS','SUCCESS','SUCCESS','SUCCESS','FAILED','WARNING','FAILED'])[n % 12 + 1] as status,
         (array['canary','topology','config_scraper',null])[n % 4 + 1] as type) s
       cross join lateral (select now() - (${historyRows} - n) * interval '2.592 seconds' as at) t`,
    )
  }
  await db.query('vacuum (analyze) job_history')
}
