create view check_status_summary_hour as
select check_id, percentiles[1] as p99, percentiles[2] as p95, percentiles[3] as p50, mean, passed, failed, last_check,
  last_pass, last_fail
from (
  select check_id, percentile_disc(array[0.99, 0.95, 0.5]) within group (order by duration) as percentiles,
    avg(duration) as mean, count(*) filter (where status) as passed, count(*) filter (where not status) as failed,
    max(time) as last_check, max(time) filter (where status) as last_pass, max(time) filter (where not status) as last_fail
  from check_statuses
  where time > now() - interval '1 hour'
  group by check_id
) as hour;

create view check_status_summary_aged as
select summary.check_id, summary.p99, summary.p95, summary.p50, summary.mean, summary.passed, summary.failed,
  summary.last_check, summary.last_pass, summary.last_fail
from check_status_summary as summary
join checks on checks.id = summary.check_id
where checks.deleted_at is null and summary.last_check <= now() - interval '1 hour';

create view check_summary as
select checks.id, checks.canary_id,
  jsonb_build_object('passed', summary.passed, 'failed', summary.failed, 'last_pass', summary.last_pass,
    'last_fail', summary.last_fail) as uptime,
  jsonb_build_object('p99', summary.p99, 'p95', summary.p95, 'p50', summary.p50, 'avg', summary.mean) as latency,
  checks.last_transition_time, checks.type, checks.icon, checks.name, checks.status, checks.description, checks.namespace,
  canaries.namespace as canary_namespace, canaries.name as canary_name,
  coalesce(canaries.labels, '{}') || coalesce(checks.labels, '{}') as labels,
  checks.severity, checks.owner, checks.last_runtime, checks.created_at, checks.updated_at, checks.deleted_at,
  checks.silenced_at
from checks
join canaries on canaries.id = checks.canary_id
left join check_status_summary as summary on summary.check_id = checks.id;

create view check_summary_for_config as
select linked.config_id, check_summary.*
from (select distinct config_id, check_id from check_config_relationships where deleted_at is null) as linked
join check_summary on check_summary.id = linked.check_id;

create function check_summary_for_component(id uuid) returns setof check_summary language sql stable as $$
  select * from check_summary where check_summary.id in (
    select check_id from check_component_relationships where component_id = check_summary_for_component.id)
$$;

create view checks_by_component as
select links.component_id, checks.id, checks.type, checks.name, checks.severity, checks.status
from check_component_relationships as links
join checks on checks.id = links.check_id
where links.deleted_at is null;

create view checks_by_config as
select links.config_id, checks.id, checks.type, checks.name, checks.severity, checks.status, checks.icon, checks.last_runtime
from check_config_relationships as links
join checks on checks.id = links.check_id
where links.deleted_at is null;

create view check_summary_by_component as
select component_id, jsonb_object_agg(coalesce(status, 'unknown'), total) as checks
from (select component_id, status, count(*) as total from checks_by_component group by 1, 2) as counted
group by component_id;

create view check_summary_by_config as
select config_id, jsonb_object_agg(coalesce(status, 'unknown'), total) as checks
from (select config_id, status, count(*) as total from checks_by_config group by 1, 2) as counted
group by config_id;

create view check_names as
select id, canary_id, type, name, status from checks
where deleted_at is null and silenced_at is null
order by name;

create view check_labels as
select distinct label.key, label.value
from checks, lateral jsonb_each_text(case jsonb_typeof(checks.labels) when 'object' then checks.labels end) as label;

create view check_statuses_5m as
select check_id, date_bin('5 minutes', time, '2000-01-01 00:00:00+00') as created_at, count(*) as total_checks,
  count(*) filter (where status) as passed, count(*) filter (where not status) as failed, sum(duration) as total_duration
from check_statuses
where time > now() - interval '24 hours'
group by 1, 2;

create view checks_status_artifacts as
select results.check_id, results.status as check_status, results.message as check_message, results.error, results.invalid,
  results.time, results.duration,
  coalesce(
    (select jsonb_agg(jsonb_build_object('name', artifacts.filename, 'size', artifacts.size, 'id', artifacts.id) order by artifacts.id)
     from artifacts where artifacts.check_id = results.check_id and artifacts.check_time = results.time),
    '[{"name": null, "size": null, "id": null}]') as artifacts
from check_statuses as results;
