-- Recomputes the summary rows of these checks from the results of the last hour, or from the newest result when the
-- hour has none. Times of the last pass and failure are kept when they are older than the hour.
create function refresh_check_status_summary(check_ids uuid[]) returns integer language plpgsql as $$
declare
  written integer;
begin
  insert into check_status_summary as known
    (check_id, p99, p95, p50, mean, passed, failed, last_check, last_pass, last_fail, refreshed_at)
  select wanted.id, percentiles[1], percentiles[2], percentiles[3], mean, passed, failed, last_check, last_pass, last_fail, now()
  from (select distinct id from unnest(check_ids) as id order by id) as wanted
  cross join lateral (
    select percentile_disc(array[0.99, 0.95, 0.5]) within group (order by duration) as percentiles,
      avg(duration) as mean, count(*) as total, count(*) filter (where status) as passed,
      count(*) filter (where not status) as failed, max(time) as last_check,
      max(time) filter (where status) as last_pass, max(time) filter (where not status) as last_fail
    from check_statuses
    where check_id = wanted.id and time > now() - interval '1 hour' and time < now() + interval '1 day'
  ) as hour
  where hour.total > 0
  on conflict (check_id) do update set
    p99 = excluded.p99, p95 = excluded.p95, p50 = excluded.p50, mean = excluded.mean,
    passed = excluded.passed, failed = excluded.failed,
    last_check = greatest(known.last_check, excluded.last_check),
    last_pass = greatest(known.last_pass, excluded.last_pass),
    last_fail = greatest(known.last_fail, excluded.last_fail),
    refreshed_at = excluded.refreshed_at;
  get diagnostics written = row_count;

  if written < (select count(distinct id) from unnest(check_ids) as id) then
    insert into check_status_summary as known
      (check_id, p99, p95, p50, mean, passed, failed, last_check, last_pass, last_fail, refreshed_at)
    select wanted.id, duration, duration, duration, duration, status::int, (not status)::int, newest.time,
      case when status then newest.time end, case when not status then newest.time end, now()
    from (select distinct id from unnest(check_ids) as id order by id) as wanted
    cross join lateral (
      select time, status, duration from check_statuses
      where check_id = wanted.id order by time desc limit 1
    ) as newest
    where newest.time <= now() - interval '1 hour'
    on conflict (check_id) do update set
      p99 = excluded.p99, p95 = excluded.p95, p50 = excluded.p50, mean = excluded.mean,
      passed = excluded.passed, failed = excluded.failed, last_check = excluded.last_check,
      last_pass = greatest(known.last_pass, excluded.last_pass),
      last_fail = greatest(known.last_fail, excluded.last_fail),
      refreshed_at = excluded.refreshed_at;
  end if;
  return written;
end $$;

-- The minute job: checks that run seldom, whose hour moved on since they were last looked at. Once the hour is empty
-- nothing moves any more.
create function refresh_check_status_summary() returns integer language sql as $$
  select refresh_check_status_summary(array(
    select check_id from check_status_summary
    where refreshed_at < now() - interval '5 minutes' and refreshed_at < last_check + interval '1 hour'))
$$;

-- The hourly job: checks whose last result left the hour.
create function refresh_check_status_summary_aged() returns integer language sql as $$
  select refresh_check_status_summary(array(
    select check_id from check_status_summary
    where last_check <= now() - interval '1 hour' and refreshed_at < last_check + interval '1 hour'))
$$;

create function refresh_check_size_summary() returns void language plpgsql as $$
begin
  delete from check_size_summary;
  insert into check_size_summary (canary_id, id, min_time, max_time, count, size, avg_size)
  select checks.canary_id, checks.id, sizes.min_time, sizes.max_time, sizes.count, sizes.size, sizes.size / sizes.count
  from (
    select check_id, min(time) as min_time, max(time) as max_time, count(*) as count,
      sum(pg_column_size(check_statuses.*))::bigint as size
    from check_statuses group by check_id
  ) as sizes
  join checks on checks.id = sizes.check_id;
end $$;

-- Whole buckets grow with every stored result, in the same transaction, whoever stores it. Results that were there
-- already (insert conflict) are not in new_rows and count once.
create function roll_up_check_statuses() returns trigger language plpgsql as $$
begin
  insert into check_statuses_1h as bucket (check_id, created_at, duration, total, passed, failed, latency)
  select check_id, date_trunc('hour', time, 'UTC') as hour, least(coalesce(sum(duration), 0), 2147483647), count(*),
    count(*) filter (where status), count(*) filter (where not status), latency_histogram(duration)
  from new_rows group by check_id, hour order by check_id, hour
  on conflict (check_id, created_at) do update set
    duration = least(bucket.duration::bigint + excluded.duration, 2147483647),
    total = bucket.total + excluded.total, passed = bucket.passed + excluded.passed,
    failed = bucket.failed + excluded.failed, latency = latency_add(bucket.latency, excluded.latency);

  insert into check_statuses_1d as bucket (check_id, created_at, duration, total, passed, failed, latency)
  select check_id, date_trunc('day', time, 'UTC') as day, least(coalesce(sum(duration), 0), 2147483647), count(*),
    count(*) filter (where status), count(*) filter (where not status), latency_histogram(duration)
  from new_rows group by check_id, day order by check_id, day
  on conflict (check_id, created_at) do update set
    duration = least(bucket.duration::bigint + excluded.duration, 2147483647),
    total = bucket.total + excluded.total, passed = bucket.passed + excluded.passed,
    failed = bucket.failed + excluded.failed, latency = latency_add(bucket.latency, excluded.latency);

  perform refresh_check_status_summary(array(select distinct check_id from new_rows));
  return null;
end $$;

create trigger roll_up after insert on check_statuses
  referencing new table as new_rows for each statement execute function roll_up_check_statuses();
