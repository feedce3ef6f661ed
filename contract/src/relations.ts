import { type Action, can, type Resource, type Role } from './permissions.ts'

/** Which resource of the permission matrix each table, view and function of the data API belongs to. */

export type Write = 'insert' | 'update' | 'delete'

export interface RelationRule {
  read: Resource
  /** Absent: nobody writes it through the data API. */
  write?: Resource
  /** The writes there are, when not all three. */
  writes?: readonly Write[]
  /** Columns whose values only those see who may write the relation. Views that show them hide them alike. */
  secret?: readonly string[]
  /** A column with a person's id: who may not write the relation sees own rows only. */
  own?: string
  /** The column that names one row, of a view that computes much for each: of a page further on, only its rows are computed. */
  rowKey?: string
}

export interface FunctionRule {
  resource: Resource
  /** write: it changes something, so it takes the right to, and POST. */
  action: Action
}

/** There, but not for clients: the data API answers as if it did not exist. */
export const hidden = 'hidden'

const table = (resource: Resource, more: Partial<RelationRule> = {}): RelationRule => ({
  read: resource,
  write: resource,
  ...more,
})
const readOnly = (resource: Resource, more: Partial<RelationRule> = {}): RelationRule => ({ read: resource, ...more })
const reads = (resource: Resource): FunctionRule => ({ resource, action: 'read' })

export const relations: Record<string, RelationRule | typeof hidden> = {
  // people and access
  people: { read: 'database', write: 'identities' },
  people_roles: readOnly('database'),
  identities: table('identities', { writes: ['update', 'delete'] }),
  teams: table('database'),
  team_members: table('database'),
  teams_with_status: readOnly('database'),
  audit_log: readOnly('rbac'),
  access_tokens: hidden,
  access_token_scopes: hidden,
  identity_addresses: hidden,
  identity_credentials: hidden,
  identity_flows: hidden,
  identity_limits: hidden,
  identity_sessions: hidden,
  outgoing_mails: hidden,
  casbin_rule: hidden,

  // agents
  agents: table('agents', { secret: ['tls'] }),
  agents_summary: readOnly('agents'),
  playbooks_for_agent: readOnly('playbooks'),
  push_queue_summary: readOnly('agents'),

  // health
  canaries: table('canaries'),
  canaries_with_status: readOnly('canaries'),
  checks: table('canaries'),
  check_statuses: readOnly('canaries'),
  check_statuses_5m: readOnly('canaries'),
  check_statuses_1h: readOnly('canaries'),
  check_statuses_1d: readOnly('canaries'),
  check_status_summary: readOnly('canaries'),
  check_status_summary_hour: readOnly('canaries'),
  check_status_summary_aged: readOnly('canaries'),
  check_summary: readOnly('canaries'),
  check_summary_by_component: readOnly('canaries'),
  check_summary_by_config: readOnly('canaries'),
  check_summary_for_config: readOnly('canaries'),
  checks_by_component: readOnly('canaries'),
  checks_by_config: readOnly('canaries'),
  checks_status_artifacts: readOnly('canaries'),
  check_size_summary: readOnly('canaries'),
  check_names: readOnly('canaries'),
  check_labels: readOnly('canaries'),
  check_component_relationships: table('canaries'),
  check_config_relationships: table('canaries'),

  // topology
  topologies: table('topologies'),
  topologies_with_status: readOnly('topologies'),
  topology: readOnly('topologies'),
  components: table('topologies'),
  component_relationships: table('topologies'),
  team_components: table('topologies'),
  component_names: readOnly('topologies'),
  component_names_all: readOnly('topologies'),
  component_labels: readOnly('topologies'),
  component_types: readOnly('topologies'),
  components_with_logs: readOnly('topologies'),
  incident_summary_by_component: readOnly('incident'),
  analysis_summary_by_component: readOnly('database'),

  // catalog
  config_scrapers: table('config_scrapers'),
  config_scrapers_with_status: readOnly('config_scrapers'),
  config_items: table('database'),
  config_items_aws: readOnly('database'),
  config_changes: table('database'),
  config_changes_by_types: readOnly('database'),
  catalog_changes: readOnly('database'),
  config_analysis: table('database'),
  config_analysis_analyzers: readOnly('database'),
  config_analysis_by_severity: readOnly('database'),
  config_analysis_items: readOnly('database'),
  config_relationships: table('database'),
  config_component_relationships: table('database'),
  config_class_summary: readOnly('database'),
  config_classes: readOnly('database'),
  config_detail: readOnly('database'),
  config_labels: readOnly('database'),
  config_names: readOnly('database'),
  config_statuses: readOnly('database'),
  config_summary: readOnly('database'),
  config_tags: readOnly('database'),
  config_types: readOnly('database'),
  configs: readOnly('database'),
  change_types: readOnly('database'),
  changes_by_component: readOnly('database'),
  analysis_by_component: readOnly('database'),
  analysis_by_config: readOnly('database'),
  analysis_types: readOnly('database'),
  analyzer_types: readOnly('database'),

  // incidents
  incidents: table('incident'),
  incident_relationships: table('incident'),
  incident_histories: readOnly('incident'),
  incident_rules: table('database'),
  incident_summary: readOnly('incident'),
  incidents_by_component: readOnly('incident'),
  incidents_by_config: readOnly('incident'),
  hypotheses: table('incident'),
  evidences: table('evidences'),
  responders: table('responder'),
  comments: table('comments'),
  comment_responders: table('comments'),
  severities: readOnly('database'),

  // playbooks: runs are started, approved and cancelled by their own routes
  playbooks: table('playbooks'),
  playbook_names: readOnly('playbooks'),
  playbook_runs: readOnly('playbook_runs'),
  playbook_run_actions: readOnly('playbook_runs'),
  playbook_approvals: readOnly('playbook_runs'),
  playbook_action_agent_data: hidden,

  // notifications
  notifications: table('notifications'),
  notifications_summary: readOnly('notifications'),
  notification_send_history: readOnly('notifications'),

  // settings
  connections: table('connections', { secret: ['url', 'username', 'password', 'certificate', 'properties'] }),
  connections_list: readOnly('database'),
  logging_backends: table('logging_backends'),
  properties: table('feature_flags'),
  integrations: table('integrations'),
  integrations_with_status: readOnly('integrations'),
  saved_query: table('database'),

  // system
  event_queue: readOnly('database'),
  event_queue_summary: readOnly('database'),
  failed_events: readOnly('database'),
  job_history: readOnly('database'),
  job_histories: readOnly('database', { rowKey: 'id' }),
  job_history_latest_status: readOnly('database'),
  job_history_names: readOnly('database'),
  artifacts: readOnly('database'),
  migration_logs: readOnly('database'),
  artifact_blobs: hidden,
  config_change_aliases: hidden,
  config_change_fingerprints: hidden,
  config_change_undos: hidden,
  config_item_facts: hidden,
  config_item_scrapes: hidden,
  config_item_states: hidden,
  config_scraper_states: hidden,
  config_values: hidden,
  live_changes: hidden,
  migration_objects: hidden,
  resource_files: hidden,
  worker_heartbeats: hidden,
}

