-- Lists of runs count exactly what matches. Each index answers one filter, with the others' columns beside it, so that
-- counting never reads the rows themselves.
drop index job_history_created_at_idx;
create index job_history_created_at_idx on job_history (created_at desc) include (status, name, resource_type, duration_millis);
drop index job_history_name_idx;
create index job_history_name_idx on job_history (name, created_at desc) include (status, resource_type, duration_millis);
create index job_history_status_idx on job_history (status, created_at desc) include (name, resource_type, duration_millis);
create index job_history_resource_type_idx on job_history (resource_type, created_at desc)
  include (status, name, duration_millis);
