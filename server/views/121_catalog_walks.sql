-- Walks the relationship graph level by level and keeps each node once, at its least depth: loops end by themselves and
-- the cost follows the number of nodes. A walk stops at node_limit; nearer nodes come first.
create function walk_configs(start uuid, outgoing boolean, max_depth integer, only_hard boolean, node_limit integer default 5000)
returns table (node uuid, depth integer) language plpgsql stable rows 200 as $$
declare
  frontier uuid[] := array[start];
  seen uuid[] := array[start];
  level integer := 0;
begin
  node := start;
  depth := 0;
  return next;
  while level < max_depth and cardinality(frontier) > 0 and cardinality(seen) < node_limit loop
    level := level + 1;
    if outgoing then
      frontier := array(
        select r.related_id from config_relationships r
        where r.config_id = any (frontier) and r.deleted_at is null and (not only_hard or r.relation = 'hard')
        except select unnest(seen)
        limit node_limit - cardinality(seen));
    else
      frontier := array(
        select r.config_id from config_relationships r
        where r.related_id = any (frontier) and r.deleted_at is null and (not only_hard or r.relation = 'hard')
        except select unnest(seen)
        limit node_limit - cardinality(seen));
    end if;
    seen := seen || frontier;
    return query select reached, level from unnest(frontier) as reached;
  end loop;
end $$;

-- Both directions that a filter word asks for. Any word but these two means both, as clients may rely on.
create function walk_directions(type_filter text) returns table (direction text)
language sql immutable parallel safe rows 1 as $$
  select way from (values ('outgoing'), ('incoming')) as ways (way)
  where case when type_filter in ('outgoing', 'incoming') then way = type_filter else true end
$$;

create function config_relationships_recursive(
  config_id uuid, type_filter text default 'outgoing', max_depth integer default 5,
  incoming_relation text default 'both', outgoing_relation text default 'both'
) returns table (id uuid, related_id uuid, relation_type text, direction text, depth integer)
language plpgsql stable rows 500 as $$
#variable_conflict use_column
declare
  start alias for $1;
  wanted alias for $2;
  deepest integer := greatest($3, 1);
  incoming_hard boolean := coalesce($4 = 'hard', false);
  outgoing_hard boolean := coalesce($5 = 'hard', false);
begin
  return query
    select edge.config_id, edge.related_id, edge.relation, way.direction, walk.depth + 1
    from walk_directions(wanted) as way
    cross join lateral walk_configs(start, way.direction = 'outgoing', deepest - 1,
      case way.direction when 'outgoing' then outgoing_hard else incoming_hard end) as walk
    cross join lateral (
      select r.config_id, r.related_id, r.relation from config_relationships r
      where way.direction = 'outgoing' and r.config_id = walk.node and r.deleted_at is null
        and (not outgoing_hard or r.relation = 'hard')
      union all
      select r.config_id, r.related_id, r.relation from config_relationships r
      where way.direction = 'incoming' and r.related_id = walk.node and r.deleted_at is null
        and (not incoming_hard or r.relation = 'hard')
    ) as edge
    order by walk.depth;
end $$;

create function related_config_ids_recursive(
  config_id uuid, type_filter text default 'outgoing', max_depth integer default 5,
  incoming_relation text default 'both', outgoing_relation text default 'both'
) returns table (id uuid, direction text, depth integer) language plpgsql stable rows 200 as $$
#variable_conflict use_column
declare
  start alias for $1;
  wanted alias for $2;
  deepest integer := greatest($3, 1);
  incoming_hard boolean := coalesce($4 = 'hard', false);
  outgoing_hard boolean := coalesce($5 = 'hard', false);
begin
  return query
    select walk.node, way.direction, greatest(walk.depth, 1)
    from walk_directions(wanted) as way
    cross join lateral (
      select reached.node, reached.depth, count(*) over () as nodes
      from walk_configs(start, way.direction = 'outgoing', deepest,
        case way.direction when 'outgoing' then outgoing_hard else incoming_hard end) as reached
    ) as walk
    -- The start counts only when an edge leads away from it.
    where walk.nodes > 1
    order by greatest(walk.depth, 1);
end $$;

create function get_recursive_path(start uuid)
returns table (id uuid, related_id uuid, relation_type text, direction text, depth integer)
language sql stable rows 5 as $$
  select ancestors[position], coalesce(ancestors[position + 1], start), 'parent', 'incoming',
    cardinality(ancestors) - position + 1
  from (
    select array(
      select segment::uuid
      from config_items, unnest(string_to_array(path, '.')) with ordinality as parts (segment, place)
      where config_items.id = start and segment ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' and segment <> start::text
      order by place) as ancestors
  ) as path, generate_subscripts(ancestors, 1) as position
  order by position desc
$$;

