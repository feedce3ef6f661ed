create view agents_summary as
select agents.*,
  (select nullif(count(*), 0) from config_items where config_items.agent_id = agents.id) as config_count,
  (select nullif(count(*), 0) from config_scrapers where config_scrapers.agent_id = agents.id) as config_scrapper_count,
  (select nullif(count(*), 0) from checks where checks.agent_id = agents.id) as checks_count,
  (select nullif(count(*), 0) from playbook_runs where playbook_runs.agent_id = agents.id) as playbook_runs_count
from agents
where agents.deleted_at is null;

create view people_roles as
select people.id, people.name, people.email, array_agg(casbin_rule.v1 order by casbin_rule.v1) as roles
from people
join casbin_rule on casbin_rule.v0 = people.id::text and casbin_rule.ptype = 'g'
group by people.id;

-- A condition on resource_id reaches the index; only without one are all resources looked up.
create view job_history_latest_status as
select distinct on (resource_id) job_history.*, 1::bigint as rn
from job_history
where resource_id is not null
order by resource_id, created_at desc, id desc;

create view job_history_names as
with recursive names as (
  (select name from job_history where name is not null order by name limit 1)
  union all
  select (select j.name from job_history j where j.name > names.name order by j.name limit 1)
  from names where names.name is not null
)
select name from names where name is not null;

-- Names are looked up one by one for the rows shown; joining on ids cast to text would read whole tables. A join, even one
-- that is left out, would also keep counts from being answered by an index alone.
create view job_histories as
select job_history.*,
  coalesce(
    case when job_history.resource_id ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' then
      case job_history.resource_type
        when 'components' then (select name from components where components.id = job_history.resource_id::uuid)
        when 'config_scraper' then (select name from config_scrapers where config_scrapers.id = job_history.resource_id::uuid)
        when 'topology' then (select name from topologies where topologies.id = job_history.resource_id::uuid)
        when 'canary' then (select name from canaries where canaries.id = job_history.resource_id::uuid)
        when 'team' then (select name from teams where teams.id = job_history.resource_id::uuid)
        when 'playbook' then (select name from playbooks where playbooks.id = job_history.resource_id::uuid)
        when 'incident_rule' then (select name from incident_rules where incident_rules.id = job_history.resource_id::uuid)
      end
    end,
    job_history.resource_id) as resource_name,
  coalesce(
    (select jsonb_build_object('id', agents.id, 'name', agents.name) from agents where agents.id = job_history.agent_id),
    jsonb_build_object('id', null, 'name', null)) as agent
from job_history;

create view topologies_with_status as
select topologies.*,
  job.name as job_name, job.success_count as job_success_count, job.error_count as job_error_count,
  job.details as job_details, job.hostname as job_hostname, job.duration_millis as job_duration_millis,
  job.resource_type as job_resource_type, job.status as job_status, job.time_start as job_time_start,
  job.time_end as job_time_end, job.created_at as job_created_at,
  (select max(failed.time_start) from job_history failed
   where failed.status = 'FAILED' and failed.resource_type = 'topology' and failed.resource_id = topologies.id::text)
    as job_last_failed,
  jsonb_build_object('id', agents.id, 'name', agents.name) as agent
from topologies
left join agents on agents.id = topologies.agent_id
left join lateral (
  select * from job_history
  where job_history.resource_id = topologies.id::text and job_history.resource_type = 'topology'
  order by created_at desc, id desc limit 1
) as job on true
where topologies.deleted_at is null;

create view config_scrapers_with_status as
select config_scrapers.*,
  job.name as job_name, job.success_count as job_success_count, job.error_count as job_error_count,
  job.details as job_details, job.hostname as job_hostname, job.duration_millis as job_duration_millis,
  job.resource_type as job_resource_type, job.status as job_status, job.time_start as job_time_start,
  job.time_end as job_time_end, job.created_at as job_created_at,
  (select max(failed.time_start) from job_history failed
   where failed.status = 'FAILED' and failed.resource_type = 'config_scraper'
     and failed.resource_id = config_scrapers.id::text) as job_last_failed,
  jsonb_build_object('id', agents.id, 'name', agents.name) as agent
