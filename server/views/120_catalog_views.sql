-- Lists read this. The document is not in it, and a select that leaves the two summaries out does not pay for the join.
create view configs as
select config_items.id, config_items.scraper_id, config_items.config_class, config_items.external_id, config_items.type,
  config_items.name, config_items.tags ->> 'namespace' as namespace, config_items.description, config_items.source,
  config_items.labels, config_items.tags, config_items.created_by, config_items.created_at, config_items.updated_at,
  config_items.deleted_at, config_items.cost_per_minute, config_items.cost_total_1d, config_items.cost_total_7d,
  config_items.cost_total_30d, config_items.agent_id, config_items.status, config_items.health, config_items.ready,
  config_items.path, facts.analysis, facts.changes
from config_items
left join config_item_facts as facts on facts.config_id = config_items.id;

create view config_items_aws as
select configs.*, configs.labels ->> 'zone' as zone, configs.labels ->> 'region' as region,
  configs.labels ->> 'account' as account
from configs
where configs.type like 'AWS::%';

create view config_names as
select id, type, external_id, name from config_items order by name;

-- Distinct lists: each step jumps to the next value in an index, so the cost follows the number of values and not of rows.
create view config_types as
with recursive found as (
  (select type from config_items order by type limit 1)
  union all
  select (select c.type from config_items c where c.type > found.type order by c.type limit 1)
  from found where found.type is not null
)
select type from found where type is not null;

create view config_classes as
with recursive found as (
  (select config_class from config_items order by config_class limit 1)
  union all
  select (select c.config_class from config_items c where c.config_class > found.config_class order by c.config_class limit 1)
  from found where found.config_class is not null
)
select config_class from found where config_class is not null;

create view config_statuses as
with recursive found as (
  (select status from config_items where status is not null order by status limit 1)
  union all
  select (select c.status from config_items c where c.status > found.status order by c.status limit 1)
  from found where found.status is not null
)
select status from found where status is not null;

create view change_types as
with recursive found as (
  (select change_type from config_changes where change_type is not null order by change_type limit 1)
  union all
  select (select c.change_type from config_changes c where c.change_type > found.change_type order by c.change_type limit 1)
  from found where found.change_type is not null
)
select change_type from found where change_type is not null;

create view analysis_types as
with recursive found as (
  (select analysis_type from config_analysis where analysis_type is not null order by analysis_type limit 1)
  union all
  select (select c.analysis_type from config_analysis c where c.analysis_type > found.analysis_type order by c.analysis_type limit 1)
  from found where found.analysis_type is not null
)
select analysis_type from found where analysis_type is not null;

create view analyzer_types as
with recursive found as (
  (select analyzer from config_analysis order by analyzer limit 1)
  union all
  select (select c.analyzer from config_analysis c where c.analyzer > found.analyzer order by c.analyzer limit 1)
  from found where found.analyzer is not null
)
select analyzer from found where analyzer is not null;

create view config_analysis_analyzers as
with recursive found as (
  (select analyzer from config_analysis where status = 'open' order by analyzer limit 1)
  union all
  select (select c.analyzer from config_analysis c where c.status = 'open' and c.analyzer > found.analyzer order by c.analyzer limit 1)
  from found where found.analyzer is not null
)
select analyzer from found where analyzer is not null;

create view config_tags as
select key, value from config_values where kind = 'tag' group by key, value having sum(refs) > 0 order by key, value;

create view config_labels as
select key, value from config_values where kind = 'label' group by key, value having sum(refs) > 0 order by key, value;

create view config_analysis_items as
select config_analysis.*, config_items.type as config_type, config_items.config_class
from config_analysis
left join config_items on config_items.id = config_analysis.config_id;

create view catalog_changes as
select config_changes.id, config_changes.config_id, config_items.name, config_items.type, config_items.tags,
  config_changes.external_created_by, config_changes.created_at, config_changes.severity, config_changes.change_type,
  config_changes.source, config_changes.summary, config_changes.created_by, config_changes.count,
  config_changes.first_observed, config_items.agent_id
from config_changes
join config_items on config_items.id = config_changes.config_id;

create view config_summary as
with findings as (
  select config_items.type, config_analysis.analysis_type, config_analysis.severity, count(*) as total
  from config_analysis join config_items on config_items.id = config_analysis.config_id
  where config_analysis.status = 'open' and config_items.deleted_at is null
  group by 1, 2, 3
), by_type as (
  select type, jsonb_object_agg(coalesce(analysis_type, ''), total) as analysis
  from (select type, analysis_type, sum(total) as total from findings group by 1, 2) as counted group by type
), by_severity as (
  select type, jsonb_object_agg(coalesce(severity, ''), total) as severity
  from (select type, severity, sum(total) as total from findings group by 1, 2) as counted group by type
), changed as (
  select config_items.type, count(*) as changes
  from config_changes join config_items on config_items.id = config_changes.config_id
  where config_changes.created_at > now() - interval '30 days' and config_items.deleted_at is null
  group by 1
), items as (
  select type, max(created_at) as created_at, max(updated_at) as updated_at, count(*) as total_configs,
    sum(cost_per_minute) as cost_per_minute, sum(cost_total_1d) as cost_total_1d, sum(cost_total_7d) as cost_total_7d,
    sum(cost_total_30d) as cost_total_30d
  from config_items where deleted_at is null group by type
)
select items.type, items.created_at, items.updated_at, by_type.analysis, by_severity.severity, changed.changes,
  items.total_configs, items.cost_per_minute, items.cost_total_1d, items.cost_total_7d, items.cost_total_30d
from items
left join by_type using (type)
left join by_severity using (type)
left join changed using (type);

create view config_class_summary as
with findings as (
  select config_class, jsonb_object_agg(coalesce(analysis_type, ''), total) as analysis
  from (
    select config_items.config_class, config_analysis.analysis_type, count(*) as total
    from config_analysis join config_items on config_items.id = config_analysis.config_id
    where config_analysis.status = 'open' group by 1, 2
  ) as counted group by config_class
), changed as (
  select config_items.config_class, count(*) as changes
  from config_changes join config_items on config_items.id = config_changes.config_id
  where config_changes.created_at > now() - interval '30 days' group by 1
), items as (
  select config_class, count(*) as total_configs, sum(cost_per_minute) as cost_per_minute,
    sum(cost_total_1d) as cost_total_1d, sum(cost_total_7d) as cost_total_7d, sum(cost_total_30d) as cost_total_30d
  from config_items group by config_class
)
select items.config_class, findings.analysis, changed.changes, items.total_configs, items.cost_per_minute,
  items.cost_total_1d, items.cost_total_7d, items.cost_total_30d
from items
left join findings using (config_class)
left join changed using (config_class);

create view config_changes_by_types as
select config_items.type, count(*) as change_count
from config_changes join config_items on config_items.id = config_changes.config_id
where config_changes.created_at > now() - interval '30 days'
group by config_items.type;

create view config_analysis_by_severity as
select config_items.type, config_analysis.severity, count(*) as analysis_count
from config_analysis join config_items on config_items.id = config_analysis.config_id
where config_analysis.first_observed > now() - interval '30 days'
group by config_items.type, config_analysis.severity;

create view analysis_by_config as
select config_id as id, jsonb_object_agg(coalesce(analysis_type, ''), severities) as analysis
from (
  select config_id, analysis_type, jsonb_object_agg(coalesce(severity, ''), total) as severities
  from (
    select config_id, analysis_type, severity, count(*) as total
    from config_analysis where status is distinct from 'resolved' group by 1, 2, 3
  ) as counted group by 1, 2
) as grouped
group by config_id;
