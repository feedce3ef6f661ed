create table event_queue (
  id uuid primary key default generate_ulid(),
  name text not null,
  properties jsonb,
  error text,
  created_at timestamptz not null default now(),
  last_attempt timestamptz,
  attempts integer default 0,
  priority integer not null default 100,
  -- Set when the tries are used up: the row waits for a person or for clean-up, and no claim looks at it.
  dead_letter boolean not null default false
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 200);
-- A digest, because properties may hold a text longer than an index row.
create unique index event_queue_name_properties on event_queue (name, md5(coalesce(properties::text, '')));
create index event_queue_properties on event_queue using gin (properties);
create index event_queue_pop on event_queue (name, priority desc, created_at) include (attempts, last_attempt)
  where not dead_letter;
create index event_queue_created_at_idx on event_queue using brin (created_at);

create table job_history (
  id uuid primary key default generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  name text,
  success_count integer,
  error_count integer,
  details jsonb,
  hostname text,
  duration_millis integer,
  resource_type text,
  resource_id text,
  status text,
  time_start timestamptz,
  time_end timestamptz,
  created_at timestamptz not null default now(),
  is_pushed boolean not null default false
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index job_history_is_pushed_idx on job_history (is_pushed)
  where is_pushed is false and status in ('FAILED', 'WARNING');
create index job_history_resource_id_idx on job_history (resource_id, created_at desc, id desc);
create index job_history_failed_idx on job_history (resource_id, resource_type, time_start desc) where status = 'FAILED';
create index job_history_name_idx on job_history (name, created_at desc);
create index job_history_created_at_idx on job_history (created_at desc);
create index job_history_agent_id_idx on job_history (agent_id);
create index job_history_running_idx on job_history (created_at) where status = 'RUNNING';

create table artifacts (
  id uuid primary key default generate_ulid(),
  check_id uuid,
  check_time timestamptz,
  playbook_run_action_id uuid,
  connection_id uuid,
  path text not null,
  filename text not null,
  content_type text,
  size integer not null,
  checksum text not null,
  is_pushed boolean not null default false,
  is_data_pushed boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  expires_at timestamptz,
  constraint artifacts_checks_fkey foreign key (check_id) references checks (id),
  constraint artifacts_playbook_run_action_fkey foreign key (playbook_run_action_id) references playbook_run_actions (id)
);
create index artifacts_check_id_idx on artifacts (check_id, check_time) where check_id is not null;
create index artifacts_playbook_run_action_id_idx on artifacts (playbook_run_action_id)
  where playbook_run_action_id is not null;
create index artifacts_expires_at_idx on artifacts (expires_at) where expires_at is not null and deleted_at is null;
create index artifacts_is_pushed_idx on artifacts (is_pushed) where is_pushed is false;

-- Content of artifacts kept in the database, in pieces so that a large file is never one value.
create table artifact_blobs (
  artifact_id uuid not null references artifacts (id) on delete cascade,
  part integer not null,
  content bytea not null,
  primary key (artifact_id, part)
);
-- What is stored is often compressed already.
alter table artifact_blobs alter content set storage external;

create table audit_log (
  id uuid primary key default generate_ulid(),
  at timestamptz not null default now(),
  actor_id uuid,
  actor_name text,
  action text not null,
  object_type text,
  object_id text,
  details jsonb,
  ip text
);
create index audit_log_at_idx on audit_log (at desc);
create index audit_log_actor_id_idx on audit_log (actor_id, at desc);
create index audit_log_object_idx on audit_log (object_type, object_id, at desc);

create table worker_heartbeats (
  worker_id text primary key,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  roles text[] not null default '{}',
  hostname text
) with (fillfactor = 50);

-- Documents applied from files: what a file last said and which row it became.
create table resource_files (
  kind text not null,
  namespace text not null default '',
  name text not null,
  source text not null,
  hash text not null,
  resource_id uuid not null,
  applied_at timestamptz not null default now(),
  primary key (kind, namespace, name)
);
create index resource_files_source_idx on resource_files (source);
create index resource_files_resource_id_idx on resource_files (resource_id);

-- The last messages of the live stream, for consoles that come back. Unlogged: after a crash it is empty and
-- consoles refetch. The numbers come from a sequence of its own, which survives a crash.
create sequence live_change_ids;
create unlogged table live_changes (
  id bigint primary key,
  relation text not null,
  ids text[] not null,
  at timestamptz not null default clock_timestamp()
);
