-- The check whose transform made this one: two transforms of one canary must not take each other's checks away.
-- Null for checks made before this was kept; the next transform of their canary decides about them.
alter table quarterdeck_health.check_state add column made_by uuid;
