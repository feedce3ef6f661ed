create table config_scrapers (
  id uuid primary key default generate_ulid(),
  description text,
  name text not null,
  spec jsonb not null,
  source source not null,
  created_by uuid,
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  deleted_at timestamptz,
  is_pushed boolean not null default false,
  constraint config_scrapers_created_by_fkey foreign key (created_by) references people (id),
  constraint config_scrapers_agent_id_fkey foreign key (agent_id) references agents (id)
);
create index config_scrapers_is_pushed_idx on config_scrapers (is_pushed) where is_pushed is false;
create index config_scrapers_agent_id_idx on config_scrapers (agent_id);

create table config_items (
  id uuid primary key default generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  icon text,
  scraper_id uuid,
  config_class text not null,
  status text,
  health text,
  ready boolean,
  external_id text[],
  type text not null,
  cost_per_minute numeric(16, 4),
  cost_total_1d numeric(16, 4),
  cost_total_7d numeric(16, 4),
  cost_total_30d numeric(16, 4),
  name text,
  description text,
  config jsonb,
  source text,
  labels jsonb,
  tags jsonb,
  properties jsonb,
  parent_id uuid,
  path text,
  is_pushed boolean not null default false,
  created_by uuid,
  last_scraped_time timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  delete_reason text,
  constraint config_items_parent_id_fkey foreign key (parent_id) references config_items (id) deferrable initially deferred,
  constraint config_items_scraper_id_fkey foreign key (scraper_id) references config_scrapers (id),
  constraint config_items_agent_id_fkey foreign key (agent_id) references agents (id),
  constraint config_item_name_type_not_empty check (name <> '' and type <> '')
  -- A document of any size is moved out of the row (low target), labels and tags stay in it (main storage):
  -- lists read narrow rows and never touch a document, and config_items.config still is an ordinary column.
) with (toast_tuple_target = 256, fillfactor = 85);
alter table config_items
  alter labels set storage main,
  alter tags set storage main,
  alter external_id set storage main,
  alter name set storage main,
  alter path set storage main;
create index config_items_path_is_pushed_idx on config_items (length(path)) where is_pushed is false;
create index idx_config_items_scraper_id on config_items (scraper_id);
create index idx_config_items_parent_id on config_items (parent_id);
create index idx_config_items_external_id on config_items using gin (external_id);
create index idx_config_items_deleted_at on config_items (deleted_at);
create index idx_config_items_tags on config_items using gin (tags);
create index idx_config_items_name on config_items (agent_id, name, type, config_class);
create index config_items_labels_idx on config_items using gin (labels jsonb_path_ops);
create index config_items_type_name_idx on config_items (type, name);
create index config_items_name_idx on config_items (name);
create index config_items_config_class_idx on config_items (config_class);
create index config_items_status_idx on config_items (status);
create index config_items_health_idx on config_items (health) where deleted_at is null;
create index config_items_agent_id_idx on config_items (agent_id);
create index config_items_namespace_idx on config_items ((tags ->> 'namespace'));
create index config_items_updated_at_idx on config_items (updated_at);
create index config_items_created_at_idx on config_items (created_at);

