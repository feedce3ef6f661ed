-- What a list shows of an item's changes and insights, in one row and in the form shown: a list row costs one lookup,
-- and the text goes out as it lies here.
drop view if exists configs cascade;
alter table config_change_counts rename to config_item_facts;
alter table config_item_facts rename constraint config_change_counts_pkey to config_item_facts_pkey;
alter table config_item_facts
  alter column changes type json using changes::text::json,
  -- [{analyzer, analysis_type, severity}] of open insights
  add column analysis json;

insert into config_item_facts as known (config_id, analysis)
select config_id, json_agg(json_build_object('analyzer', analyzer, 'analysis_type', analysis_type, 'severity', severity) order by id)
from config_analysis where status = 'open' group by config_id
on conflict (config_id) do update set analysis = excluded.analysis;

-- A list of one type is filtered by health and ordered by name inside the index.
create index config_items_list_idx on config_items (type, name, id, health);
drop index config_items_type_name_idx;
