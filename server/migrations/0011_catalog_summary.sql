-- The catalog's front page groups all live items by type and health: with this it reads an index of a few megabytes and
-- no item. Unchanged items are touched elsewhere (config_item_scrapes), so the pages stay all-visible.
create index config_items_summary_idx on config_items (type, health, status)
  include (id, created_at, updated_at, cost_per_minute, cost_total_1d, cost_total_7d, cost_total_30d)
  where deleted_at is null;
