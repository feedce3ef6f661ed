/** What the data model asks of the database, written down apart from the SQL that makes it. For tests. */

/** One column per line: name, type, `!` for not null, default after `=`. */
export const tables: Record<string, string> = {
  people: `
    id uuid ! = ulid
    name text !
    avatar text
    type text
    team_id uuid
    organization text
    title text
    email text
    phone text
    properties jsonb
    external_id text
    created_at timestamptz ! = now()
    updated_at timestamptz
    deleted_at timestamptz
    last_login timestamptz
  `,
  teams: `
    id uuid ! = ulid
    name text !
    icon text
    spec jsonb
    source text
    created_by uuid !
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
    deleted_at timestamptz
  `,
  team_members: `
    team_id uuid !
    person_id uuid !
  `,
  access_tokens: `
    id uuid ! = ulid
    name text !
    person_id uuid !
    value text !
    created_at timestamptz !
    expires_at timestamptz
  `,
  casbin_rule: `
    id bigserial !
    ptype varchar(100) !
    v0 varchar(100) !
    v1 varchar(100) !
    v2 varchar(100)
    v3 varchar(100)
    v4 varchar(100)
    v5 varchar(100)
  `,
  agents: `
    id uuid ! = ulid
    name text !
    hostname text
    description text
    ip text
    version text
    username text
    person_id uuid
    properties jsonb
    tls text
    created_by uuid
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
    cleanup boolean ! = false
    deleted_at timestamptz
    last_seen timestamptz
    last_received timestamptz
  `,
  canaries: `
    id uuid ! = ulid
    agent_id uuid ! = nil
    name text !
    namespace text !
    labels jsonb
    annotations jsonb
    spec jsonb !
    source text
    is_pushed boolean ! = false
    created_at timestamptz = now()
    created_by uuid
    updated_at timestamptz = now()
    deleted_at timestamptz
  `,
  checks: `
    id uuid ! = ulid
    canary_id uuid !
    agent_id uuid ! = nil
    type text !
    name text !
    namespace text
    description text
    icon text
    spec jsonb
    labels jsonb
    owner text
    severity text
    category text
    is_pushed boolean ! = false
    transformed boolean
    last_runtime timestamptz
    last_transition_time timestamptz
    next_runtime timestamptz
    silenced_at timestamptz
    status text
    created_at timestamptz
    updated_at timestamptz
    deleted_at timestamptz
  `,
  check_statuses: `
    check_id uuid !
    details jsonb
    duration integer
    error text
    time timestamptz !
    created_at timestamptz ! = now()
    invalid boolean
    message text
    status boolean
    severity text
    is_pushed boolean ! = false
  `,
  check_statuses_1h: `
    check_id uuid !
    created_at timestamptz !
    duration integer !
    total integer !
    passed integer !
    failed integer !
  `,
  check_statuses_1d: `
    check_id uuid !
    created_at timestamptz !
    duration integer !
    total integer !
    passed integer !
    failed integer !
  `,
  topologies: `
    id uuid ! = ulid
    agent_id uuid ! = nil
    name text !
    namespace text !
    labels jsonb
    source source ! = 'UI'
    spec jsonb
    created_at timestamptz = now()
    updated_at timestamptz = now()
    is_pushed boolean ! = false
    schedule text
    created_by uuid
    deleted_at timestamptz
  `,
  components: `
    id uuid ! = ulid
    agent_id uuid ! = nil
    topology_id uuid
    external_id text !
    parent_id uuid
    config_id uuid
    name text !
    text text
    topology_type text
    namespace text
    labels jsonb
    hidden boolean ! = false
    silenced boolean ! = false
    is_pushed boolean ! = false
    status text !
    status_expr text
    health_expr text
    health text
    description text
    lifecycle text
    tooltip text
    status_reason text
    schedule text
    icon text
    type text
    owner text
    selectors jsonb
    log_selectors jsonb
    component_checks jsonb
    configs jsonb
    properties jsonb
    path text
    summary jsonb
    is_leaf boolean = false
    cost_per_minute numeric(16,4)
    cost_total_1d numeric(16,4)
    cost_total_7d numeric(16,4)
    cost_total_30d numeric(16,4)
    created_by uuid
    created_at timestamptz ! = now()
    updated_at timestamptz = now()
    deleted_at timestamptz
  `,
  component_relationships: `
    component_id uuid !
    relationship_id uuid !
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
    deleted_at timestamptz
    selector_id text
    relationship_path text
    is_pushed boolean ! = false
  `,
  team_components: `
    team_id uuid !
    component_id uuid !
    role text
    selector_id text
  `,
  check_component_relationships: `
    component_id uuid !
    check_id uuid !
    canary_id uuid !
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
    deleted_at timestamptz
    selector_id text
    is_pushed boolean ! = false
  `,
  config_component_relationships: `
    component_id uuid !
    config_id uuid !
    created_at timestamptz ! = now()
    updated_at timestamptz = now()
    deleted_at timestamptz
    selector_id text
    is_pushed boolean ! = false
  `,
  config_scrapers: `
    id uuid ! = ulid
    description text
    name text !
    spec jsonb !
    source source !
    created_by uuid
    agent_id uuid ! = nil
    created_at timestamptz ! = now()
    updated_at timestamptz
    deleted_at timestamptz
    is_pushed boolean ! = false
  `,
  config_items: `
    id uuid ! = ulid
    agent_id uuid ! = nil
    icon text
    scraper_id uuid
    config_class text !
    status text
    health text
    ready boolean
    external_id text[]
    type text !
    cost_per_minute numeric(16,4)
    cost_total_1d numeric(16,4)
    cost_total_7d numeric(16,4)
    cost_total_30d numeric(16,4)
    name text
    description text
    config jsonb
    source text
    labels jsonb
    tags jsonb
    properties jsonb
    parent_id uuid
    path text
    is_pushed boolean ! = false
    created_by uuid
    last_scraped_time timestamptz
    created_at timestamptz ! = now()
    updated_at timestamptz = now()
    deleted_at timestamptz
    delete_reason text
  `,
  config_changes: `
    id uuid ! = ulid
    config_id uuid !
    external_change_id text
    external_created_by text
    change_type text
    severity text
    source text
    summary text
    patches jsonb
    diff text
    details jsonb
    created_by uuid
    created_at timestamptz ! = now()
    count integer ! = 1
    fingerprint text
    first_observed timestamptz ! = now()
    is_pushed boolean ! = false
  `,
  config_analysis: `
    id uuid ! = ulid
    config_id uuid !
    scraper_id uuid
    created_by uuid
    source text
    analyzer text !
    analysis_type text
    severity text
    summary text
    status text
    message text
    analysis jsonb
    first_observed timestamptz ! = now()
    last_observed timestamptz
    is_pushed boolean ! = false
  `,
  config_relationships: `
    config_id uuid !
    related_id uuid !
    relation text
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
    deleted_at timestamptz
    selector_id text
    is_pushed boolean ! = false
  `,
  check_config_relationships: `
    config_id uuid !
    check_id uuid !
    canary_id uuid !
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
    deleted_at timestamptz
    selector_id text
    is_pushed boolean ! = false
  `,
  incidents: `
    id uuid ! = ulid
    incident_id varchar(10) ! = incident
    incident_rule_id uuid
    title text !
    created_by uuid !
    commander_id uuid
    communicator_id uuid
    severity text !
    description text !
    type text !
    status text !
    acknowledged timestamptz
    resolved timestamptz
    closed timestamptz
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
  `,
  incident_rules: `
    id uuid ! = ulid
    name text !
    spec jsonb
    source text
    created_by uuid !
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
    deleted_at timestamptz
  `,
  incident_histories: `
    id uuid ! = ulid
    incident_id uuid !
    created_by uuid !
    type text
    description text
    hypothesis_id uuid
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
    responder_id uuid
    evidence_id uuid
    comment_id uuid
  `,
  incident_relationships: `
    incident_id uuid !
    related_id uuid !
    relationship text !
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
  `,
  hypotheses: `
    id uuid ! = ulid
    created_by uuid !
    incident_id uuid !
    parent_id uuid
    owner uuid
    team_id uuid
    type text !
    title text !
    status text !
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
  `,
  evidences: `
    id uuid ! = ulid
    description text !
    hypothesis_id uuid !
    config_id uuid
    config_change_id uuid
    config_analysis_id uuid
    component_id uuid
    check_id uuid
    definition_of_done boolean = false
    done boolean
    factor boolean
    mitigator boolean
    created_by uuid !
    type text !
    evidence jsonb
    properties jsonb
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
    script text
    script_result text
  `,
  responders: `
    id uuid ! = ulid
    incident_id uuid !
    type text !
    index smallint
    person_id uuid
    team_id uuid
    external_id text
    properties jsonb
    acknowledged timestamptz
    resolved timestamptz
    closed timestamptz
    created_by uuid !
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
    deleted_at timestamptz
  `,
  comments: `
    id uuid ! = ulid
    created_by uuid !
    comment text !
    external_id text
    external_created_by text
    incident_id uuid !
    responder_id uuid
    hypothesis_id uuid
    read smallint[]
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
  `,
  comment_responders: `
    id uuid ! = ulid
    comment_id uuid !
    responder_id uuid !
    external_id text
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
  `,
  severities: `
    id integer
    name text !
    aliases text[]
    icon text
  `,
  playbooks: `
    id uuid ! = ulid
    namespace text ! = 'default'
    name text !
    title text ! = ''
    icon text
    description text
    spec jsonb !
    created_by uuid
    source source !
    category text ! = ''
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
    deleted_at timestamptz
  `,
  playbook_runs: `
    id uuid ! = ulid
    playbook_id uuid !
    status text ! = 'pending'
    created_at timestamptz ! = now()
    start_time timestamptz
    scheduled_time timestamptz ! = now()
    end_time timestamptz
    created_by uuid
    check_id uuid
    config_id uuid
    component_id uuid
    parameters jsonb
    request jsonb
    agent_id uuid = nil
    error text
  `,
  playbook_run_actions: `
    id uuid ! = ulid
    name text !
    status text ! = 'running'
    playbook_run_id uuid
    start_time timestamptz
    scheduled_time timestamptz ! = now()
    end_time timestamptz
    result jsonb
    is_pushed boolean ! = false
    agent_id uuid = nil
    error text
  `,
  playbook_approvals: `
    id uuid ! = ulid
    run_id uuid !
    person_id uuid
    team_id uuid
    created_at timestamptz ! = now()
  `,
  playbook_action_agent_data: `
    action_id uuid !
    playbook_id uuid !
    run_id uuid !
    spec jsonb !
    env jsonb
  `,
  notifications: `
    id uuid ! = ulid
    events text[] !
    error text
    title text
    template text
    filter text
    properties jsonb
    person_id uuid
    team_id uuid
    repeat_interval text
    group_by text[]
    custom_services jsonb
    created_by uuid
    created_at timestamptz ! = now()
    source source
    updated_at timestamptz ! = now()
    deleted_at timestamptz
  `,
  notification_send_history: `
    id uuid ! = ulid
    notification_id uuid !
    body text !
    status text
    source_event text !
    resource_id uuid !
    person_id uuid
    error text
    duration_millis integer
    created_at timestamptz ! = now()
  `,
  connections: `
    id uuid ! = ulid
    name text !
    namespace text ! = 'default'
    type text !
    url text
    source source
    username text
    password text
    certificate text
    properties jsonb
    insecure_tls boolean = true
    created_by uuid
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
    deleted_at timestamptz
  `,
  logging_backends: `
    id uuid ! = ulid
    name text !
    labels jsonb
    spec jsonb !
    source source
    agent_id uuid
    created_at timestamptz = now()
    created_by uuid
    updated_at timestamptz
    deleted_at timestamptz
  `,
  properties: `
    name text !
    value text !
    created_by uuid
    created_at timestamptz = now()
    updated_at timestamptz = now()
    deleted_at timestamptz
  `,
  integrations: `
    id uuid ! = ulid
    name text !
    icon text
    spec jsonb
    source text
    created_by uuid !
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
  `,
  saved_query: `
    id uuid ! = ulid
    icon text
    description text
    query text !
    columns jsonb
    created_by text
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
  `,
  event_queue: `
    id uuid ! = ulid
    name text !
    properties jsonb
    error text
    created_at timestamptz ! = now()
    last_attempt timestamptz
    attempts integer = 0
    priority integer ! = 100
  `,
  job_history: `
    id uuid ! = ulid
    agent_id uuid ! = nil
    name text
    success_count integer
    error_count integer
    details jsonb
    hostname text
    duration_millis integer
    resource_type text
    resource_id text
    status text
    time_start timestamptz
    time_end timestamptz
    created_at timestamptz ! = now()
    is_pushed boolean ! = false
  `,
  artifacts: `
    id uuid ! = ulid
    check_id uuid
    check_time timestamptz
    playbook_run_action_id uuid
    connection_id uuid
    path text !
    filename text !
    content_type text
    size integer !
    checksum text !
    is_pushed boolean ! = false
    is_data_pushed boolean ! = false
    created_at timestamptz ! = now()
    updated_at timestamptz ! = now()
    deleted_at timestamptz
    expires_at timestamptz
  `,
  migration_logs: `
    path varchar(255) !
    hash bytea !
    updated_at timestamptz ! = now()
  `,
}

