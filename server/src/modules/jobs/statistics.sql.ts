import type { JobStatistics } from '@quarterdeck/contract/jobs'
import type { Sql } from '../../platform/db/db.ts'

/** Per name, over the newest runs of each; names are found by jumping through the index. */
export const jobStatistics = (sql: Sql, runsEach: number): Promise<JobStatistics[]> =>
  sql.query<JobStatistics>(
    `select names.name, runs.*, last.status as last_status, last.at as last_run_at,
       failure.at as last_failed_at, failure.error as last_error
     from job_history_names names
     cross join lateral (
       select count(*)::int as runs,
         (count(*) filter (where status = 'SUCCESS'))::int as success,
         (count(*) filter (where status = 'WARNING'))::int as warning,
         (count(*) filter (where status = 'FAILED'))::int as failed,
         (count(*) filter (where status = 'RUNNING'))::int as running,
         (count(*) filter (where status is null or status not in ('SUCCESS', 'WARNING', 'FAILED', 'RUNNING')))::int as other,
         round(avg(duration_millis))::int as average_millis,
         round((percentile_cont(0.95) within group (order by duration_millis))::numeric)::int as p95_millis,
         max(duration_millis) as longest_millis
       from (
         select status, case when status <> 'RUNNING' then duration_millis end as duration_millis
         from job_history where job_history.name = names.name order by created_at desc limit $1
       ) as newest
     ) as runs
     left join lateral (
       select status, coalesce(time_start, created_at) as at
       from job_history where job_history.name = names.name order by created_at desc limit 1
     ) as last on true
     left join lateral (
       select coalesce(time_start, created_at) as at, left(details -> 'errors' ->> 0, 500) as error
       from (
         select * from job_history where job_history.name = names.name order by created_at desc limit $1
       ) as newest
       where status = 'FAILED' order by created_at desc limit 1
     ) as failure on true
     order by names.name`,
    [runsEach],
  )
