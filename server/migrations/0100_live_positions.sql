-- The transaction of each change: a reader that knows a snapshot can be told exactly what it does not hold yet.
alter table live_changes add column transaction xid8 not null default pg_current_xact_id();
