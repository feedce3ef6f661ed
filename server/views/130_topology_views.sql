create view component_names as
select id, path, external_id, type, name, created_at, updated_at, icon, parent_id
from components
where deleted_at is null and not hidden
order by name, external_id;

create view component_names_all as
select id, path, external_id, type, name, created_at, updated_at, icon, parent_id, deleted_at
from components
where not hidden
order by name, external_id;

create view component_labels as
select distinct label.key, label.value
from components, lateral jsonb_each_text(case jsonb_typeof(components.labels) when 'object' then components.labels end) as label
order by label.key, label.value;

create view component_types as
select distinct type from components;

create view components_with_logs as
select id, name, agent_id, icon, type from components
where deleted_at is null and log_selectors is not null;

create view changes_by_component as
select config_changes.id, config_changes.config_id, config_items.name, config_items.config_class, config_items.type,
  config_changes.change_type, config_changes.created_at, config_changes.created_by, config_changes.id as change_id,
  config_changes.severity, links.component_id, config_items.deleted_at as config_deleted_at
from config_component_relationships as links
join config_items on config_items.id = links.config_id
join config_changes on config_changes.config_id = links.config_id
order by config_changes.created_at desc;

create view analysis_by_component as
select config_analysis.config_id, config_items.name, config_items.config_class, config_items.type,
  config_analysis.analysis_type, config_analysis.first_observed, config_analysis.last_observed, config_analysis.created_by,
  config_analysis.id as analysis_id, config_analysis.severity, links.component_id
from config_component_relationships as links
join config_items on config_items.id = links.config_id
join config_analysis on config_analysis.config_id = links.config_id
where config_analysis.status = 'open' and config_items.deleted_at is null
order by array_position(array['critical', 'blocker', 'high', 'medium', 'low', 'info'], lower(config_analysis.severity)),
  config_items.name;

create view analysis_summary_by_component as
select component_id as id, jsonb_object_agg(coalesce(analysis_type, ''), severities) as analysis
from (
  select component_id, analysis_type, jsonb_object_agg(coalesce(severity, ''), total) as severities
  from (
    select links.component_id, config_analysis.analysis_type, config_analysis.severity, count(*) as total
    from config_component_relationships as links
    join config_items on config_items.id = links.config_id
    join config_analysis on config_analysis.config_id = links.config_id
    where links.deleted_at is null and config_items.deleted_at is null and config_analysis.status = 'open'
    group by 1, 2, 3
  ) as counted group by 1, 2
) as grouped
group by component_id;

create view incident_summary_by_component as
select component_id as id, jsonb_object_agg(type, severities) as incidents
from (
  select component_id, type, jsonb_object_agg(severity, total) as severities
  from (
    select evidences.component_id, incidents.type, incidents.severity, count(distinct incidents.id) as total
    from evidences
    join hypotheses on hypotheses.id = evidences.hypothesis_id
    join incidents on incidents.id = hypotheses.incident_id
    where evidences.component_id is not null and lower(incidents.status) not in ('resolved', 'closed', 'cancelled')
    group by 1, 2, 3
  ) as counted group by 1, 2
) as grouped
group by component_id;

create view incidents_by_component as
select distinct incidents.title, incidents.id, incidents.created_at, incidents.type, incidents.status, incidents.severity,
  evidences.component_id
from evidences
join hypotheses on hypotheses.id = evidences.hypothesis_id
join incidents on incidents.id = hypotheses.incident_id
where evidences.component_id is not null;

create view incidents_by_config as
select distinct incidents.title, incidents.id, incidents.created_at, incidents.type, incidents.status, incidents.severity,
  evidences.config_id
from evidences
join hypotheses on hypotheses.id = evidences.hypothesis_id
join incidents on incidents.id = hypotheses.incident_id
where evidences.config_id is not null;

-- created_by and commander_id come on top of the reference's columns, so that a list can be filtered by owner.
create view incident_summary as
select incidents.id, incidents.incident_id, incidents.title, incidents.severity, incidents.type, incidents.status,
  incidents.created_at, incidents.updated_at,
  jsonb_build_object('id', commander.id, 'avatar', commander.avatar, 'name', commander.name) as commander,
  (select jsonb_agg(jsonb_build_object('id', id, 'avatar', avatar, 'name', name) order by id)
   from (
     select people.id, people.avatar, people.name
     from responders join people on people.id = responders.person_id where responders.incident_id = incidents.id
     union
     select teams.id, teams.icon, teams.name
     from responders join teams on teams.id = responders.team_id where responders.incident_id = incidents.id
   ) as responding) as responders,
  (select jsonb_agg(jsonb_build_object('id', id, 'avatar', avatar, 'name', name) order by id)
   from (
     select distinct people.id, people.avatar, people.name
     from comments join people on people.id = comments.created_by where comments.incident_id = incidents.id
   ) as commenting) as commenters,
  incidents.created_by, incidents.commander_id
