-- What the check engine keeps for itself; nothing here is for the data API.
create schema quarterdeck_health;

-- Canaries are dealt out in shards: the process that owns a shard runs all canaries of it. An owner that does not
-- renew in time has lost it.
create table quarterdeck_health.shards (
  shard integer primary key,
  owner text,
  until timestamptz not null default '-infinity'
) with (fillfactor = 50);
insert into quarterdeck_health.shards (shard) select generate_series(0, 63);

-- Processes that run checks now, with or without shards: the share of each follows from their number.
create table quarterdeck_health.members (
  owner text primary key,
  until timestamptz not null
);

-- Facts about a check that only the engine and the drawer use.
create table quarterdeck_health.check_state (
  check_id uuid primary key references checks (id) on delete cascade,
  -- Runs that were due and did not happen: the server was down, or the one before had not ended.
  missed bigint not null default 0,
  last_missed_at timestamptz,
  -- What to write when a check made by a transform is not produced again.
  delete_strategy text
);

-- Milliseconds between the moment a run was due and its start; null for runs on demand.
alter table check_statuses add column lag integer;
