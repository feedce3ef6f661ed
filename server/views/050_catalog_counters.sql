-- config_change_counts follows config_changes. Rows are touched in key order, so two writers cannot lock crosswise.
create function count_config_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into config_change_counts as known (config_id, change_type, severity, total)
    select config_id, coalesce(change_type, ''), coalesce(severity, ''), count(*)
    from new_rows group by 1, 2, 3 order by 1, 2, 3
    on conflict (config_id, change_type, severity) do update set total = known.total + excluded.total;
  elsif tg_op = 'UPDATE' then
    insert into config_change_counts as known (config_id, change_type, severity, total)
    select config_id, change_type, severity, sum(step)
    from (
      select config_id, coalesce(change_type, '') as change_type, coalesce(severity, '') as severity, -1 as step from old_rows
      union all
      select config_id, coalesce(change_type, ''), coalesce(severity, ''), 1 from new_rows
    ) as steps
    group by 1, 2, 3 having sum(step) <> 0 order by 1, 2, 3
    on conflict (config_id, change_type, severity) do update set total = known.total + excluded.total;
    if found then
      delete from config_change_counts where total <= 0 and config_id in (select config_id from old_rows);
    end if;
  else
    with gone as (
      select config_id, coalesce(change_type, '') as change_type, coalesce(severity, '') as severity, count(*) as total
      from old_rows group by 1, 2, 3
    ), reduced as (
      update config_change_counts as known set total = known.total - gone.total
      from gone
      where (known.config_id, known.change_type, known.severity) = (gone.config_id, gone.change_type, gone.severity)
        and known.total > gone.total
      returning known.config_id
    )
    delete from config_change_counts as known using gone
    where (known.config_id, known.change_type, known.severity) = (gone.config_id, gone.change_type, gone.severity)
      and known.total <= gone.total;
  end if;
  return null;
end $$;

create trigger count_inserted after insert on config_changes
  referencing new table as new_rows for each statement execute function count_config_changes();
create trigger count_updated after update on config_changes
  referencing old table as old_rows new table as new_rows for each statement execute function count_config_changes();
create trigger count_deleted after delete on config_changes
  referencing old table as old_rows for each statement execute function count_config_changes();

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