from incidents
left join people as commander on commander.id = incidents.commander_id;

create view topology as
select components.*,
  case when jsonb_typeof(components.log_selectors) = 'array' then
    (select jsonb_agg(jsonb_build_object('name', selector -> 'name'))
     from jsonb_array_elements(components.log_selectors) as selector)
  end as logs,
  (select jsonb_object_agg(coalesce(status, 'unknown'), total)
   from (select status, count(*) as total from checks_by_component
         where checks_by_component.component_id = components.id group by status) as counted) as checks,
  (select array_agg(teams.name order by teams.name)
   from team_components join teams on teams.id = team_components.team_id
   where team_components.component_id = components.id) as team_names,
  (select incidents from incident_summary_by_component where incident_summary_by_component.id = components.id) as incidents,
  (select analysis from analysis_summary_by_component where analysis_summary_by_component.id = components.id) as analysis,
  (select array_agg(distinct links.component_id) from component_relationships as links
   where links.relationship_id = components.id and links.deleted_at is null) as children,
  (select array_agg(distinct links.relationship_id) from component_relationships as links
   where links.component_id = components.id and links.deleted_at is null) as parents
from components
where components.deleted_at is null;

create function lookup_component_children(id text, max_depth integer)
returns table (child_id uuid, parent_id uuid, level integer) language sql stable as $$
  with recursive down as (
    select components.id as child_id, components.parent_id, 0 as level, array[components.id] as seen
    from components where components.id = lookup_component_children.id::uuid
    union all
    select child.id, child.parent_id, down.level + 1, down.seen || child.id
    from down join components as child on child.parent_id = down.child_id
    where not child.id = any (down.seen)
      and down.level < case when max_depth < 0 then 10 else max_depth end
  )
  select child_id, parent_id, level from down order by level
$$;

create function lookup_component_relations(component_id text) returns table (id uuid) language sql stable as $$
  select r.relationship_id from component_relationships r where r.component_id = lookup_component_relations.component_id::uuid
  union
  select r.component_id from component_relationships r where r.relationship_id = lookup_component_relations.component_id::uuid
$$;

create function lookup_component_incidents(component_id text) returns table (id uuid) language sql stable as $$
  select distinct hypotheses.incident_id
  from evidences join hypotheses on hypotheses.id = evidences.hypothesis_id
  where evidences.component_id = lookup_component_incidents.component_id::uuid
$$;

create function lookup_component_names(component_id uuid[]) returns table (names text[]) language sql stable as $$
  select array_agg(components.name) from components where components.id = any (lookup_component_names.component_id)
$$;

create function lookup_components_by_check(id uuid) returns setof components language sql stable as $$
  select components.* from components
  where components.id in (select component_id from check_component_relationships where check_id = lookup_components_by_check.id)
$$;

create function lookup_components_by_config(id text)
returns table (component_id uuid, name text, type text, icon text, role text) language sql stable as $$
  select components.id, components.name, components.type, components.icon, 'left'
  from config_component_relationships as links join components on components.id = links.component_id
  where links.config_id = lookup_components_by_config.id::uuid
$$;

create function lookup_component_by_property(name text, text text) returns setof components language sql stable as $$
  select components.* from components
  where components.deleted_at is null and components.properties @> jsonb_build_array(
    jsonb_build_object('name', lookup_component_by_property.name, 'text', lookup_component_by_property.text))
$$;

create function lookup_configs_by_component(id text)
returns table (config_id uuid, name text, type text, icon text, role text, deleted_at timestamptz) language sql stable as $$
  select config_items.id, config_items.name, config_items.config_class, config_items.icon, 'left', config_items.deleted_at
  from config_component_relationships as links join config_items on config_items.id = links.config_id
  where links.component_id = lookup_configs_by_component.id::uuid
$$;

create function lookup_changes_by_component(id text) returns setof config_changes language sql stable as $$
  select config_changes.* from config_changes
  where config_changes.config_id in (
    select config_id from config_component_relationships where component_id = lookup_changes_by_component.id::uuid)
$$;

create function lookup_analysis_by_component(id text) returns setof config_analysis language sql stable as $$
  select config_analysis.* from config_analysis
  where config_analysis.config_id in (
    select config_id from config_component_relationships where component_id = lookup_analysis_by_component.id::uuid)
$$;