create table config_changes (
  id uuid primary key default generate_ulid(),
  config_id uuid not null,
  external_change_id text,
  external_created_by text,
  change_type text,
  severity text,
  source text,
  summary text,
  patches jsonb,
  diff text,
  details jsonb,
  created_by uuid,
  created_at timestamptz not null default now(),
  count integer not null default 1,
  fingerprint text,
  first_observed timestamptz not null default now(),
  is_pushed boolean not null default false,
  constraint config_changes_config_id_external_change_id_key unique (config_id, external_change_id),
  constraint config_changes_config_id_fkey foreign key (config_id) references config_items (id) on delete cascade
    deferrable initially deferred
) with (toast_tuple_target = 512, fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index config_changes_created_at_brin_idx on config_changes using brin (created_at);
create index config_changes_change_type_idx on config_changes (change_type);
create index config_changes_config_id_idx on config_changes (config_id, created_at desc);
create index config_changes_created_at_idx on config_changes (created_at desc) include (config_id);
create index config_changes_fingerprint_idx on config_changes (fingerprint);
create index config_changes_is_pushed_idx on config_changes (is_pushed) where is_pushed is false;
create index config_changes_severity_idx on config_changes (severity, created_at desc)
  where severity in ('critical', 'high', 'medium');

create table config_analysis (
  id uuid primary key default generate_ulid(),
  config_id uuid not null,
  scraper_id uuid,
  created_by uuid,
  source text,
  analyzer text not null,
  analysis_type text,
  severity text,
  summary text,
  status text,
  message text,
  analysis jsonb,
  first_observed timestamptz not null default now(),
  last_observed timestamptz,
  is_pushed boolean not null default false,
  constraint config_analysis_config_id_fkey foreign key (config_id) references config_items (id) on delete cascade
    deferrable initially deferred,
  constraint config_analysis_created_by_fkey foreign key (created_by) references people (id)
) with (toast_tuple_target = 512, fillfactor = 85);
create index config_analysis_is_pushed_idx on config_analysis (is_pushed) where is_pushed is false;
create index config_analysis_config_id_idx on config_analysis (config_id, analyzer);
create index config_analysis_last_observed_idx on config_analysis using brin (last_observed);
create index config_analysis_scraper_id_idx on config_analysis (scraper_id);
create index config_analysis_open_idx on config_analysis (config_id) include (analyzer, analysis_type, severity)
  where status = 'open';
create index config_analysis_open_analyzer_idx on config_analysis (analyzer) where status = 'open';
create index config_analysis_analyzer_idx on config_analysis (analyzer);
create index config_analysis_analysis_type_idx on config_analysis (analysis_type);
create index config_analysis_first_observed_idx on config_analysis (first_observed desc);

create table config_relationships (
  config_id uuid not null,
  related_id uuid not null,
  relation text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  selector_id text,
  is_pushed boolean not null default false,
  constraint config_relationships_related_id_config_id_relation_key unique (related_id, config_id, relation),
  constraint config_relationships_config_id_fkey foreign key (config_id) references config_items (id) on delete cascade
    deferrable initially deferred,
  constraint config_relationships_related_id_fkey foreign key (related_id) references config_items (id) on delete cascade
    deferrable initially deferred
);
create unique index config_relationships_no_relation_key on config_relationships (related_id, config_id)
  where relation is null;
create index idx_config_relationships_deleted_at on config_relationships (deleted_at);
create index config_relationships_is_pushed_idx on config_relationships (is_pushed) where is_pushed is false;
-- One index per walking direction; each carries the other end, so a walk reads no table page.
create index config_relationships_outgoing_idx on config_relationships (config_id) include (related_id, relation)
  where deleted_at is null;
create index config_relationships_incoming_idx on config_relationships (related_id) include (config_id, relation)
  where deleted_at is null;
create index config_relationships_config_id_idx on config_relationships (config_id);

create table check_config_relationships (
  config_id uuid not null,
  check_id uuid not null,
  canary_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  selector_id text,
  is_pushed boolean not null default false,
  constraint check_config_relationships_config_id_check_id_canary__key unique (config_id, check_id, canary_id, selector_id),
  constraint check_config_relationships_canary_id_fkey foreign key (canary_id) references canaries (id) on delete cascade,
  constraint check_config_relationships_check_id_fkey foreign key (check_id) references checks (id) on delete cascade,
  constraint check_config_relationships_config_id_fkey foreign key (config_id) references config_items (id)
    on delete cascade deferrable initially deferred
);
create index check_config_relationships_is_pushed_idx on check_config_relationships (is_pushed) where is_pushed is false;
create index check_config_relationships_check_id_idx on check_config_relationships (check_id);
create index check_config_relationships_canary_id_idx on check_config_relationships (canary_id);

-- When a scrape last saw an item, for items it found unchanged. Apart from the item, because touching every item of a
-- scrape would write each wide row and its many indexes again; here it is a few bytes in place. config_detail shows the
-- later of this and config_items.last_scraped_time.
create table config_item_scrapes (
  config_id uuid primary key references config_items (id) on delete cascade deferrable initially deferred,
  last_scraped_time timestamptz not null
) with (fillfactor = 45);

-- Rows of config_changes counted per item, type and severity, in the very form that configs.changes shows: a list row
-- then costs one lookup. No foreign key: a row goes when the last change it counts goes.
create table config_change_counts (
  config_id uuid primary key,
  -- [{change_type, severity, total}]
  changes jsonb
) with (fillfactor = 80);

-- Which stored change a repeated change is folded into; one row per fingerprint inside the dedup window. The key
-- makes several engine processes agree. Rows older than the window are swept, so no foreign keys.
create table config_change_fingerprints (
  config_id uuid not null,
  fingerprint text not null,
  change_id uuid not null,
  seen_at timestamptz not null default now(),
  primary key (config_id, fingerprint)
);
create index config_change_fingerprints_seen_at_idx on config_change_fingerprints (seen_at);

-- Tags and labels of live items as counted pairs. Writers only append (+n, -n), so they never wait for each
-- other; readers add up; compact_config_values() folds the rows now and then.
create table config_values (
  kind text not null check (kind in ('tag', 'label')),
  key text not null,
  value text not null,
  refs integer not null
);
create index config_values_idx on config_values (kind, key, value) include (refs);

-- Search by any part of a name wants trigrams; where the extension cannot be had, searches scan.
do $$
begin
  create extension if not exists pg_trgm;
  execute 'create index config_items_search_idx on config_items using gin
    (name gin_trgm_ops, type gin_trgm_ops, description gin_trgm_ops, (tags ->> ''namespace'') gin_trgm_ops)';
exception when others then
  raise notice 'no trigram index: %', sqlerrm;
end $$;
