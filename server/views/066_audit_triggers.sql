-- Entries are added and read, nothing else. Clean-up by age says so first: set local quarterdeck.audit_retention = 'on'.
create function keep_audit_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('quarterdeck.audit_retention', true) = 'on' then
    return null;
  end if;
  raise exception 'The audit log can only be added to' using errcode = 'insufficient_privilege';
end $$;

create trigger keep_audit_log before update or delete or truncate on audit_log
  for each statement execute function keep_audit_log();
