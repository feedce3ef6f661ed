-- The changes around an item are found, counted and ordered by the index alone.
drop index config_changes_config_id_idx;
create index config_changes_config_id_idx on config_changes (config_id, created_at desc, id);
-- Few items are deleted, so leaving them out of a walk looks into a small index.
create index config_items_deleted_idx on config_items (id) where deleted_at is not null;