from config_scrapers
left join agents on agents.id = config_scrapers.agent_id
left join lateral (
  select * from job_history
  where job_history.resource_id = config_scrapers.id::text
  order by created_at desc, id desc limit 1
) as job on true
where config_scrapers.deleted_at is null;

create view teams_with_status as
select teams.*,
  job.name as job_name, job.success_count as job_success_count, job.error_count as job_error_count,
  job.details as job_details, job.hostname as job_hostname, job.duration_millis as job_duration_millis,
  job.resource_type as job_resource_type, job.status as job_status, job.time_start as job_time_start,
  job.time_end as job_time_end, job.created_at as job_created_at,
  (select max(failed.time_start) from job_history failed
   where failed.status = 'FAILED' and failed.resource_type = 'team' and failed.resource_id = teams.id::text)
    as job_last_failed
from teams
left join lateral (
  select * from job_history
  where job_history.resource_id = teams.id::text and job_history.resource_type = 'team'
  order by created_at desc, id desc limit 1
) as job on true
where teams.deleted_at is null;

create view canaries_with_status as
select canaries.id, canaries.name, canaries.namespace, canaries.spec ->> 'interval' as interval,
  canaries.spec ->> 'schedule' as schedule, canaries.labels, canaries.source, canaries.created_by, canaries.created_at,
  canaries.deleted_at,
  (select max(checks.last_runtime) from checks where checks.canary_id = canaries.id) as last_runtime,
  job.name as job_name, job.success_count as job_success_count, job.error_count as job_error_count,
  job.details as job_details, job.hostname as job_hostname, job.duration_millis as job_duration_millis,
  job.resource_type as job_resource_type, job.status as job_status, job.time_start as job_time_start,
  job.time_end as job_time_end, job.created_at as job_created_at,
  (select max(failed.time_start) from job_history failed
   where failed.status = 'FAILED' and failed.resource_type = 'canary' and failed.resource_id = canaries.id::text)
    as job_last_failed,
  jsonb_build_object('id', agents.id, 'name', agents.name) as agent,
  canaries.updated_at
from canaries
left join agents on agents.id = canaries.agent_id
left join lateral (
  select * from job_history
  where job_history.resource_id = canaries.id::text
  order by created_at desc, id desc limit 1
) as job on true
where canaries.deleted_at is null;

create view integrations_with_status as
select integrations.*,
  people.name as creator_name, people.avatar as creator_avatar, people.title as creator_title, people.email as creator_email
from (
  select id, name, description, 'scrapers' as integration_type, source, agent_id, created_at, updated_at, deleted_at,
    created_by, job_name, job_success_count, job_error_count, job_details, job_hostname, job_duration_millis,
    job_resource_type, job_status, job_time_start, job_time_end, job_created_at, job_last_failed, agent,
    null as namespace
  from config_scrapers_with_status
  union all
  select id, name, '', 'topologies', source, agent_id, created_at, updated_at, deleted_at,
    created_by, job_name, job_success_count, job_error_count, job_details, job_hostname, job_duration_millis,
    job_resource_type, job_status, job_time_start, job_time_end, job_created_at, job_last_failed, agent, namespace
  from topologies_with_status
  union all
  select id, name, '', 'logging_backends', source, agent_id, created_at, updated_at, deleted_at,
    created_by, '', 0, 0, null, '', 0, '', '', null, null, null, null, null, null
  from logging_backends
) as integrations
left join people on people.id = integrations.created_by;

create view notifications_summary as
select notifications.id, notifications.title, notifications.events, notifications.filter, notifications.person_id,
  notifications.team_id, notifications.custom_services, notifications.created_at, notifications.updated_at,
  notifications.created_by, notifications.source, notifications.repeat_interval,
  (select count(*) from event_queue
   where event_queue.name = 'notification.send'
     and event_queue.properties @> jsonb_build_object('notification_id', notifications.id)) as pending,
  sends.avg_duration_ms, sends.failed, sends.sent, sends.most_common_error