create function related_configs_recursive(
  config_id uuid, type_filter text default 'outgoing', include_deleted_configs boolean default false,
  max_depth integer default 5, incoming_relation text default 'both', outgoing_relation text default 'both'
) returns table (
  id uuid, name text, type text, related_ids text[], tags jsonb, changes json, analysis json, cost_per_minute numeric,
  cost_total_1d numeric, cost_total_7d numeric, cost_total_30d numeric, created_at timestamptz, updated_at timestamptz,
  agent_id uuid, health text, ready boolean, status text, path text
) language plpgsql stable rows 200 as $$
#variable_conflict use_column
declare
  start alias for $1;
  wanted alias for $2;
  with_deleted alias for $3;
  deepest integer := greatest($4, 1);
  incoming_hard boolean := coalesce($5 = 'hard', false);
  outgoing_hard boolean := coalesce($6 = 'hard', false);
begin
  return query
    with walked as materialized (
      select way.direction = 'outgoing' as outgoing, walk.node, walk.depth
      from walk_directions(wanted) as way
      -- No answer shows more rows than this, so a larger neighbourhood is not worth walking.
      cross join lateral walk_configs(start, way.direction = 'outgoing', deepest,
        case way.direction when 'outgoing' then outgoing_hard else incoming_hard end, 2000) as walk
    ), edges as (
      select walked.node as source, r.related_id as target, walked.depth + 1 as depth
      from walked
      join config_relationships r on r.config_id = walked.node and r.deleted_at is null
        and (not outgoing_hard or r.relation = 'hard')
      where walked.outgoing and walked.depth < deepest
      union all
      select r.config_id, walked.node, walked.depth + 1
      from walked
      join config_relationships r on r.related_id = walked.node and r.deleted_at is null
        and (not incoming_hard or r.relation = 'hard')
      where not walked.outgoing and walked.depth < deepest
      union all
      select edge.id, edge.related_id, edge.depth from get_recursive_path(start) as edge
    ), nodes as materialized (
      select node from walked where $4 > 0 or walked.depth = 0 or not walked.outgoing
      union select edge.id from get_recursive_path(start) as edge
    ), sources as (
      select edges.source, array_agg(distinct edges.target::text) as targets, min(edges.depth) as depth
      from edges
      join nodes as first_end on first_end.node = edges.source
      join nodes as second_end on second_end.node = edges.target
      group by edges.source
    )
    select configs.id, configs.name, configs.type, sources.targets, configs.tags, configs.changes, configs.analysis,
      configs.cost_per_minute, configs.cost_total_1d, configs.cost_total_7d, configs.cost_total_30d, configs.created_at,
      configs.updated_at, configs.agent_id, configs.health, configs.ready, configs.status, configs.path
    from nodes
    join configs on configs.id = nodes.node
    left join sources on sources.source = nodes.node
    where with_deleted or configs.deleted_at is null
    order by sources.depth, configs.id;
end $$;

create function related_configs(
  config_id uuid, type_filter text default 'all', include_deleted_configs boolean default false
) returns table (
  id uuid, name text, type text, related_ids text[], tags jsonb, changes json, analysis json, cost_per_minute numeric,
  cost_total_1d numeric, cost_total_7d numeric, cost_total_30d numeric, created_at timestamptz, updated_at timestamptz,
  agent_id uuid, health text, ready boolean, status text, path text
) language sql stable rows 50 as $$
  select * from related_configs_recursive(config_id, type_filter, include_deleted_configs, 1)
$$;

-- One select in plain SQL, so that a caller's time range, filters and limit reach the index on (config_id, created_at).
-- The item itself is always in; deleted items around it only when asked for.
create function related_changes_recursive(
  lookup_id uuid, type_filter text default 'downstream', include_deleted_configs boolean default false,
  max_depth integer default 5
) returns table (
  id uuid, config_id uuid, name text, type text, tags jsonb, external_created_by text, created_at timestamptz, severity text,
  change_type text, source text, summary text, created_by uuid, count integer, first_observed timestamptz, agent_id uuid
) language sql stable rows 200 as $$
  select changes.id, changes.config_id, changes.name, changes.type, changes.tags, changes.external_created_by,
    changes.created_at, changes.severity, changes.change_type, changes.source, changes.summary, changes.created_by,
    changes.count, changes.first_observed, changes.agent_id
  from catalog_changes as changes
  where changes.config_id in (
    select lookup_id
    union
    select related.id
    from related_config_ids_recursive(lookup_id,
      case type_filter when 'upstream' then 'incoming' when 'downstream' then 'outgoing' else 'all' end, max_depth) as related
    join config_items on config_items.id = related.id
    where type_filter not in ('none', '') and (include_deleted_configs or config_items.deleted_at is null)
  )
$$;

-- Ids from the root down to the item, by its parents. A loop among parents ends the walk.
create function config_path(id uuid) returns text language sql stable as $$
  with recursive up as (
    select config_items.id, config_items.parent_id, 1 as level, array[config_items.id] as seen
    from config_items where config_items.id = config_path.id
    union all
    select parent.id, parent.parent_id, up.level + 1, up.seen || parent.id
    from up join config_items as parent on parent.id = up.parent_id
    where not parent.id = any (up.seen)
  )
  select string_agg(up.id::text, '.' order by level desc) from up
