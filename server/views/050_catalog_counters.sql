-- config_item_facts.changes follows config_changes. Rows are touched in key order, so two writers cannot lock crosswise, and
-- a count is added to the row as it is after waiting for the other writer.
create function add_change_counts(known json, steps json) returns json language sql immutable parallel safe as $$
  select json_agg(json_build_object('change_type', change_type, 'severity', severity, 'total', total)
    order by total desc, change_type, severity)
  from (
    select entry ->> 'change_type' as change_type, entry ->> 'severity' as severity, sum((entry ->> 'total')::bigint) as total
    from (select json_array_elements(known) as entry union all select json_array_elements(steps)) as entries
    group by 1, 2
    having sum((entry ->> 'total')::bigint) > 0
  ) as counted
$$;

create function count_config_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into config_item_facts as known (config_id, changes)
    select config_id, json_agg(json_build_object('change_type', change_type, 'severity', severity, 'total', total)
      order by total desc, change_type, severity)
    from (select config_id, change_type, severity, count(*) as total from new_rows group by 1, 2, 3) as added
    group by config_id order by config_id
    on conflict (config_id) do update set changes = add_change_counts(known.changes, excluded.changes);
  elsif tg_op = 'UPDATE' then
    insert into config_item_facts as known (config_id, changes)
    select config_id, json_agg(json_build_object('change_type', change_type, 'severity', severity, 'total', step))
    from (
      select config_id, change_type, severity, sum(step) as step
      from (
        select config_id, change_type, severity, -1 as step from old_rows
        union all
        select config_id, change_type, severity, 1 from new_rows
      ) as steps
      group by 1, 2, 3 having sum(step) <> 0
    ) as changed
    group by config_id order by config_id
    on conflict (config_id) do update set changes = add_change_counts(known.changes, excluded.changes);
  else
    update config_item_facts as known set changes = add_change_counts(known.changes, gone.steps)
    from (
      select config_id, json_agg(json_build_object('change_type', change_type, 'severity', severity, 'total', -1)) as steps
      from old_rows group by config_id
    ) as gone
    where known.config_id = gone.config_id;
    delete from config_item_facts
    where changes is null and analysis is null and config_id in (select config_id from old_rows);
  end if;
  return null;
end $$;

create trigger count_inserted after insert on config_changes
  referencing new table as new_rows for each statement execute function count_config_changes();
create trigger count_updated after update on config_changes
  referencing old table as old_rows new table as new_rows for each statement execute function count_config_changes();
create trigger count_deleted after delete on config_changes
  referencing old table as old_rows for each statement execute function count_config_changes();

-- config_item_facts.analysis follows config_analysis. Each row is locked before the insights of its item are read, so
-- that of two writers the later one reads what the earlier one wrote.
create function keep_open_insights(items uuid[]) returns void language plpgsql as $$
begin
  insert into config_item_facts (config_id) select item from unnest(items) as item order by item on conflict do nothing;
  perform from config_item_facts where config_id = any (items) order by config_id for update;
  update config_item_facts as known set analysis = (
    select json_agg(json_build_object('analyzer', analyzer, 'analysis_type', analysis_type, 'severity', severity) order by id)
    from config_analysis where config_analysis.config_id = known.config_id and status = 'open')
  where known.config_id = any (items);
  delete from config_item_facts where config_id = any (items) and changes is null and analysis is null;
end $$;

create function note_open_insights() returns trigger language plpgsql as $$
declare
  items uuid[];
begin
  if tg_op = 'INSERT' then
    items := array(select distinct config_id from new_rows where status = 'open');
  elsif tg_op = 'DELETE' then
    items := array(select distinct config_id from old_rows where status = 'open');
  else
    -- Most updates only say that an insight was seen again.
    items := array(
      select distinct item from old_rows o join new_rows n using (id), unnest(array[o.config_id, n.config_id]) as item
      where (o.config_id, o.analyzer, o.analysis_type, o.severity, o.status = 'open')
        is distinct from (n.config_id, n.analyzer, n.analysis_type, n.severity, n.status = 'open'));
  end if;
  if cardinality(items) > 0 then
    perform keep_open_insights(items);
  end if;
  return null;
end $$;

create trigger note_inserted after insert on config_analysis
  referencing new table as new_rows for each statement execute function note_open_insights();
create trigger note_updated after update on config_analysis
  referencing old table as old_rows new table as new_rows for each statement execute function note_open_insights();
create trigger note_deleted after delete on config_analysis
  referencing old table as old_rows for each statement execute function note_open_insights();

-- Tags and labels of one document as rows; values too long for an index are no use in a filter list.
create function config_value_pairs(tags jsonb, labels jsonb) returns table (kind text, key text, value text)
language sql immutable parallel safe rows 8 as $$
  select pairs.kind, entry.key, entry.value
  from (values ('tag', tags), ('label', labels)) as pairs (kind, document),
    lateral jsonb_each_text(case jsonb_typeof(document) when 'object' then document end) as entry
  where entry.value is not null and octet_length(entry.key) + octet_length(entry.value) <= 1000
$$;

create function count_config_values() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into config_values (kind, key, value, refs)
    select pair.kind, pair.key, pair.value, count(*)
    from new_rows, lateral config_value_pairs(tags, labels) as pair
    where deleted_at is null group by 1, 2, 3;
  elsif tg_op = 'UPDATE' then
    insert into config_values (kind, key, value, refs)
    select pair.kind, pair.key, pair.value, sum(step)
    from (
      select version.step, version.tags, version.labels
      from old_rows o join new_rows n using (id),
        lateral (values (-1, o.deleted_at, o.tags, o.labels), (1, n.deleted_at, n.tags, n.labels)) as version (step, deleted_at, tags, labels)
      where (o.deleted_at is null, o.tags, o.labels) is distinct from (n.deleted_at is null, n.tags, n.labels)
        and version.deleted_at is null
    ) as versions, lateral config_value_pairs(tags, labels) as pair
    group by 1, 2, 3 having sum(step) <> 0;
  else
    insert into config_values (kind, key, value, refs)
    select pair.kind, pair.key, pair.value, -count(*)
    from old_rows, lateral config_value_pairs(tags, labels) as pair
    where deleted_at is null group by 1, 2, 3;
  end if;
  return null;
end $$;

create trigger count_values_inserted after insert on config_items
  referencing new table as new_rows for each statement execute function count_config_values();
create trigger count_values_updated after update on config_items
  referencing old table as old_rows new table as new_rows for each statement execute function count_config_values();
create trigger count_values_deleted after delete on config_items
  referencing old table as old_rows for each statement execute function count_config_values();

-- Folds the appended counts into one row per pair; readers see the same sums before and after. One run at a time.
create function compact_config_values() returns integer language plpgsql as $$
declare
  folded integer;
begin
  if not pg_try_advisory_xact_lock(20804, 3) then
    return 0;
  end if;
  with crowded as (
    select kind, key, value from config_values group by 1, 2, 3 having count(*) > 1 or sum(refs) <= 0
  ), taken as (
    delete from config_values c using crowded
    where (c.kind, c.key, c.value) = (crowded.kind, crowded.key, crowded.value)
    returning c.kind, c.key, c.value, c.refs
  )
  insert into config_values (kind, key, value, refs)
  select kind, key, value, sum(refs) from taken group by 1, 2, 3 having sum(refs) <> 0;
  get diagnostics folded = row_count;
  return folded;
end $$;
