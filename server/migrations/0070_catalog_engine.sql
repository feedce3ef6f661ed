-- What the catalog engine knows of each item it stored: equal hashes mean that nothing has to be read or written.
create table config_item_states (
  config_id uuid primary key references config_items (id) on delete cascade deferrable initially deferred,
  -- of all that a scrape says of the item, and of its document alone
  item_hash bytea not null,
  config_hash bytea not null,
  -- number of the newest step in config_change_undos, and the change it belongs to
  steps integer not null default 0,
  last_diff uuid
) with (fillfactor = 75);

-- How to get from a version of a document back to the one before it: a merge patch per step. Walking down from the
-- stored document rebuilds every version. Steps outlive their change for as long as an older change needs them, and a
-- change that was left out by a rule still has its step; so there is no key to config_changes.
create table config_change_undos (
  config_id uuid not null references config_items (id) on delete cascade deferrable initially deferred,
  step integer not null,
  change_id uuid,
  undo jsonb not null,
  primary key (config_id, step)
);
create index config_change_undos_change_id_idx on config_change_undos (change_id);

-- Ids in their source of changes that were folded into another one, so that a source which lists them again is not
-- counted again.
create table config_change_aliases (
  config_id uuid not null,
  external_change_id text not null,
  change_id uuid not null references config_changes (id) on delete cascade deferrable initially deferred,
  primary key (config_id, external_change_id)
);
create index config_change_aliases_change_id_idx on config_change_aliases (change_id);

-- What a kind of scraper remembers between its runs, such as a position in a log of events.
create table config_scraper_states (
  scraper_id uuid not null references config_scrapers (id) on delete cascade,
  key text not null,
  state jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (scraper_id, key)
);

-- Relationships that a scraper made, to find those it no longer makes.
create index config_relationships_selector_id_idx on config_relationships (selector_id) where selector_id is not null;
