-- When jobs run next and who runs them now. Apart from `public`: nothing here is for the data API, and losing it
-- loses nothing, because workers write it again at start.
create schema quarterdeck_jobs;

create table quarterdeck_jobs.schedules (
  key text primary key,
  job text not null,
  -- The scraper, topology or other row this is about; null for jobs of the whole server.
  resource_id text,
  schedule text not null,
  -- Null: never.
  next_run_at timestamptz,
  last_run_at timestamptz
) with (fillfactor = 70);
create index schedules_due_idx on quarterdeck_jobs.schedules (next_run_at) where next_run_at is not null;
create index schedules_job_idx on quarterdeck_jobs.schedules (job);

-- One row per run in progress; its worker renews it, and one that is not renewed is over.
create table quarterdeck_jobs.leases (
  id uuid primary key,
  job text not null,
  resource_id text not null default '',
  worker_id text not null,
  singleton boolean not null,
  -- The row of job_history that this run writes.
  run_id uuid,
  started_at timestamptz not null default now(),
  expires_at timestamptz not null
) with (fillfactor = 50);
create unique index leases_singleton_key on quarterdeck_jobs.leases (job, resource_id) where singleton;
