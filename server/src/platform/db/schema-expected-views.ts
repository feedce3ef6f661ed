/**
 * Views and functions of the data model. Types: t text, u uuid, ts timestamptz, i integer, n bigint, num numeric, j jsonb,
 * b boolean. `table.*` stands for every column of that table; everything after `+` is ours.
 */

const job = `job_name t, job_success_count i, job_error_count i, job_details j, job_hostname t, job_duration_millis i,
  job_resource_type t, job_status t, job_time_start ts, job_time_end ts, job_created_at ts, job_last_failed ts`
const costs = 'cost_per_minute num, cost_total_1d num, cost_total_7d num, cost_total_30d num'
const checkSummary = `id u, canary_id u, uptime j, latency j, last_transition_time ts, type t, icon t, name t, status t,
  description t, namespace t, canary_namespace t, canary_name t, labels j, severity t, owner t, last_runtime ts,
  created_at ts, updated_at ts, deleted_at ts, silenced_at ts`
const checkStatusSummary = `check_id u, p99 i, p95 i, p50 i, mean num, passed n, failed n, last_check ts, last_pass ts, last_fail ts`
const componentNames = 'id u, path t, external_id t, type t, name t, created_at ts, updated_at ts, icon t, parent_id u'
const configs = `id u, scraper_id u, config_class t, external_id t[], type t, name t, namespace t, description t, source t,
  labels j, tags j, created_by u, created_at ts, updated_at ts, deleted_at ts, ${costs}, agent_id u, status t, health t,
  ready b, path t, analysis json, changes json`
const catalogChanges = `id u, config_id u, name t, type t, tags j, external_created_by t, created_at ts, severity t,
  change_type t, source t, summary t, created_by u, count i, first_observed ts, agent_id u`

export const views: Record<string, string> = {
  agents_summary: 'agents.*, config_count n, config_scrapper_count n, checks_count n, playbook_runs_count n',
  people_roles: 'id u, name t, email t, roles varchar[]',
  job_history_latest_status: 'job_history.*, rn n',
  topologies_with_status: `topologies.*, ${job}, agent j`,
  config_scrapers_with_status: `config_scrapers.*, ${job}, agent j`,
  teams_with_status: `teams.*, ${job}`,
  canaries_with_status: `id u, name t, namespace t, interval t, schedule t, labels j, source t, created_by u, created_at ts,
    deleted_at ts, last_runtime ts, ${job}, agent j, updated_at ts`,
  integrations_with_status: `id u, name t, description t, integration_type t, source source, agent_id u, created_at ts,
    updated_at ts, deleted_at ts, created_by u, ${job}, agent j, namespace t, creator_name t, creator_avatar t, creator_title t, creator_email t`,
  job_histories: 'job_history.*, resource_name t, agent j',
  job_history_names: 'name t',
  notifications_summary: `id u, title t, events t[], filter t, person_id u, team_id u, custom_services j, created_at ts,
    updated_at ts, created_by u, source source, repeat_interval t, pending n, avg_duration_ms num, failed n, sent n, most_common_error t`,
  event_queue_summary: `name t, pending n, failed n, average_attempts num, first_failure ts, last_failure ts, most_common_error t`,
  connections_list: 'id u, name t, namespace t, type t, category t, created_by u, created_at ts, updated_at ts',
  check_status_summary_hour: checkStatusSummary,
  check_status_summary_aged: checkStatusSummary,
  check_summary: checkSummary,
  check_summary_for_config: `config_id u, ${checkSummary}`,
  checks_by_component: 'component_id u, id u, type t, name t, severity t, status t',
  checks_by_config: 'config_id u, id u, type t, name t, severity t, status t, icon t, last_runtime ts',
  check_summary_by_component: 'component_id u, checks j',
  check_summary_by_config: 'config_id u, checks j',
  check_names: 'id u, canary_id u, type t, name t, status t',
  check_labels: 'key t, value t',
  check_statuses_5m: 'check_id u, created_at ts, total_checks n, passed n, failed n, total_duration n',
  checks_status_artifacts: `check_id u, check_status b, check_message t, error t, invalid b, time ts, duration i, artifacts j`,
  component_names: componentNames,
  component_names_all: `${componentNames}, deleted_at ts`,
  component_labels: 'key t, value t',
  component_types: 'type t',
  components_with_logs: 'id u, name t, agent_id u, icon t, type t',
  changes_by_component: `id u, config_id u, name t, config_class t, type t, change_type t, created_at ts, created_by u,
    change_id u, severity t, component_id u, config_deleted_at ts`,
  analysis_by_component: `config_id u, name t, config_class t, type t, analysis_type t, first_observed ts, last_observed ts,
    created_by u, analysis_id u, severity t, component_id u`,
  analysis_summary_by_component: 'id u, analysis j',
  analysis_by_config: 'id u, analysis j',
  incident_summary_by_component: 'id u, incidents j',
  incidents_by_component: 'title t, id u, created_at ts, type t, status t, severity t, component_id u',
  incidents_by_config: 'title t, id u, created_at ts, type t, status t, severity t, config_id u',
  incident_summary: `id u, incident_id varchar(10), title t, severity t, type t, status t, created_at ts, updated_at ts,
    commander j, responders j, commenters j + created_by u, commander_id u`,
  topology: `components.*, logs j, checks j, team_names t[], incidents j, analysis j, children u[], parents u[]`,
  configs,
  config_detail: 'config_items.*, summary j, components j',
  config_names: 'id u, type t, external_id t[], name t',
  config_types: 'type t',
  config_classes: 'config_class t',
  config_statuses: 'status t',
  config_tags: 'key t, value t',
  config_labels: 'key t, value t',
  change_types: 'change_type t',
  analysis_types: 'analysis_type t',
  analyzer_types: 'analyzer t',
  config_analysis_analyzers: 'analyzer t',
  config_analysis_items: 'config_analysis.*, config_type t, config_class t',
  catalog_changes: catalogChanges,
  config_summary: `type t, created_at ts, updated_at ts, analysis j, severity j, changes n, total_configs n, ${costs}`,
  config_class_summary: `config_class t, analysis j, changes n, total_configs n, ${costs}`,
  config_changes_by_types: 'type t, change_count n',
  config_analysis_by_severity: 'type t, severity t, analysis_count n',
  config_items_aws: `${configs}, zone t, region t, account t`,
  playbook_names: 'id u, title t, name t, description t, category t, icon t',
  playbooks_for_agent: 'agent_name t, person_id u, agent_id u, playbook_ids j',
  failed_events: `name t, unique_errors n, average_attempts num, total_failed_events n, most_common_error t`,
  push_queue_summary: 'table t, count n',
}

