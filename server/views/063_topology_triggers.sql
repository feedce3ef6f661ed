create trigger queue_health after update of health on components
  for each row when (old.health is distinct from new.health) execute function queue_health_event('component');

create function delete_links_of_component() returns trigger language plpgsql as $$
begin
  delete from team_components where component_id = new.id;
  update component_relationships set deleted_at = new.deleted_at
    where (component_id = new.id or relationship_id = new.id) and deleted_at is null;
  update check_component_relationships set deleted_at = new.deleted_at where component_id = new.id and deleted_at is null;
  update config_component_relationships set deleted_at = new.deleted_at where component_id = new.id and deleted_at is null;
  return null;
end $$;

create trigger delete_links after update of deleted_at on components
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function delete_links_of_component();