/** Columns of ours on the tables of the data model. */
export const ownColumns: Record<string, readonly string[]> = {
  check_statuses: ['lag'],
  check_statuses_1h: ['latency'],
  check_statuses_1d: ['latency'],
  event_queue: ['dead_letter'],
  connections: ['last_used_at', 'last_used_by'],
}

/** table.constraint column > table, then what happens on delete and update. Clients name these as hints. */
export const foreignKeys = `
  people.people_team_id_fkey team_id > teams
  teams.teams_created_by_fkey created_by > people
  team_members.team_members_person_id_fkey person_id > people
  team_members.team_members_team_id_fkey team_id > teams
  access_tokens.access_tokens_person_fkey person_id > people on delete cascade
  agents.agents_created_by_fkey created_by > people
  canaries.canaries_agent_id_fkey agent_id > agents
  canaries.canaries_created_by_fkey created_by > people
  checks.checks_canary_id_fkey canary_id > canaries on delete cascade
  checks.checks_agent_id_fkey agent_id > agents
  check_statuses.check_statuses_check_id_fkey check_id > checks on delete cascade
  check_statuses_1h.check_statuses_aggr_check_id_fkey check_id > checks on delete cascade
  check_statuses_1d.check_statuses_aggr_check_id_fkey check_id > checks on delete cascade
  topologies.topologies_created_by_fkey created_by > people
  topologies.topologies_agent_id_fkey agent_id > agents
  components.components_created_by_fkey created_by > people
  components.components_parent_id_fkey parent_id > components
  components.components_config_id_fkey config_id > config_items
  components.components_topology_id_fkey topology_id > topologies
  components.components_agent_id_fkey agent_id > agents
  component_relationships.component_relationships_component_id_fkey component_id > components on delete cascade
  component_relationships.component_relationships_relationship_id_fkey relationship_id > components on delete cascade
  team_components.team_components_component_id_fkey component_id > components on delete cascade
  team_components.team_components_team_id_fkey team_id > teams on delete cascade
  check_component_relationships.check_component_relationships_canary_id_fkey canary_id > canaries on delete cascade
  check_component_relationships.check_component_relationships_check_id_fkey check_id > checks on delete cascade
  check_component_relationships.check_component_relationships_component_id_fkey component_id > components on delete cascade
  config_component_relationships.config_component_relationships_component_id_fkey component_id > components on delete cascade
  config_component_relationships.config_component_relationships_config_id_fkey config_id > config_items on delete cascade
  config_scrapers.config_scrapers_created_by_fkey created_by > people
  config_scrapers.config_scrapers_agent_id_fkey agent_id > agents
  config_items.config_items_parent_id_fkey parent_id > config_items
  config_items.config_items_scraper_id_fkey scraper_id > config_scrapers
  config_items.config_items_agent_id_fkey agent_id > agents
  config_changes.config_changes_config_id_fkey config_id > config_items on delete cascade
  config_analysis.config_analysis_config_id_fkey config_id > config_items on delete cascade
  config_analysis.config_analysis_created_by_fkey created_by > people
  config_relationships.config_relationships_config_id_fkey config_id > config_items on delete cascade
  config_relationships.config_relationships_related_id_fkey related_id > config_items on delete cascade
  check_config_relationships.check_config_relationships_canary_id_fkey canary_id > canaries on delete cascade
  check_config_relationships.check_config_relationships_check_id_fkey check_id > checks on delete cascade
  check_config_relationships.check_config_relationships_config_id_fkey config_id > config_items on delete cascade
  incidents.incidents_commander_id_fkey commander_id > people
  incidents.incidents_communicator_id_fkey communicator_id > people
  incidents.incidents_created_by_fkey created_by > people
  incidents.incidents_incident_rule_id_fkey incident_rule_id > incident_rules
  incident_rules.incident_rules_created_by_fkey created_by > people
  incident_histories.incident_histories_comment_id_fkey comment_id > comments on delete set null
  incident_histories.incident_histories_created_by_fkey created_by > people
  incident_histories.incident_histories_evidence_id_fkey evidence_id > evidences on delete set null
  incident_histories.incident_histories_hypothesis_id_fkey hypothesis_id > hypotheses on delete set null
  incident_histories.incident_histories_incident_id_fkey incident_id > incidents
  incident_histories.incident_histories_responder_id_fkey responder_id > responders on delete set null
  incident_relationships.incident_relationships_incident_id_fkey incident_id > incidents
  incident_relationships.incident_relationships_related_id_fkey related_id > incidents
  hypotheses.hypotheses_created_by_fkey created_by > people
  hypotheses.hypotheses_incident_id_fkey incident_id > incidents
  hypotheses.hypotheses_owner_fkey owner > responders
  hypotheses.hypotheses_parent_id_fkey parent_id > hypotheses on delete cascade
  hypotheses.hypotheses_team_id_fkey team_id > teams
  evidences.evidences_check_id_fkey check_id > checks
  evidences.evidences_component_id_fkey component_id > components
  evidences.evidences_config_analysis_id_fkey config_analysis_id > config_analysis
  evidences.evidences_config_change_id_fkey config_change_id > config_changes
  evidences.evidences_config_id_fkey config_id > config_items
  evidences.evidences_created_by_fkey created_by > people
  evidences.evidences_hypothesis_id_fkey hypothesis_id > hypotheses on delete cascade
  responders.responders_created_by_fkey created_by > people
  responders.responders_incident_id_fkey incident_id > incidents
  responders.responders_person_id_fkey person_id > people
  responders.responders_team_id_fkey team_id > teams
  comments.comments_created_by_fkey created_by > people
  comments.comments_hypothesis_id_fkey hypothesis_id > hypotheses on delete cascade
  comments.comments_incident_id_fkey incident_id > incidents
  comments.comments_responder_id_fkey responder_id > responders
  comment_responders.comment_responders_comment_id_fkey comment_id > comments on delete cascade
  comment_responders.comment_responders_responder_id_fkey responder_id > responders
  playbooks.playbook_created_by_fkey created_by > people
  playbook_runs.playbook_run_playbook_id_fkey playbook_id > playbooks on delete cascade
  playbook_runs.playbook_run_created_by_fkey created_by > people
  playbook_runs.playbook_run_check_id_fkey check_id > checks
  playbook_runs.playbook_run_config_id_fkey config_id > config_items
  playbook_runs.playbook_run_component_id_fkey component_id > components
  playbook_runs.playbook_run_agent_id_fkey agent_id > agents
  playbook_run_actions.playbook_run_playbook_run_id_fkey playbook_run_id > playbook_runs on delete cascade
  playbook_approvals.playbook_approval_run_id_fkey run_id > playbook_runs
  playbook_approvals.playbook_approval_person_approver_fkey person_id > people
  playbook_approvals.playbook_approval_team_approver_fkey team_id > teams
  playbook_action_agent_data.playbook_action_template_env_agent_action_id_fkey action_id > playbook_run_actions on delete cascade
  notifications.notification_created_by_fkey created_by > people
  notifications.notification_person_id_fkey person_id > people on delete cascade
  notifications.notification_team_id_fkey team_id > teams on delete cascade
  notification_send_history.notification_id_fkey notification_id > notifications on delete cascade on update cascade
  notification_send_history.notification_recipient_person_id_fkey person_id > people on delete cascade on update cascade
  connections.connections_created_by_fkey created_by > people
  logging_backends.logging_backends_created_by_fkey created_by > people
  properties.properties_created_by_fkey created_by > people
  integrations.integrations_created_by_fkey created_by > people
  artifacts.artifacts_checks_fkey check_id > checks
  artifacts.artifacts_playbook_run_action_fkey playbook_run_action_id > playbook_run_actions
`

