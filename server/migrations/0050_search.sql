-- What the command palette looks names up by: prefixes without regard to case. Substrings of catalog names have their
-- trigram index already; the other tables are small enough to read.
create index config_items_name_prefix_idx on config_items (lower(name) text_pattern_ops) where deleted_at is null;
create index checks_name_prefix_idx on checks (lower(name) text_pattern_ops) where deleted_at is null;