/** Materialised views of the reference that are tables here. */
export const summaryTables: Record<string, string> = {
  check_status_summary: `${checkStatusSummary} + refreshed_at ts`,
  check_size_summary: 'canary_id u, id u, min_time ts, max_time ts, count n, size n, avg_size n',
}

const edge = 'id u, related_id u, relation_type t, direction t, depth i'
const walk =
  "config_id u, type_filter t = 'outgoing', max_depth i = 5, incoming_relation t = 'both', outgoing_relation t = 'both'"
const relatedConfig = `id u, name t, type t, related_ids t[], tags j, changes json, analysis json, ${costs}, created_at ts,
  updated_at ts, agent_id u, health t, ready b, status t, path t`

/** name: arguments with defaults → what comes back. */
export const functions: Record<string, [string, string]> = {
  generate_ulid: ['', 'u'],
  uuid_to_ulid: ['id u', 't'],
  check_summary_for_component: ['id u', 'setof check_summary'],
  lookup_component_children: ['id t, max_depth i', 'child_id u, parent_id u, level i'],
  lookup_component_relations: ['component_id t', 'id u'],
  lookup_component_incidents: ['component_id t', 'id u'],
  lookup_component_names: ['component_id u[]', 'names t[]'],
  lookup_components_by_check: ['id u', 'setof components'],
  lookup_components_by_config: ['id t', 'component_id u, name t, type t, icon t, role t'],
  lookup_component_by_property: ['name t, text t', 'setof components'],
  config_relationships_recursive: [walk, edge],
  related_config_ids_recursive: [walk, 'id u, direction t, depth i'],
  get_recursive_path: ['start u', edge],
  related_configs_recursive: [
    `config_id u, type_filter t = 'outgoing', include_deleted_configs b = false, max_depth i = 5,
     incoming_relation t = 'both', outgoing_relation t = 'both'`,
    relatedConfig,
  ],
  related_configs: ["config_id u, type_filter t = 'all', include_deleted_configs b = false", relatedConfig],
  related_changes_recursive: [
    "lookup_id u, type_filter t = 'downstream', include_deleted_configs b = false, max_depth i = 5",
    catalogChanges,
  ],
  lookup_configs_by_component: ['id t', 'config_id u, name t, type t, icon t, role t, deleted_at ts'],
  lookup_changes_by_component: ['id t', 'setof config_changes'],
  lookup_analysis_by_component: ['id t', 'setof config_analysis'],
  lookup_config_children: ['id t, max_depth i', 'child_id u, parent_id u, level i'],
  lookup_config_relations: ['config_id t', 'id u'],
  config_path: ['id u', 't'],
  delete_old_config_items: ['older_than_days i', 'i'],
  drop_config_items: ['ids t[]', 'i'],
  delete_agent_resources: ['agent u, time ts', 'void'],
  constraint_is_deferrable: ['table t, constraint t', 'b'],
}
