-- Tells open consoles which rows changed: one message per statement, whatever its size. The first argument names the
-- column that holds the ids. More than 50 rows, or ids too long to send, make a message without ids: "any row".
create function notify_live() returns trigger language plpgsql as $$
declare
  id_column text := tg_argv[0];
  found_ids text[];
  message text;
  number bigint;
begin
  if tg_op = 'DELETE' then
    execute format('select array(select distinct %I::text from old_rows limit 51)', id_column) into found_ids;
  else
    execute format('select array(select distinct %I::text from new_rows limit 51)', id_column) into found_ids;
  end if;
  if cardinality(found_ids) = 0 then
    return null;
  elsif cardinality(found_ids) > 50 then
    found_ids := '{}';
  end if;
  number := nextval('live_change_ids');
  message := json_build_object('id', number, 'relation', tg_table_name, 'ids', found_ids)::text;
  if octet_length(message) > 7500 then
    found_ids := '{}';
    message := json_build_object('id', number, 'relation', tg_table_name, 'ids', found_ids)::text;
  end if;
  insert into live_changes (id, relation, ids) values (number, tg_table_name, found_ids);
  perform pg_notify('quarterdeck_live', message);
  return null;
end $$;

-- A scrape touches last_scraped_time of everything it saw; that is no news.
create function notify_live_config_items() returns trigger language plpgsql as $$
declare
  found_ids text[];
  number bigint;
begin
  found_ids := array(
    select n.id::text from old_rows o join new_rows n using (id)
    where (o.name, o.type, o.config_class, o.status, o.health, o.ready, o.icon, o.description, o.updated_at, o.deleted_at,
           o.parent_id, o.path, o.scraper_id, o.cost_per_minute, o.cost_total_1d, o.cost_total_7d, o.cost_total_30d,
           o.labels, o.tags, o.properties)
      is distinct from
          (n.name, n.type, n.config_class, n.status, n.health, n.ready, n.icon, n.description, n.updated_at, n.deleted_at,
           n.parent_id, n.path, n.scraper_id, n.cost_per_minute, n.cost_total_1d, n.cost_total_7d, n.cost_total_30d,
           n.labels, n.tags, n.properties)
    limit 51);
  if cardinality(found_ids) = 0 then
    return null;
  elsif cardinality(found_ids) > 50 then
    found_ids := '{}';
  end if;
  number := nextval('live_change_ids');
  insert into live_changes (id, relation, ids) values (number, 'config_items', found_ids);
  perform pg_notify('quarterdeck_live', json_build_object('id', number, 'relation', 'config_items', 'ids', found_ids)::text);
  return null;
end $$;

-- Keeps the newest messages; called by a worker every minute or so.
create function prune_live_changes(keep bigint default 5000) returns bigint language sql as $$
  with pruned as (
    delete from live_changes where id <= (select last_value from live_change_ids) - keep returning 1
  )
  select count(*) from pruned
$$;

do $$
declare
  watched record;
begin
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
      ('event_queue', 'name'), ('job_history', 'id'), ('artifacts', 'id')
    ) as watched (relation, id_column)
  loop
    execute format('create trigger notify_live_inserted after insert on %I referencing new table as new_rows
      for each statement execute function notify_live(%L)', watched.relation, watched.id_column);
    if watched.relation = 'config_items' then
      create trigger notify_live_updated after update on config_items referencing old table as old_rows new table as new_rows
        for each statement execute function notify_live_config_items();
    else
      execute format('create trigger notify_live_updated after update on %I referencing new table as new_rows
        for each statement execute function notify_live(%L)', watched.relation, watched.id_column);
    end if;
    execute format('create trigger notify_live_deleted after delete on %I referencing old table as old_rows
      for each statement execute function notify_live(%L)', watched.relation, watched.id_column);
  end loop;
end $$;
