create function name_config_item() returns trigger language plpgsql as $$
begin
  new.name = right(new.id::text, 12);
  return new;
end $$;

create trigger name_config_item before insert on config_items
  for each row when (coalesce(new.name, '') = '') execute function name_config_item();

create function queue_config_created() returns trigger language plpgsql as $$
begin
  insert into event_queue (name, properties)
  select 'config.created', jsonb_build_object('id', id) from new_rows order by id
  on conflict (name, md5(coalesce(properties::text, ''))) do update
    set created_at = now(), last_attempt = null, attempts = 0, dead_letter = false;
  return null;
end $$;

create trigger queue_created after insert on config_items
  referencing new table as new_rows for each statement execute function queue_config_created();

create function queue_config_changed() returns trigger language plpgsql as $$
begin
  perform queue_event(tg_argv[0], jsonb_build_object('id', new.id));
  return null;
end $$;

create trigger queue_deleted after update of deleted_at on config_items
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function queue_config_changed('config.deleted');
-- Only updates that name the document fire this, so touching an unchanged item never reads it.
create trigger queue_updated after update of config on config_items
  for each row when (not (old.deleted_at is null and new.deleted_at is not null) and old.config <> new.config)
  execute function queue_config_changed('config.updated');

-- Shared by config items and components: config.healthy, component.unknown, ...
create function queue_health_event() returns trigger language plpgsql as $$
begin
  perform queue_event(
    tg_argv[0] || '.' || coalesce(nullif(new.health, ''), 'unknown'),
    jsonb_build_object('id', new.id, 'status', new.status, 'description', new.description));
  return null;
end $$;

create trigger queue_health after update of health on config_items
  for each row when (old.health is distinct from new.health) execute function queue_health_event('config');

-- parent_id is also an edge of the relationship graph, of the kind `hard`. A scrape inserts thousands of items, so they
-- are related a statement at a time; a changed parent is rare.
create function relate_to_parents() returns trigger language plpgsql as $$
begin
  insert into config_relationships (config_id, related_id, relation)
  select parent_id, id, 'hard' from new_rows where parent_id is not null
  on conflict (related_id, config_id, relation) do update set deleted_at = null
    where config_relationships.deleted_at is not null;
  return null;
end $$;

create trigger relate_to_parents after insert on config_items
  referencing new table as new_rows for each statement execute function relate_to_parents();

create function relate_to_new_parent() returns trigger language plpgsql as $$
begin
  delete from config_relationships where config_id = old.parent_id and related_id = new.id and relation = 'hard';
  if new.parent_id is not null then
    insert into config_relationships (config_id, related_id, relation) values (new.parent_id, new.id, 'hard')
    on conflict (related_id, config_id, relation) do update set deleted_at = null
      where config_relationships.deleted_at is not null;
  end if;
  return null;
end $$;

create trigger relate_to_new_parent after update of parent_id on config_items
  for each row when (old.parent_id is distinct from new.parent_id) execute function relate_to_new_parent();

-- Marks items that a scrape found unchanged; cheap, see the table.
create function touch_config_items(ids uuid[], seen_at timestamptz default now()) returns void language sql as $$
  insert into config_item_scrapes as known (config_id, last_scraped_time)
  select distinct id, seen_at from unnest(ids) as id order by id
  on conflict (config_id) do update set last_scraped_time = excluded.last_scraped_time
    where known.last_scraped_time < excluded.last_scraped_time
$$;
