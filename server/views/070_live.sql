-- Tells open consoles which rows changed: one message per statement, whatever its size. More than 50 rows, or ids too
-- long to send, make a message without ids: "any row".
create function announce_change(relation text, changed_ids text[]) returns void language plpgsql as $$
declare
  number bigint := nextval('live_change_ids');
  sent_ids text[] := case when cardinality(changed_ids) <= 50 then changed_ids else '{}' end;
  message text := json_build_object('id', number, 'relation', relation, 'ids', sent_ids);
begin
  if octet_length(message) > 7500 then
    sent_ids := '{}';
    message := json_build_object('id', number, 'relation', relation, 'ids', sent_ids);
  end if;
  insert into live_changes (id, relation, ids) values (number, announce_change.relation, sent_ids);
  perform pg_notify('quarterdeck_live', message);
end $$;

-- Queues change row by row and nobody looks at single rows: once per transaction is enough.
create function announce_once() returns trigger language plpgsql as $$
begin
  if current_setting('quarterdeck.announced_' || tg_table_name, true) = 'yes' then
    return null;
  end if;
  -- A statement that touched nothing is no news either: consumers look into empty queues all the time.
  if tg_op = 'DELETE' then
    perform from old_rows;
  else
    perform from new_rows;
  end if;
  if found then
    perform set_config('quarterdeck.announced_' || tg_table_name, 'yes', true), announce_change(tg_table_name, '{}');
  end if;
  return null;
end $$;

-- A scrape touches last_scraped_time of everything it saw; that is no news.
create function announce_config_items() returns trigger language plpgsql as $$
declare
  changed_ids text[] := array(
    select n.id from old_rows o join new_rows n using (id)
    where (o.name, o.type, o.config_class, o.status, o.health, o.ready, o.icon, o.description, o.updated_at, o.deleted_at,
           o.parent_id, o.path, o.scraper_id, o.cost_per_minute, o.cost_total_1d, o.cost_total_7d, o.cost_total_30d,
           o.labels, o.tags, o.properties)
      is distinct from
          (n.name, n.type, n.config_class, n.status, n.health, n.ready, n.icon, n.description, n.updated_at, n.deleted_at,
           n.parent_id, n.path, n.scraper_id, n.cost_per_minute, n.cost_total_1d, n.cost_total_7d, n.cost_total_30d,
           n.labels, n.tags, n.properties)
    limit 51);
begin
  if cardinality(changed_ids) > 0 then
    perform announce_change(tg_table_name, changed_ids);
  end if;
  return null;
end $$;

-- Every run moves last_runtime of its check; news is a state that flips, or a check that is edited. The runs themselves
-- are told by check_statuses, with their check, to whoever has it open.
create function announce_checks() returns trigger language plpgsql as $$
declare
  changed_ids text[] := array(
    select n.id from old_rows o join new_rows n using (id)
    where (o.status, o.name, o.type, o.namespace, o.description, o.icon, o.spec, o.labels, o.owner, o.severity,
           o.silenced_at, o.deleted_at, o.last_runtime is null)
      is distinct from
          (n.status, n.name, n.type, n.namespace, n.description, n.icon, n.spec, n.labels, n.owner, n.severity,
           n.silenced_at, n.deleted_at, n.last_runtime is null)
    limit 51);
begin
  if cardinality(changed_ids) > 0 then
    perform announce_change(tg_table_name, changed_ids);
  end if;
  return null;
end $$;

-- Keeps the newest messages; called by a worker every minute or so.
create function prune_live_changes(keep bigint default 5000) returns bigint language sql as $$
  with pruned as (
    delete from live_changes where id <= (select last_value from live_change_ids) - keep returning 1
  )
  select count(*) from pruned
$$;

-- One function per id column, made from this text: a plan is then kept per function and table, which a statement put
-- together at run time would not have.
do $$
declare
  watched record;
  id_column text;
begin
  foreach id_column in array array['id', 'name', 'v0', 'team_id', 'check_id', 'config_id', 'component_id', 'incident_id',
    'hypothesis_id', 'playbook_run_id', 'run_id', 'notification_id']
  loop
    execute format($function$
      create function announce_by_%1$s() returns trigger language plpgsql as $body$
      declare
        changed_ids text[];
      begin
        if tg_op = 'DELETE' then
          changed_ids := array(select distinct %1$I from old_rows limit 51);
        else
          changed_ids := array(select distinct %1$I from new_rows limit 51);
        end if;
        if cardinality(changed_ids) > 0 then
          perform announce_change(tg_table_name, changed_ids);
        end if;
        return null;
      end $body$ $function$, id_column);
  end loop;

  for watched in
    select * from (values
      ('agents', 'id'), ('people', 'id'), ('teams', 'id'), ('team_members', 'team_id'), ('identities', 'id'),
      ('properties', 'name'), ('casbin_rule', 'v0'), ('canaries', 'id'), ('checks', 'id'), ('check_statuses', 'check_id'),
      ('check_component_relationships', 'check_id'),
      ('check_config_relationships', 'check_id'), ('config_scrapers', 'id'), ('config_items', 'id'),
      ('config_changes', 'config_id'), ('config_analysis', 'config_id'), ('config_relationships', 'config_id'),
      ('config_component_relationships', 'component_id'), ('topologies', 'id'), ('components', 'id'),
      ('component_relationships', 'component_id'), ('team_components', 'component_id'), ('incidents', 'id'),
      ('incident_rules', 'id'), ('incident_histories', 'incident_id'), ('incident_relationships', 'incident_id'),
      ('hypotheses', 'incident_id'), ('evidences', 'hypothesis_id'), ('responders', 'incident_id'),
      ('comments', 'incident_id'), ('playbooks', 'id'), ('playbook_runs', 'id'), ('playbook_run_actions', 'playbook_run_id'),
      ('playbook_approvals', 'run_id'), ('notifications', 'id'), ('notification_send_history', 'notification_id'),
      ('connections', 'id'), ('logging_backends', 'id'), ('integrations', 'id'), ('saved_query', 'id'),
      ('job_history', 'id'), ('artifacts', 'id')
    ) as watched (relation, id_column)
  loop
    execute format('create trigger announce_inserted after insert on %I referencing new table as new_rows
      for each statement execute function announce_by_%s()', watched.relation, watched.id_column);
    if watched.relation not in ('config_items', 'checks') then
      execute format('create trigger announce_updated after update on %I referencing new table as new_rows
        for each statement execute function announce_by_%s()', watched.relation, watched.id_column);
    end if;
    execute format('create trigger announce_deleted after delete on %I referencing old table as old_rows
      for each statement execute function announce_by_%s()', watched.relation, watched.id_column);
  end loop;
end $$;

create trigger announce_updated after update on config_items referencing old table as old_rows new table as new_rows
  for each statement execute function announce_config_items();
create trigger announce_updated after update on checks referencing old table as old_rows new table as new_rows
  for each statement execute function announce_checks();
create trigger announce_inserted after insert on event_queue referencing new table as new_rows
  for each statement execute function announce_once();
create trigger announce_updated after update on event_queue referencing new table as new_rows
  for each statement execute function announce_once();
create trigger announce_deleted after delete on event_queue referencing old table as old_rows
  for each statement execute function announce_once();
