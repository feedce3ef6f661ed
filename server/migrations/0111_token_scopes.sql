-- Roles a token is bound to; a token without a row may do what its person may.
create table access_token_scopes (
  token_id uuid primary key references access_tokens (id) on delete cascade,
  roles text[] not null check (cardinality(roles) > 0)
);
