-- updated_at and is_pushed, on every table that has the column. Conditions are on the trigger and not in the function:
-- a row they do not concern costs next to nothing.
create function set_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at = now();
  return new;
end $$;

create function unset_is_pushed() returns trigger language plpgsql as $$
begin
  new.is_pushed = false;
  return new;
end $$;

-- `set_…` sorts before `unset_…`: the second changes is_pushed, which would hide the update from the first.
do $$
declare
  relation record;
  conditions text[];
  content text;
begin
  for relation in
    select c.relname as name, array_agg(a.attname::text) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'migration\_%'
    group by c.oid, c.relname
  loop
    if 'updated_at' = any (relation.columns) then
      -- The document or the definition is what "updated" means for these two.
      content := case relation.name when 'config_items' then 'config' when 'canaries' then 'spec' else '*' end;
      conditions := array[]::text[];
      if 'agent_id' = any (relation.columns) then
        conditions := conditions || 'coalesce(old.agent_id = ''00000000-0000-0000-0000-000000000000'', true)'::text;
      end if;
      if 'is_pushed' = any (relation.columns) then
        conditions := conditions || 'old.is_pushed = new.is_pushed'::text;
      end if;
      -- Being used is no change of what it is.
      if 'last_used_at' = any (relation.columns) then
        conditions := conditions || 'old.last_used_at is not distinct from new.last_used_at'::text;
      end if;
      if 'deleted_at' = any (relation.columns) then
        conditions := conditions || 'new.deleted_at is null'::text;
      end if;
      conditions := conditions || format('old.%1$s is distinct from new.%1$s', content);
      execute format('create trigger set_updated_at before update %s on %I for each row when (%s) execute function set_updated_at()',
        case content when '*' then '' else 'of ' || content end, relation.name, array_to_string(conditions, ' and '));
    end if;
    if relation.name in ('artifacts', 'topologies', 'config_scrapers', 'canaries', 'components', 'checks', 'config_items',
      'config_analysis', 'config_changes', 'check_statuses', 'component_relationships', 'check_component_relationships',
      'config_component_relationships', 'config_relationships', 'check_config_relationships')
    then
      execute format('create trigger unset_is_pushed before update on %I for each row
        when (old.is_pushed and new.is_pushed and old.* is distinct from new.*) execute function unset_is_pushed()', relation.name);
    end if;
  end loop;
end $$;
