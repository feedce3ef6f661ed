create table playbooks (
  id uuid primary key default generate_ulid(),
  namespace text not null default 'default',
  name text not null,
  title text not null default '',
  icon text,
  description text,
  spec jsonb not null,
  created_by uuid,
  source source not null,
  category text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint playbook_created_by_fkey foreign key (created_by) references people (id)
);
create unique index playbook_name_namespace_category_key on playbooks (namespace, name, category)
  where deleted_at is null;

create table playbook_runs (
  id uuid primary key default generate_ulid(),
  playbook_id uuid not null,
  status text not null default 'pending',
  created_at timestamptz not null default now(),
  start_time timestamptz,
  scheduled_time timestamptz not null default now(),
  end_time timestamptz,
  created_by uuid,
  check_id uuid,
  config_id uuid,
  component_id uuid,
  parameters jsonb,
  request jsonb,
  agent_id uuid default '00000000-0000-0000-0000-000000000000',
  error text,
  constraint playbook_run_playbook_id_fkey foreign key (playbook_id) references playbooks (id) on delete cascade,
  constraint playbook_run_created_by_fkey foreign key (created_by) references people (id),
  constraint playbook_run_check_id_fkey foreign key (check_id) references checks (id),
  constraint playbook_run_config_id_fkey foreign key (config_id) references config_items (id),
  constraint playbook_run_component_id_fkey foreign key (component_id) references components (id),
  constraint playbook_run_agent_id_fkey foreign key (agent_id) references agents (id)
);
create index playbook_runs_playbook_id_idx on playbook_runs (playbook_id, created_at desc);
create index playbook_runs_created_at_idx on playbook_runs (created_at desc);
create index playbook_runs_config_id_idx on playbook_runs (config_id) where config_id is not null;
create index playbook_runs_component_id_idx on playbook_runs (component_id) where component_id is not null;
create index playbook_runs_check_id_idx on playbook_runs (check_id) where check_id is not null;
create index playbook_runs_agent_id_idx on playbook_runs (agent_id);
create index playbook_runs_due_idx on playbook_runs (scheduled_time) where status in ('scheduled', 'sleeping');

create table playbook_run_actions (
  id uuid primary key default generate_ulid(),
  name text not null,
  status text not null default 'running',
  playbook_run_id uuid,
  start_time timestamptz,
  scheduled_time timestamptz not null default now(),
  end_time timestamptz,
  result jsonb,
  is_pushed boolean not null default false,
  agent_id uuid default '00000000-0000-0000-0000-000000000000',
  error text,
  constraint playbook_run_playbook_run_id_fkey foreign key (playbook_run_id) references playbook_runs (id)
    on delete cascade,
  constraint playbook_action_not_null_run_id check (playbook_run_id is not null or agent_id is not null)
);
create index playbook_run_actions_status_time_idx on playbook_run_actions (status, scheduled_time);
create index playbook_run_actions_playbook_run_id_idx on playbook_run_actions (playbook_run_id, start_time);

create table playbook_approvals (
  id uuid not null default generate_ulid(),
  run_id uuid not null,
  person_id uuid,
  team_id uuid,
  created_at timestamptz not null default now(),
  constraint playbook_approval_run_id_fkey foreign key (run_id) references playbook_runs (id),
  constraint playbook_approval_person_approver_fkey foreign key (person_id) references people (id),
  constraint playbook_approval_team_approver_fkey foreign key (team_id) references teams (id)
);
create unique index playbook_approvals_id_idx on playbook_approvals (id);
create index playbook_approvals_run_id_idx on playbook_approvals (run_id);

create table playbook_action_agent_data (
  action_id uuid not null,
  playbook_id uuid not null,
  run_id uuid not null,
  spec jsonb not null,
  env jsonb,
  constraint playbook_action_template_env_agent_action_id_fkey foreign key (action_id)
    references playbook_run_actions (id) on delete cascade
);
create index playbook_action_agent_data_action_id_idx on playbook_action_agent_data (action_id);
