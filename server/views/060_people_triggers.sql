-- A new identity of the built-in provider is a new person with the same id; the person follows its traits.
create function person_of_identity() returns trigger language plpgsql as $$
declare
  their_email text := nullif(new.traits ->> 'email', '');
  -- The name is a text or {first, last}.
  their_name text := nullif(trim(case jsonb_typeof(new.traits -> 'name')
    when 'string' then new.traits ->> 'name'
    else concat_ws(' ', new.traits #>> '{name,first}', new.traits #>> '{name,last}') end), '');
begin
  if tg_op = 'INSERT' then
    insert into people (id, name, email) values (new.id, coalesce(their_name, their_email, 'Unnamed'), their_email)
    on conflict (id) do update set name = excluded.name, email = excluded.email, deleted_at = null;
  else
    update people set name = coalesce(their_name, name), email = their_email
    where id = new.id and (name, email) is distinct from (coalesce(their_name, name), their_email);
  end if;
  return null;
end $$;

create trigger person_of_new_identity after insert on identities
  for each row execute function person_of_identity();
create trigger person_of_changed_identity after update of traits on identities
  for each row when (old.traits is distinct from new.traits) execute function person_of_identity();

-- A removed identity leaves its person behind, marked, for the history; its tokens stop working and its e-mail is free.
create function retire_person() returns trigger language plpgsql as $$
begin
  update people set deleted_at = now() where id = old.id and deleted_at is null;
  delete from team_members where person_id = old.id;
  update access_tokens set expires_at = now() where person_id = old.id and (expires_at is null or expires_at > now());
  return null;
end $$;

create trigger retire_person after delete on identities for each row execute function retire_person();

create function set_state_changed_at() returns trigger language plpgsql as $$
begin
  new.state_changed_at = now();
  return new;
end $$;

create trigger set_state_changed_at before update of state on identities
  for each row when (old.state is distinct from new.state) execute function set_state_changed_at();

create function notify_table_activity() returns trigger language plpgsql as $$
begin
  perform pg_notify('table_activity', tg_table_name || ' ' || old.id);
  return null;
end $$;

create trigger notify_table_activity after update or delete on teams
  for each row execute function notify_table_activity();
create trigger notify_table_activity after update or delete on notifications
  for each row execute function notify_table_activity();

create function release_team() returns trigger language plpgsql as $$
begin
  delete from team_components where team_id = new.id;
  return null;
end $$;

create trigger release_team after update of deleted_at on teams
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function release_team();

-- A rule that could not be evaluated gets another try when the team it sends to changes.
create function clear_team_notification_errors() returns trigger language plpgsql as $$
begin
  update notifications set error = null where team_id = new.id and error is not null;
  return null;
end $$;

create trigger clear_notification_errors after update of spec on teams
  for each row when (old.spec is distinct from new.spec) execute function clear_team_notification_errors();

create function clear_notification_error() returns trigger language plpgsql as $$
begin
  new.error = null;
  return new;
end $$;

create trigger clear_error before update of filter, custom_services, team_id on notifications
  for each row when (new.error is not null
    and (old.filter, old.custom_services, old.team_id) is distinct from (new.filter, new.custom_services, new.team_id))
  execute function clear_notification_error();

-- What an agent owns, marked as deleted. Never for this server itself.
create function delete_agent_resources(agent uuid, "time" timestamptz) returns void language plpgsql as $$
begin
  if agent = '00000000-0000-0000-0000-000000000000' then
    return;
  end if;
  update topologies set deleted_at = "time" where agent_id = agent and deleted_at is null;
  update components set deleted_at = "time" where agent_id = agent and deleted_at is null;
  update canaries set deleted_at = "time" where agent_id = agent and deleted_at is null;
  update checks set deleted_at = "time" where agent_id = agent and deleted_at is null;
  update config_scrapers set deleted_at = "time" where agent_id = agent and deleted_at is null;
  update config_items set deleted_at = "time" where agent_id = agent and deleted_at is null;
  update logging_backends set deleted_at = "time" where agent_id = agent and deleted_at is null;
end $$;

create function expire_agent_tokens() returns trigger language plpgsql as $$
begin
  update access_tokens set expires_at = now()
  where person_id = old.person_id and (expires_at is null or expires_at > now());
  if tg_op = 'DELETE' then
    return old;
  end if;
  if new.cleanup then
    perform delete_agent_resources(new.id, new.deleted_at);
  end if;
  return null;
end $$;

create trigger expire_tokens_of_deleted after update of deleted_at on agents
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function expire_agent_tokens();
create trigger expire_tokens_of_removed before delete on agents
  for each row execute function expire_agent_tokens();
