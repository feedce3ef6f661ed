create function set_last_transition_time() returns trigger language plpgsql as $$
begin
  new.last_transition_time = now();
  return new;
end $$;

create trigger set_last_transition_time before update of status on checks
  for each row when (old.status is distinct from new.status) execute function set_last_transition_time();

create function queue_check_event() returns trigger language plpgsql as $$
begin
  perform queue_event(
    case new.status when 'healthy' then 'check.passed' else 'check.failed' end,
    jsonb_build_object('id', new.id, 'last_runtime', new.last_runtime));
  return null;
end $$;

create trigger queue_check_event after update of status on checks
  for each row when (old.status is distinct from new.status and new.status in ('healthy', 'unhealthy'))
  execute function queue_check_event();

create function delete_links_of_check() returns trigger language plpgsql as $$
begin
  update check_component_relationships set deleted_at = new.deleted_at where check_id = new.id and deleted_at is null;
  update check_config_relationships set deleted_at = new.deleted_at where check_id = new.id and deleted_at is null;
  return null;
end $$;

create trigger delete_links after update of deleted_at on checks
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function delete_links_of_check();

create function delete_checks_of_canary() returns trigger language plpgsql as $$
begin
  update checks set deleted_at = new.deleted_at where canary_id = new.id and deleted_at is null;
  update check_component_relationships set deleted_at = new.deleted_at where canary_id = new.id and deleted_at is null;
  update check_config_relationships set deleted_at = new.deleted_at where canary_id = new.id and deleted_at is null;
  return null;
end $$;

create trigger delete_checks after update of deleted_at on canaries
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function delete_checks_of_canary();