$$;

create function lookup_config_children(id text, max_depth integer)
returns table (child_id uuid, parent_id uuid, level integer) language sql stable as $$
  with recursive down as (
    select config_items.id as child_id, config_items.parent_id, 0 as level, array[config_items.id] as seen
    from config_items where config_items.id = lookup_config_children.id::uuid
    union all
    select child.id, child.parent_id, down.level + 1, down.seen || child.id
    from down join config_items as child on child.parent_id = down.child_id
    where not child.id = any (down.seen)
      and down.level < case when max_depth < 0 then 10 else max_depth end
  )
  select child_id, parent_id, level from down order by level
$$;

create function lookup_config_relations(config_id text) returns table (id uuid) language sql stable as $$
  select r.related_id from config_relationships r where r.config_id = lookup_config_relations.config_id::uuid
  union
  select r.config_id from config_relationships r where r.related_id = lookup_config_relations.config_id::uuid
$$;

create view config_detail as
select config_items.id, config_items.agent_id, config_items.icon, config_items.scraper_id, config_items.config_class,
  config_items.status, config_items.health, config_items.ready, config_items.external_id, config_items.type,
  config_items.cost_per_minute, config_items.cost_total_1d, config_items.cost_total_7d,
  config_items.cost_total_30d, config_items.name, config_items.description, config_items.config,
  config_items.source, config_items.labels, config_items.tags, config_items.properties, config_items.parent_id,
  config_items.path, config_items.is_pushed, config_items.created_by,
  greatest(config_items.last_scraped_time,
    (select scrapes.last_scraped_time from config_item_scrapes as scrapes where scrapes.config_id = config_items.id)
  ) as last_scraped_time,
  config_items.created_at, config_items.updated_at, config_items.deleted_at, config_items.delete_reason,
  jsonb_build_object(
    'relationships',
      (select count(*) from config_relationships where config_relationships.config_id = config_items.id)
      + (select count(*) from config_relationships where config_relationships.related_id = config_items.id),
    'analysis',
      (select count(*) from config_analysis
       where config_analysis.config_id = config_items.id and last_observed > now() - interval '2 days'),
    'changes',
      case when config_items.deleted_at is null then
        (select count(*) from config_changes
         where config_changes.created_at > now() - interval '2 days'
           and config_changes.config_id in (
             select config_items.id
             union select related.id from related_config_ids_recursive(config_items.id, 'outgoing', 5) as related))
      else 0 end,
    'playbook_runs',
      (select count(*) from playbook_runs
       where playbook_runs.config_id = config_items.id and start_time > now() - interval '30 days'),
    'checks',
      (select count(*) from check_config_relationships
       where check_config_relationships.config_id = config_items.id and deleted_at is null)
  ) as summary,
  (select jsonb_agg(to_jsonb(components))
   from config_component_relationships as links join components on components.id = links.component_id
   where links.config_id = config_items.id) as components
from config_items;

-- Removes items with all that hangs on them, in any order: the keys between them are checked at the end.
create function drop_config_items(ids text[]) returns integer language plpgsql as $$
declare
  doomed uuid[] := ids::uuid[];
  dropped integer;
begin
  set constraints all deferred;
  delete from config_analysis where config_id = any (doomed);
  delete from config_changes where config_id = any (doomed);
  delete from config_relationships where config_id = any (doomed) or related_id = any (doomed);
  delete from check_config_relationships where config_id = any (doomed);
  delete from config_component_relationships where config_id = any (doomed);
  update config_items set parent_id = null where parent_id = any (doomed) and not id = any (doomed);
  delete from config_items where id = any (doomed);
  get diagnostics dropped = row_count;
  return dropped;
end $$;

-- Items soft-deleted for this long that no evidence, run or component points at, a thousand at a time.
create function delete_old_config_items(older_than_days integer) returns integer language plpgsql as $$
declare
  doomed text[];
  dropped integer := 0;
begin
  loop
    doomed := array(
      select config_items.id from config_items
      where deleted_at < now() - make_interval(days => older_than_days)
        and not exists (select from evidences where evidences.config_id = config_items.id)
        and not exists (select from evidences join config_changes on config_changes.id = evidences.config_change_id
                        where config_changes.config_id = config_items.id)
        and not exists (select from evidences join config_analysis on config_analysis.id = evidences.config_analysis_id
                        where config_analysis.config_id = config_items.id)
        and not exists (select from playbook_runs where playbook_runs.config_id = config_items.id)
        and not exists (select from components where components.config_id = config_items.id)
      limit 1000);
    exit when cardinality(doomed) = 0;
    dropped := dropped + drop_config_items(doomed);
  end loop;
  return dropped;
end $$;

create function constraint_is_deferrable("table" text, "constraint" text) returns boolean language sql stable as $$
  select coalesce(bool_or(condeferrable), false) from pg_constraint
  where conrelid = to_regclass($1) and conname = $2
$$;
