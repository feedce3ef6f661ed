-- Addresses whose owner proved to read their mail. An address that is changed has to be proven anew.
create table identity_addresses (
  identity_id uuid not null references identities (id) on delete cascade,
  value text not null,
  verified_at timestamptz not null,
  primary key (identity_id, value)
);

-- One subject of one sign-in provider is one account, and one key of hardware too.
create unique index identity_credentials_outside_idx on identity_credentials (identifiers)
where type in ('oidc', 'webauthn');

-- Mails the mail server did not take yet; what they say is encrypted, because it may hold a code. An event of the queue
-- names each of them until it is gone.
create table outgoing_mails (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  content text not null,
  created_at timestamptz not null default now()
);
