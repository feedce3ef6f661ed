create table notifications (
  id uuid primary key default generate_ulid(),
  events text[] not null,
  error text,
  title text,
  template text,
  filter text,
  properties jsonb,
  person_id uuid,
  team_id uuid,
  repeat_interval text,
  group_by text[],
  custom_services jsonb,
  created_by uuid,
  created_at timestamptz not null default now(),
  source source,
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint notification_created_by_fkey foreign key (created_by) references people (id),
  constraint notification_person_id_fkey foreign key (person_id) references people (id) on delete cascade,
  constraint notification_team_id_fkey foreign key (team_id) references teams (id) on delete cascade
);
create index notifications_team_id_idx on notifications (team_id) where team_id is not null;
create index notifications_person_id_idx on notifications (person_id) where person_id is not null;

create table notification_send_history (
  id uuid primary key default generate_ulid(),
  notification_id uuid not null,
  body text not null,
  status text,
  source_event text not null,
  resource_id uuid not null,
  person_id uuid,
  error text,
  duration_millis integer,
  created_at timestamptz not null default now(),
  constraint notification_id_fkey foreign key (notification_id) references notifications (id)
    on delete cascade on update cascade,
  constraint notification_recipient_person_id_fkey foreign key (person_id) references people (id)
    on delete cascade on update cascade
);
create index notification_send_history_notification_id_idx on notification_send_history (notification_id, created_at desc);
create index notification_send_history_resource_id_idx on notification_send_history (resource_id, created_at desc);
create index notification_send_history_person_id_idx on notification_send_history (person_id) where person_id is not null;
create index notification_send_history_created_at_idx on notification_send_history using brin (created_at);

create table connections (
  id uuid primary key default generate_ulid(),
  name text not null,
  namespace text not null default 'default',
  type text not null,
  url text,
  source source,
  username text,
  password text,
  certificate text,
  properties jsonb,
  insecure_tls boolean default true,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint connections_created_by_fkey foreign key (created_by) references people (id)
);
create unique index connections_name_namespace_key on connections (name, namespace) where deleted_at is null;

create table logging_backends (
  id uuid primary key default generate_ulid(),
  name text not null,
  labels jsonb,
  spec jsonb not null,
  source source,
  agent_id uuid,
  created_at timestamptz default now(),
  created_by uuid,
  updated_at timestamptz,
  deleted_at timestamptz,
  constraint logging_backends_created_by_fkey foreign key (created_by) references people (id)
);

create table properties (
  name text primary key,
  value text not null,
  created_by uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  constraint properties_created_by_fkey foreign key (created_by) references people (id)
);

create table integrations (
  id uuid primary key default generate_ulid(),
  name text not null,
  icon text,
  spec jsonb,
  source text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint integrations_created_by_fkey foreign key (created_by) references people (id)
);

create table saved_query (
  id uuid primary key default generate_ulid(),
  icon text,
  description text,
  query text not null,
  columns jsonb,
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
