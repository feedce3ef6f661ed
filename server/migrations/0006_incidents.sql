create table incident_rules (
  id uuid primary key default generate_ulid(),
  name text not null,
  spec jsonb,
  source text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint incident_rules_name_key unique (name),
  constraint incident_rules_created_by_fkey foreign key (created_by) references people (id)
);

create table incidents (
  id uuid primary key default generate_ulid(),
  incident_id varchar(10) not null default ('INC-' || nextval('incident_id_sequence')),
  incident_rule_id uuid,
  title text not null,
  created_by uuid not null,
  commander_id uuid,
  communicator_id uuid,
  severity text not null,
  description text not null,
  type text not null,
  status text not null,
  acknowledged timestamptz,
  resolved timestamptz,
  closed timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint incidents_incident_id_key unique (incident_id),
  constraint incidents_commander_id_fkey foreign key (commander_id) references people (id),
  constraint incidents_communicator_id_fkey foreign key (communicator_id) references people (id),
  constraint incidents_created_by_fkey foreign key (created_by) references people (id),
  constraint incidents_incident_rule_id_fkey foreign key (incident_rule_id) references incident_rules (id)
);
create index incidents_status_created_at_idx on incidents (status, created_at desc);
create index incidents_created_at_idx on incidents (created_at desc);
create index incidents_incident_rule_id_idx on incidents (incident_rule_id);
create index incidents_created_by_idx on incidents (created_by);
create index incidents_commander_id_idx on incidents (commander_id);

create table incident_relationships (
  incident_id uuid not null,
  related_id uuid not null,
  relationship text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint incident_relationships_incident_id_fkey foreign key (incident_id) references incidents (id),
  constraint incident_relationships_related_id_fkey foreign key (related_id) references incidents (id)
);
create index incident_relationships_incident_id_idx on incident_relationships (incident_id);
create index incident_relationships_related_id_idx on incident_relationships (related_id);

create table responders (
  id uuid primary key default generate_ulid(),
  incident_id uuid not null,
  type text not null,
  index smallint,
  person_id uuid,
  team_id uuid,
  external_id text,
  properties jsonb,
  acknowledged timestamptz,
  resolved timestamptz,
  closed timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint responders_created_by_fkey foreign key (created_by) references people (id),
  constraint responders_incident_id_fkey foreign key (incident_id) references incidents (id),
  constraint responders_person_id_fkey foreign key (person_id) references people (id),
  constraint responders_team_id_fkey foreign key (team_id) references teams (id)
);
create index responders_incident_id_idx on responders (incident_id);
create index responders_person_id_idx on responders (person_id);
create index responders_team_id_idx on responders (team_id);

create table hypotheses (
  id uuid primary key default generate_ulid(),
  created_by uuid not null,
  incident_id uuid not null,
  parent_id uuid,
  owner uuid,
  team_id uuid,
  type text not null,
  title text not null,
  status text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint hypotheses_created_by_fkey foreign key (created_by) references people (id),
  constraint hypotheses_incident_id_fkey foreign key (incident_id) references incidents (id),
  constraint hypotheses_owner_fkey foreign key (owner) references responders (id),
  constraint hypotheses_parent_id_fkey foreign key (parent_id) references hypotheses (id) on delete cascade,
  constraint hypotheses_team_id_fkey foreign key (team_id) references teams (id),
  constraint hypotheses_type_check check (type in ('root', 'factor', 'solution'))
);
create index hypotheses_incident_id_idx on hypotheses (incident_id);
create index hypotheses_parent_id_idx on hypotheses (parent_id);
create index hypotheses_owner_idx on hypotheses (owner);

