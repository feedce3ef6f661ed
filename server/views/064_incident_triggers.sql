-- Where an incident may go from a status. Unknown statuses are nobody's state machine: they may go anywhere.
create function incident_status_targets(status text) returns text[] language sql immutable parallel safe as $$
  select case lower(status)
    when 'open' then '{open,investigating,mitigated,resolved,closed,cancelled}'
    when 'investigating' then '{investigating,mitigated,resolved,closed,cancelled}'
    when 'mitigated' then '{mitigated,resolved,closed,open,cancelled}'
    when 'resolved' then '{resolved,closed,open}'
    when 'closed' then '{closed,open}'
    when 'cancelled' then '{cancelled,closed,open}'
    else '{new,open,investigating,mitigated,resolved,closed,cancelled}' end::text[]
$$;

create function move_incident() returns trigger language plpgsql as $$
declare
  was text := case when tg_op = 'UPDATE' then old.status end;
  targets text[];
begin
  if tg_op = 'UPDATE' then
    targets := incident_status_targets(old.status);
    if not lower(new.status) = any (targets) then
      raise exception 'An incident that is % cannot become %', old.status, new.status
        using errcode = 'check_violation', constraint = 'incidents_status_transition', table = 'incidents', column = 'status',
              hint = 'Allowed from here: ' || array_to_string(targets, ', ') || '.';
    end if;
  end if;
  -- A stamp that comes with the update wins over ours.
  case
    when lower(new.status) = 'resolved' then
      if tg_op = 'INSERT' or new.resolved is not distinct from old.resolved then new.resolved = now(); end if;
      if tg_op = 'UPDATE' and new.closed is not distinct from old.closed then new.closed = null; end if;
    when lower(new.status) in ('closed', 'cancelled') then
      if tg_op = 'INSERT' or new.closed is not distinct from old.closed then new.closed = now(); end if;
    when tg_op = 'UPDATE' then
      if new.resolved is not distinct from old.resolved then new.resolved = null; end if;
      if new.closed is not distinct from old.closed then new.closed = null; end if;
    else
      null;
  end case;
  if new.acknowledged is null and lower(new.status) in ('investigating', 'mitigated', 'resolved', 'closed') then
    new.acknowledged = now();
  end if;
  return new;
end $$;

create trigger move_new_incident before insert on incidents for each row execute function move_incident();
create trigger move_incident before update of status on incidents
  for each row when (old.status is distinct from new.status) execute function move_incident();

create function record_incident() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into incident_histories (incident_id, created_by, type, description)
    values (new.id, acting_person(new.created_by), 'incident.created', new.id::text);
    perform queue_event('incident.created', jsonb_build_object('id', new.id));
  else
    insert into incident_histories (incident_id, created_by, type, description)
    values (new.id, acting_person(new.created_by), 'incident.status_updated', new.status);
    perform queue_event('incident.status.' || new.status, jsonb_build_object('id', new.id));
  end if;
  return null;
end $$;

create trigger record_created after insert on incidents for each row execute function record_incident();
create trigger record_status after update of status on incidents
  for each row when (old.status is distinct from new.status) execute function record_incident();

create function record_responder() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into incident_histories (incident_id, created_by, type, responder_id)
    values (new.incident_id, acting_person(new.created_by), 'responder.created', new.id);
    perform queue_event('incident.responder.added', jsonb_build_object('id', new.id));
  else
    perform queue_event('incident.responder.removed', jsonb_build_object('id', new.id));
  end if;
  return null;
end $$;

create trigger record_added after insert on responders for each row execute function record_responder();
create trigger record_removed after update of deleted_at on responders
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function record_responder();

create function record_comment() returns trigger language plpgsql as $$
begin
  if new.responder_id is not null then
    insert into incident_histories (incident_id, created_by, type, comment_id)
    values (new.incident_id, acting_person(new.created_by), 'responder.commented', new.id);
  end if;
  perform queue_event('incident.comment.added', jsonb_build_object('id', new.id));
  return null;
end $$;

create trigger record_added after insert on comments for each row execute function record_comment();

create function record_hypothesis() returns trigger language plpgsql as $$
begin
  insert into incident_histories (incident_id, created_by, type, description, hypothesis_id)
  values (new.incident_id, acting_person(new.created_by),
    case tg_op when 'INSERT' then 'hypothesis.created' else 'hypothesis.status_updated' end, new.status, new.id);
  return null;
end $$;

create trigger record_created after insert on hypotheses for each row execute function record_hypothesis();
create trigger record_status after update of status on hypotheses
  for each row when (old.status is distinct from new.status) execute function record_hypothesis();

create function record_evidence() returns trigger language plpgsql as $$
declare
  incident uuid;
begin
  select incident_id into strict incident from hypotheses where id = new.hypothesis_id;
  if tg_op = 'INSERT' then
    insert into incident_histories (incident_id, created_by, type, hypothesis_id, evidence_id)
    values (incident, acting_person(new.created_by), 'evidence.created', new.hypothesis_id, new.id);
    return null;
  end if;
  if coalesce(old.definition_of_done, false) <> coalesce(new.definition_of_done, false) then
    if new.definition_of_done then
      insert into incident_histories (incident_id, created_by, type, evidence_id)
      values (incident, acting_person(new.created_by), 'evidence.done_definition_added', new.id);
    end if;
    perform queue_event(
      case when new.definition_of_done then 'incident.dod.added' else 'incident.dod.removed' end,
      jsonb_build_object('id', new.id));
  end if;
  if old.done is distinct from new.done and (new.done or old.done) then
    perform queue_event(
      case when new.done then 'incident.dod.passed' else 'incident.dod.regressed' end,
      jsonb_build_object('id', new.id));
  end if;
  return null;
end $$;

create trigger record_created after insert on evidences for each row execute function record_evidence();
create trigger record_done after update of definition_of_done, done on evidences
  for each row when ((old.definition_of_done, old.done) is distinct from (new.definition_of_done, new.done))
  execute function record_evidence();