from notifications
left join lateral (
  select round(avg(duration_millis), 2) as avg_duration_ms, count(*) filter (where error is not null) as failed,
    count(*) filter (where error is null) as sent, mode() within group (order by error) as most_common_error
  from notification_send_history
  where notification_send_history.notification_id = notifications.id
  having count(*) > 0
) as sends on true
where notifications.deleted_at is null;

create view event_queue_summary as
select name, count(*) as pending, count(*) filter (where error is not null) as failed,
  round(avg(attempts), 2) as average_attempts, min(created_at) filter (where error is not null) as first_failure,
  max(last_attempt) as last_failure, mode() within group (order by error) as most_common_error
from event_queue
group by name;

create view failed_events as
select name, count(distinct error) as unique_errors, round(avg(attempts), 2) as average_attempts,
  count(*) as total_failed_events, mode() within group (order by error) as most_common_error
from event_queue
where error is not null and attempts > 0 and created_at > now() - interval '7 days'
group by name;

-- For pickers of people who may not read connections. The type decides where the address is kept encrypted.
create view connections_list as
select id, name, namespace, type,
  case when split_part(url, '://', 1) in ('bark', 'discord', 'smtp', 'gotify', 'googlechat', 'ifttt', 'join', 'mattermost',
      'matrix', 'ntfy', 'opsgenie', 'pushbullet', 'pushover', 'rocketchat', 'slack', 'teams', 'telegram', 'zulip')
    or type in ('discord', 'email', 'google_chat', 'ifttt', 'mattermost', 'matrix', 'ntfy', 'opsgenie', 'pushbullet',
      'pushover', 'rocketchat', 'slack', 'slackwebhook', 'teams', 'telegram', 'zulip_chat')
  then 'notification' else '' end as category,
  created_by, created_at, updated_at
from connections
where deleted_at is null
order by created_at;

create view push_queue_summary as
select 'topologies' as "table", count(*) from topologies where is_pushed is false
union all select 'components', count(*) from components where is_pushed is false
union all select 'component_relationships', count(*) from component_relationships where is_pushed is false
union all select 'config_scrapers', count(*) from config_scrapers where is_pushed is false
union all select 'config_items', count(*) from config_items where is_pushed is false
union all select 'config_changes', count(*) from config_changes where is_pushed is false
union all select 'config_analysis', count(*) from config_analysis where is_pushed is false
union all select 'config_relationships', count(*) from config_relationships where is_pushed is false
union all select 'canaries', count(*) from canaries where is_pushed is false
union all select 'checks', count(*) from checks where is_pushed is false
union all select 'check_statuses', count(*) from check_statuses where is_pushed is false
union all select 'check_component_relationships', count(*) from check_component_relationships where is_pushed is false
union all select 'check_config_relationships', count(*) from check_config_relationships where is_pushed is false
union all select 'config_component_relationships', count(*) from config_component_relationships where is_pushed is false
union all select 'job_history', count(*) from job_history where is_pushed is false and status in ('FAILED', 'WARNING', 'SUCCESS')
union all select 'artifacts', count(*) from artifacts where is_pushed is false;

create view playbook_names as
select id, title, name, coalesce(spec ->> 'description', description) as description,
  coalesce(spec ->> 'category', nullif(category, '')) as category, coalesce(spec ->> 'icon', icon) as icon
from playbooks
where deleted_at is null
order by name;

create view playbooks_for_agent as
select agents.name as agent_name, agents.person_id, agents.id as agent_id, jsonb_agg(playbooks.id) as playbook_ids
from playbooks
cross join lateral jsonb_array_elements_text(
  case jsonb_typeof(playbooks.spec -> 'runsOn') when 'array' then playbooks.spec -> 'runsOn' end) as wanted (name)
join agents on agents.name = wanted.name
where playbooks.deleted_at is null and agents.deleted_at is null
group by agents.id;
