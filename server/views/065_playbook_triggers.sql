create function notify_playbook_updated() returns trigger language plpgsql as $$
begin
  perform pg_notify('playbook_updated', new.id::text);
  if new.spec -> 'approval' <> old.spec -> 'approval' then
    perform queue_event('playbook.spec.approval.updated', jsonb_build_object('id', new.id));
  end if;
  return null;
end $$;

create trigger notify_updated after update on playbooks for each row execute function notify_playbook_updated();

create function queue_playbook_approval() returns trigger language plpgsql as $$
begin
  perform queue_event('playbook.approval.inserted', jsonb_build_object('id', new.id, 'run_id', new.run_id));
  return null;
end $$;

create trigger queue_approval after insert on playbook_approvals
  for each row execute function queue_playbook_approval();

create function notify_channel() returns trigger language plpgsql as $$
begin
  perform pg_notify(tg_argv[0], '');
  return null;
end $$;

create trigger notify_inserted after insert on playbook_runs
  for each row execute function notify_channel('playbook_run_updates');
create trigger notify_scheduled after update of status on playbook_runs
  for each row when (old.status is distinct from new.status and new.status = 'scheduled')
  execute function notify_channel('playbook_run_updates');
create trigger notify_inserted after insert on playbook_run_actions
  for each row execute function notify_channel('playbook_action_updates');
create trigger notify_scheduled after update of status on playbook_run_actions
  for each row when (old.status is distinct from new.status and new.status = 'scheduled')
  execute function notify_channel('playbook_action_updates');
