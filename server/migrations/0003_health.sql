create table canaries (
  id uuid primary key default generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  name text not null,
  namespace text not null,
  labels jsonb,
  annotations jsonb,
  spec jsonb not null,
  source text,
  is_pushed boolean not null default false,
  created_at timestamptz default now(),
  created_by uuid,
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  constraint canaries_agent_id_fkey foreign key (agent_id) references agents (id),
  constraint canaries_created_by_fkey foreign key (created_by) references people (id)
);
create unique index canaries_name_namespace_source_key on canaries (agent_id, name, namespace, source)
  where deleted_at is null and agent_id = '00000000-0000-0000-0000-000000000000'::uuid;
create unique index canaries_name_namespace_no_source_key on canaries (agent_id, name, namespace)
  where deleted_at is null and agent_id = '00000000-0000-0000-0000-000000000000'::uuid and source is null;
create index canaries_is_pushed_idx on canaries (is_pushed) where is_pushed is false;
create index canaries_source_idx on canaries (source);
create index canaries_agent_id_idx on canaries (agent_id);
create index canaries_deleted_at_idx on canaries (deleted_at) where deleted_at is not null;

create table checks (
  id uuid primary key default generate_ulid(),
  canary_id uuid not null,
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  type text not null,
  name text not null,
  namespace text,
  description text,
  icon text,
  spec jsonb,
  labels jsonb,
  owner text,
  severity text,
  category text,
  is_pushed boolean not null default false,
  transformed boolean,
  last_runtime timestamptz,
  last_transition_time timestamptz,
  next_runtime timestamptz,
  silenced_at timestamptz,
  status text,
  created_at timestamptz,
  updated_at timestamptz,
  deleted_at timestamptz,
  constraint checks_canary_id_type_name_agent_id_key unique (canary_id, type, name, agent_id),
  constraint checks_canary_id_fkey foreign key (canary_id) references canaries (id) on delete cascade,
  constraint checks_agent_id_fkey foreign key (agent_id) references agents (id)
) with (fillfactor = 70);
create index checks_canary_id_transformed_idx on checks (canary_id, transformed);
create index checks_is_pushed_idx on checks (is_pushed) where is_pushed is false;
create index idx_checks_agent on checks (agent_id);
create index idx_checks_deleted_at on checks (deleted_at);
create index checks_name_idx on checks (name) where deleted_at is null;
-- Every result updates last_runtime and status: neither is indexed and pages keep room, so these stay in the page.
alter table checks set (autovacuum_vacuum_scale_factor = 0.05);

-- One row per run. Daily partitions (see partitions.ts); rows outside every day land in the default partition.
create table check_statuses (
  check_id uuid not null,
  details jsonb,
  duration integer,
  error text,
  time timestamptz not null,
  created_at timestamptz not null default now(),
  invalid boolean,
  message text,
  status boolean,
  severity text,
  is_pushed boolean not null default false,
  primary key (check_id, time),
  constraint check_statuses_check_id_fkey foreign key (check_id) references checks (id) on delete cascade
) partition by range (time);
create table quarterdeck_partitions.check_statuses_default partition of check_statuses default;

-- Roll-ups: the spec's columns, then a histogram of durations (bounds: function latency_bounds) that adds up
-- over buckets, so that percentiles over any range come from here.
create table check_statuses_1h (
  check_id uuid not null,
  created_at timestamptz not null,
  duration integer not null,
  total integer not null,
  passed integer not null,
  failed integer not null,
  latency integer[] not null default '{}',
  primary key (check_id, created_at),
  constraint check_statuses_aggr_check_id_fkey foreign key (check_id) references checks (id) on delete cascade
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index check_statuses_1h_created_at_brin_idx on check_statuses_1h using brin (created_at);

create table check_statuses_1d (
  check_id uuid not null,
  created_at timestamptz not null,
  duration integer not null,
  total integer not null,
  passed integer not null,
  failed integer not null,
  latency integer[] not null default '{}',
  primary key (check_id, created_at),
  constraint check_statuses_aggr_check_id_fkey foreign key (check_id) references checks (id) on delete cascade
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index check_statuses_1d_created_at_brin_idx on check_statuses_1d using brin (created_at);

-- One row per check: the last hour in numbers, or its newest result when the hour is empty. A table and not a
-- materialised view, so that no refresh ever blocks a reader.
create table check_status_summary (
  check_id uuid primary key references checks (id) on delete cascade,
  p99 integer,
  p95 integer,
  p50 integer,
  mean numeric,
  passed bigint,
  failed bigint,
  last_check timestamptz,
  last_pass timestamptz,
  last_fail timestamptz,
  refreshed_at timestamptz not null default now()
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- Rewritten once a day. No foreign keys: it would look like a link table between canaries and checks.
create table check_size_summary (
  canary_id uuid not null,
  id uuid primary key,
  min_time timestamptz,
  max_time timestamptz,
  count bigint not null,
  size bigint not null,
  avg_size bigint not null
);
create index check_size_summary_canary_id_idx on check_size_summary (canary_id);