export const functions: Record<string, FunctionRule | typeof hidden> = {
  check_summary_for_component: reads('canaries'),
  lookup_analysis_by_component: reads('database'),
  lookup_changes_by_component: reads('database'),
  lookup_component_by_property: reads('topologies'),
  lookup_component_children: reads('topologies'),
  lookup_component_incidents: reads('incident'),
  lookup_component_names: reads('topologies'),
  lookup_component_relations: reads('topologies'),
  lookup_components_by_check: reads('topologies'),
  lookup_components_by_config: reads('topologies'),
  lookup_configs_by_component: reads('database'),
  lookup_config_children: reads('database'),
  lookup_config_relations: reads('database'),
  config_path: reads('database'),
  config_relationships_recursive: reads('database'),
  get_recursive_path: reads('database'),
  related_changes_recursive: reads('database'),
  related_config_ids_recursive: reads('database'),
  related_configs: reads('database'),
  related_configs_recursive: reads('database'),
  uuid_to_ulid: reads('database'),

  // parts of views and triggers, and maintenance that the server's own jobs run
  acting_person: hidden,
  add_change_counts: hidden,
  announce_change: hidden,
  compact_config_values: hidden,
  config_value_pairs: hidden,
  constraint_is_deferrable: hidden,
  delete_agent_resources: hidden,
  delete_old_config_items: hidden,
  drop_config_items: hidden,
  generate_ulid: hidden,
  incident_status_targets: hidden,
  latency_add: hidden,
  latency_bounds: hidden,
  latency_bucket: hidden,
  latency_count: hidden,
  latency_percentile: hidden,
  prune_live_changes: hidden,
  queue_event: hidden,
  refresh_check_size_summary: hidden,
  refresh_check_status_summary: hidden,
  refresh_check_status_summary_aged: hidden,
  touch_config_items: hidden,
  keep_open_insights: hidden,
  walk_configs: hidden,
  walk_directions: hidden,
}

/** Whether someone with these roles may read a relation, or write it in any way. */
export function canUseRelation(held: readonly Role[], action: Action, name: string): boolean {
  const rule = relations[name]
  if (rule === undefined || rule === hidden) return false
  const resource = rule[action]
  return resource !== undefined && can(held, action, resource)
}