/** table.name columns, then the condition of a partial one. */
export const uniqueKeys = `
  people.people_email_unique_idx email where deleted_at is null
  teams.team_name_key name
  access_tokens.access_tokens_person_name_unique_key person_id, name
  casbin_rule.casbin_rule_idx ptype, v0, v1, v2, v3, v4, v5
  agents.agents_name_key name where deleted_at is null
  canaries.canaries_name_namespace_source_key agent_id, name, namespace, source where deleted_at is null and agent_id = nil
  checks.checks_canary_id_type_name_agent_id_key canary_id, type, name, agent_id
  topologies.topologies_name_namespace_key agent_id, name, namespace where deleted_at is null and agent_id = nil
  components.components_topology_id_type_name_parent_id_key topology_id, type, name, parent_id
  component_relationships.component_relationships_component_id_relationship_id_select_key component_id, relationship_id, selector_id
  team_components.team_components_team_id_component_id_selector_id_key team_id, component_id, selector_id
  check_component_relationships.check_component_relationships_component_id_check_id_canary__key component_id, check_id, canary_id, selector_id
  config_component_relationships.config_component_relationships_component_id_config_id_key component_id, config_id
  config_changes.config_changes_config_id_external_change_id_key config_id, external_change_id
  config_relationships.config_relationships_related_id_config_id_relation_key related_id, config_id, relation
  check_config_relationships.check_config_relationships_config_id_check_id_canary__key config_id, check_id, canary_id, selector_id
  incidents.incidents_incident_id_key incident_id
  incident_rules.incident_rules_name_key name
  playbooks.playbook_name_namespace_category_key namespace, name, category where deleted_at is null
  connections.connections_name_namespace_key name, namespace where deleted_at is null
  event_queue.event_queue_name_properties name, md5(coalesce(properties::text, ''))
`
