create table people (
  id uuid primary key default generate_ulid(),
  name text not null,
  avatar text,
  type text,
  team_id uuid,
  organization text,
  title text,
  email text,
  phone text,
  properties jsonb,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  deleted_at timestamptz,
  last_login timestamptz
);
create unique index people_email_unique_idx on people (email) where deleted_at is null;
create index people_external_id_idx on people (external_id);
create index people_team_id_idx on people (team_id) where team_id is not null;

create table teams (
  id uuid primary key default generate_ulid(),
  name text not null,
  icon text,
  spec jsonb,
  source text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint team_name_key unique (name),
  constraint teams_created_by_fkey foreign key (created_by) references people (id)
);
alter table people add constraint people_team_id_fkey foreign key (team_id) references teams (id);

create table team_members (
  team_id uuid not null,
  person_id uuid not null,
  primary key (team_id, person_id),
  constraint team_members_person_id_fkey foreign key (person_id) references people (id),
  constraint team_members_team_id_fkey foreign key (team_id) references teams (id)
);
create index team_members_person_id_idx on team_members (person_id);

create table access_tokens (
  id uuid primary key default generate_ulid(),
  name text not null,
  person_id uuid not null,
  value text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  constraint access_tokens_person_name_unique_key unique (person_id, name),
  constraint access_tokens_person_fkey foreign key (person_id) references people (id) on delete cascade
);
create index access_tokens_value_idx on access_tokens (value);

create table casbin_rule (
  id bigserial primary key,
  ptype varchar(100) not null,
  v0 varchar(100) not null,
  v1 varchar(100) not null,
  v2 varchar(100),
  v3 varchar(100),
  v4 varchar(100),
  v5 varchar(100)
);
create unique index casbin_rule_idx on casbin_rule (ptype, v0, v1, v2, v3, v4, v5);
-- The key above lets rows with nulls in twice; this one treats null and empty alike.
create unique index casbin_rule_nulls_idx on casbin_rule
  (ptype, v0, v1, coalesce(v2, ''), coalesce(v3, ''), coalesce(v4, ''), coalesce(v5, ''));
create index casbin_rule_v0_idx on casbin_rule (v0);

create table agents (
  id uuid primary key default generate_ulid(),
  name text not null,
  hostname text,
  description text,
  ip text,
  version text,
  username text,
  person_id uuid,
  properties jsonb,
  tls text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  cleanup boolean not null default false,
  deleted_at timestamptz,
  last_seen timestamptz,
  last_received timestamptz,
  constraint agents_created_by_fkey foreign key (created_by) references people (id)
);
create unique index agents_name_key on agents (name) where deleted_at is null;
create index agents_person_id_idx on agents (person_id);

insert into people (id, name) values ('00000000-0000-4000-8000-000000000001', 'System');
insert into agents (id, name) values ('00000000-0000-0000-0000-000000000000', 'local');
