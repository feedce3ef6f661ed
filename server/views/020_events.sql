-- The event queue: one row per distinct (name, properties); queuing again makes the row fresh.
create function queue_event(event text, event_properties jsonb) returns void language sql as $$
  insert into event_queue (name, properties) values (event, event_properties)
  on conflict (name, md5(coalesce(properties::text, ''))) do update
    set created_at = now(), last_attempt = null, attempts = 0, dead_letter = false
$$;

create function notify_event_queue() returns trigger language plpgsql as $$
declare
  event text;
begin
  for event in select distinct name from new_rows loop
    perform pg_notify('event_queue_updates', left(event, 1000));
  end loop;
  return null;
end $$;

create trigger notify_event_queue after insert on event_queue
  referencing new table as new_rows for each statement execute function notify_event_queue();

-- The person on whose behalf the transaction runs (set local quarterdeck.person_id), else the given one.
create function acting_person(otherwise uuid) returns uuid language sql stable as $$
  select coalesce(nullif(current_setting('quarterdeck.person_id', true), '')::uuid, otherwise)
$$;
