create table topologies (
  id uuid primary key default generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  name text not null,
  namespace text not null,
  labels jsonb,
  source source not null default 'UI',
  spec jsonb,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  is_pushed boolean not null default false,
  schedule text,
  created_by uuid,
  deleted_at timestamptz,
  constraint topologies_created_by_fkey foreign key (created_by) references people (id),
  constraint topologies_agent_id_fkey foreign key (agent_id) references agents (id)
);
create unique index topologies_name_namespace_key on topologies (agent_id, name, namespace)
  where deleted_at is null and agent_id = '00000000-0000-0000-0000-000000000000'::uuid;
create index topologies_is_pushed_idx on topologies (is_pushed) where is_pushed is false;
create index topologies_agent_id_idx on topologies (agent_id);

create table components (
  id uuid primary key default generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  topology_id uuid,
  external_id text not null,
  parent_id uuid,
  config_id uuid,
  name text not null,
  text text,
  topology_type text,
  namespace text,
  labels jsonb,
  hidden boolean not null default false,
  silenced boolean not null default false,
  is_pushed boolean not null default false,
  status text not null,
  status_expr text,
  health_expr text,
  health text,
  description text,
  lifecycle text,
  tooltip text,
  status_reason text,
  schedule text,
  icon text,
  type text,
  owner text,
  selectors jsonb,
  log_selectors jsonb,
  component_checks jsonb,
  configs jsonb,
  properties jsonb,
  path text,
  summary jsonb,
  is_leaf boolean default false,
  cost_per_minute numeric(16, 4),
  cost_total_1d numeric(16, 4),
  cost_total_7d numeric(16, 4),
  cost_total_30d numeric(16, 4),
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  constraint components_topology_id_type_name_parent_id_key unique (topology_id, type, name, parent_id),
  constraint components_created_by_fkey foreign key (created_by) references people (id),
  constraint components_parent_id_fkey foreign key (parent_id) references components (id),
  constraint components_config_id_fkey foreign key (config_id) references config_items (id),
  constraint components_topology_id_fkey foreign key (topology_id) references topologies (id),
  constraint components_agent_id_fkey foreign key (agent_id) references agents (id)
) with (fillfactor = 85);
-- The unique key above ignores roots, because their parent is null.
create unique index components_roots_key on components (topology_id, coalesce(type, ''), name)
  where parent_id is null and topology_id is not null and agent_id = '00000000-0000-0000-0000-000000000000'::uuid;
create index idx_components_properties on components using gin (properties);
create index components_path_is_pushed_idx on components (length(path)) where is_pushed is false;
create index idx_components_deleted_at on components (deleted_at);
create index idx_components_agent on components (agent_id);
create index idx_components_parent_id on components (parent_id);
create index components_path_idx on components (path text_pattern_ops);
create index components_name_idx on components (name) where deleted_at is null;
create index components_config_id_idx on components (config_id) where config_id is not null;
create index components_labels_idx on components using gin (labels jsonb_path_ops);

create table component_relationships (
  component_id uuid not null,
  relationship_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  selector_id text,
  relationship_path text,
  is_pushed boolean not null default false,
  constraint component_relationships_component_id_relationship_id_select_key
    unique (component_id, relationship_id, selector_id),
  constraint component_relationships_component_id_fkey foreign key (component_id) references components (id)
    on delete cascade,
  constraint component_relationships_relationship_id_fkey foreign key (relationship_id) references components (id)
    on delete cascade
);
create index component_relationships_is_pushed_idx on component_relationships (is_pushed) where is_pushed is false;
create index idx_component_relationships_deleted_at on component_relationships (deleted_at);
create index component_relationships_relationship_id_idx on component_relationships (relationship_id);

create table team_components (
  team_id uuid not null,
  component_id uuid not null,
  role text,
  selector_id text,
  primary key (team_id, component_id),
  constraint team_components_team_id_component_id_selector_id_key unique (team_id, component_id, selector_id),
  constraint team_components_component_id_fkey foreign key (component_id) references components (id) on delete cascade,
  constraint team_components_team_id_fkey foreign key (team_id) references teams (id) on delete cascade
);
create index team_components_component_id_idx on team_components (component_id);

create table check_component_relationships (
  component_id uuid not null,
  check_id uuid not null,
  canary_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  selector_id text,
  is_pushed boolean not null default false,
  constraint check_component_relationships_component_id_check_id_canary__key
    unique (component_id, check_id, canary_id, selector_id),
  constraint check_component_relationships_canary_id_fkey foreign key (canary_id) references canaries (id)
    on delete cascade,
  constraint check_component_relationships_check_id_fkey foreign key (check_id) references checks (id)
    on delete cascade,
  constraint check_component_relationships_component_id_fkey foreign key (component_id) references components (id)
    on delete cascade
);
create index check_component_relationships_is_pushed_idx on check_component_relationships (is_pushed)
  where is_pushed is false;
create index idx_check_component_relationships_deleted_at on check_component_relationships (deleted_at);
create index check_component_relationships_check_id_idx on check_component_relationships (check_id);
create index check_component_relationships_canary_id_idx on check_component_relationships (canary_id);

create table config_component_relationships (
  component_id uuid not null,
  config_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  selector_id text,
  is_pushed boolean not null default false,
  constraint config_component_relationships_component_id_config_id_key unique (component_id, config_id),
  constraint config_component_relationships_component_id_fkey foreign key (component_id) references components (id)
    on delete cascade,
  constraint config_component_relationships_config_id_fkey foreign key (config_id) references config_items (id)
    on delete cascade
);
create index idx_config_component_relationships_deleted_at on config_component_relationships (deleted_at);
create index config_component_relationships_is_pushed_idx on config_component_relationships (is_pushed)
  where is_pushed is false;
create index config_component_relationships_config_id_idx on config_component_relationships (config_id);