create table evidences (
  id uuid primary key default generate_ulid(),
  description text not null,
  hypothesis_id uuid not null,
  config_id uuid,
  config_change_id uuid,
  config_analysis_id uuid,
  component_id uuid,
  check_id uuid,
  definition_of_done boolean default false,
  done boolean,
  factor boolean,
  mitigator boolean,
  created_by uuid not null,
  type text not null,
  evidence jsonb,
  properties jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  script text,
  script_result text,
  constraint evidences_check_id_fkey foreign key (check_id) references checks (id),
  constraint evidences_component_id_fkey foreign key (component_id) references components (id),
  constraint evidences_config_analysis_id_fkey foreign key (config_analysis_id) references config_analysis (id),
  constraint evidences_config_change_id_fkey foreign key (config_change_id) references config_changes (id),
  constraint evidences_config_id_fkey foreign key (config_id) references config_items (id),
  constraint evidences_created_by_fkey foreign key (created_by) references people (id),
  constraint evidences_hypothesis_id_fkey foreign key (hypothesis_id) references hypotheses (id) on delete cascade
);
create index evidences_hypothesis_id_idx on evidences (hypothesis_id);
create index evidences_config_id_idx on evidences (config_id) where config_id is not null;
create index evidences_config_change_id_idx on evidences (config_change_id) where config_change_id is not null;
create index evidences_config_analysis_id_idx on evidences (config_analysis_id) where config_analysis_id is not null;
create index evidences_component_id_idx on evidences (component_id) where component_id is not null;
create index evidences_check_id_idx on evidences (check_id) where check_id is not null;

create table comments (
  id uuid primary key default generate_ulid(),
  created_by uuid not null,
  comment text not null,
  external_id text,
  external_created_by text,
  incident_id uuid not null,
  responder_id uuid,
  hypothesis_id uuid,
  read smallint[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint comments_created_by_fkey foreign key (created_by) references people (id),
  constraint comments_hypothesis_id_fkey foreign key (hypothesis_id) references hypotheses (id) on delete cascade,
  constraint comments_incident_id_fkey foreign key (incident_id) references incidents (id),
  constraint comments_responder_id_fkey foreign key (responder_id) references responders (id)
);
create index comments_incident_id_idx on comments (incident_id);
create index comments_hypothesis_id_idx on comments (hypothesis_id);
create index comments_responder_id_idx on comments (responder_id) where responder_id is not null;

create table comment_responders (
  id uuid primary key default generate_ulid(),
  comment_id uuid not null,
  responder_id uuid not null,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint comment_responders_comment_id_fkey foreign key (comment_id) references comments (id) on delete cascade,
  constraint comment_responders_responder_id_fkey foreign key (responder_id) references responders (id)
);
create index comment_responders_comment_id_idx on comment_responders (comment_id);
create index comment_responders_responder_id_idx on comment_responders (responder_id);

-- What a history row points at may be deleted; the row stays (appendix A4).
create table incident_histories (
  id uuid primary key default generate_ulid(),
  incident_id uuid not null,
  created_by uuid not null,
  type text,
  description text,
  hypothesis_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  responder_id uuid,
  evidence_id uuid,
  comment_id uuid,
  constraint incident_histories_comment_id_fkey foreign key (comment_id) references comments (id) on delete set null,
  constraint incident_histories_created_by_fkey foreign key (created_by) references people (id),
  constraint incident_histories_evidence_id_fkey foreign key (evidence_id) references evidences (id) on delete set null,
  constraint incident_histories_hypothesis_id_fkey foreign key (hypothesis_id) references hypotheses (id)
    on delete set null,
  constraint incident_histories_incident_id_fkey foreign key (incident_id) references incidents (id),
  constraint incident_histories_responder_id_fkey foreign key (responder_id) references responders (id)
    on delete set null
);
create index incident_histories_incident_id_idx on incident_histories (incident_id, created_at desc);
create index incident_histories_hypothesis_id_idx on incident_histories (hypothesis_id) where hypothesis_id is not null;
create index incident_histories_responder_id_idx on incident_histories (responder_id) where responder_id is not null;
create index incident_histories_evidence_id_idx on incident_histories (evidence_id) where evidence_id is not null;
create index incident_histories_comment_id_idx on incident_histories (comment_id) where comment_id is not null;

create table severities (
  id integer,
  name text not null,
  aliases text[],
  icon text
);
insert into severities (id, name, aliases, icon) values
  (1, 'Critical', '{P1}', 'error'),
  (2, 'Blocker', '{P2}', 'error'),
  (3, 'High', '{P3}', 'warning'),
  (4, 'Medium', '{P4}', 'info'),
  (5, 'Low', '{P4}', 'info');
