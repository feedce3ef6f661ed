-- How often something was tried, for all processes of one database. Keys are digests: people type all sorts of things
-- into the field of the address. Counting touches no index, so the fill factor keeps it in place.
create table identity_limits (
  key text primary key,
  count integer not null,
  resets_at timestamptz not null
) with (fillfactor = 70);
create index identity_limits_resets_at_idx on identity_limits (resets_at);
