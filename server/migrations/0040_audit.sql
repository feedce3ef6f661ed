-- How it ended, what it was done to by name (the row may be gone when somebody reads this), and with what.
alter table audit_log
  add column outcome text not null default 'success' check (outcome in ('success', 'failure')),
  add column object_name text,
  add column user_agent text;
create index audit_log_action_idx on audit_log (action, at desc);
