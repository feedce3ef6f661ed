-- The built-in identity provider. `identities` keeps the shape that the reference's provider shows.
create table identities (
  id uuid primary key default generate_ulid(),
  nid uuid,
  schema_id text not null default 'default',
  traits jsonb not null,
  state text not null default 'active' check (state in ('active', 'inactive')),
  state_changed_at timestamptz not null default now(),
  metadata_public jsonb,
  metadata_admin jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index identities_email_idx on identities (lower(traits ->> 'email'));

create table identity_credentials (
  id uuid primary key default generate_ulid(),
  identity_id uuid not null references identities (id) on delete cascade,
  type text not null,
  identifiers text[] not null default '{}',
  config jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index identity_credentials_identity_id_idx on identity_credentials (identity_id, type);
create index identity_credentials_identifiers_idx on identity_credentials using gin (identifiers);

create table identity_sessions (
  id uuid primary key default generate_ulid(),
  identity_id uuid not null references identities (id) on delete cascade,
  token_hash text not null unique,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  authenticated_at timestamptz not null default now(),
  aal text not null default 'aal1',
  amr jsonb not null default '[]',
  active boolean not null default true,
  user_agent text,
  ip text
);
create index identity_sessions_identity_id_idx on identity_sessions (identity_id) where active;
create index identity_sessions_expires_at_idx on identity_sessions (expires_at);

create table identity_flows (
  id uuid primary key default generate_ulid(),
  type text not null,
  state jsonb not null default '{}',
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index identity_flows_expires_at_idx on identity_flows (expires_at);
