// Apart from live.ts, so that the console's first load can use it without the schema library.
/** Names of the families of queries in the console: the first word of every query key. */
export const queryFamilies = [
  'agents',
  'catalog',
  'connections',
  'event-queue',
  'flags',
  'health',
  'incidents',
  'integrations',
  'jobs',
  'logs',
  'notifications',
  'people',
  'playbooks',
  'resources',
  'teams',
  'topology',
] as const
export type QueryFamily = (typeof queryFamilies)[number]

/** Which families show something of a relation. `resources` are the settings lists of definitions. */
export const familiesOfRelation: Readonly<Record<string, readonly QueryFamily[]>> = {
  access_tokens: ['people'],
  agents: ['agents'],
  artifacts: ['health', 'playbooks'],
  canaries: ['health', 'resources', 'agents'],
  casbin_rule: ['people'],
  check_component_relationships: ['health', 'topology'],
  check_config_relationships: ['health', 'catalog'],
  check_status_summary: ['health', 'catalog', 'topology'],
  check_statuses: ['health'],
  check_statuses_1d: ['health'],
  check_statuses_1h: ['health'],
  checks: ['health', 'catalog', 'topology', 'agents'],
  comment_responders: ['incidents'],
  comments: ['incidents'],
  component_relationships: ['topology'],
  components: ['topology', 'incidents', 'logs'],
  config_analysis: ['catalog', 'topology'],
  config_changes: ['catalog', 'topology'],
  config_component_relationships: ['catalog', 'topology'],
  config_items: ['catalog', 'topology', 'agents'],
  config_relationships: ['catalog'],
  config_scrapers: ['catalog', 'resources', 'integrations', 'agents'],
  connections: ['connections', 'resources'],
  event_queue: ['event-queue', 'notifications'],
  evidences: ['incidents', 'catalog', 'topology'],
  hypotheses: ['incidents'],
  identities: ['people'],
  incident_histories: ['incidents'],
  incident_relationships: ['incidents'],
  incident_rules: ['resources', 'incidents'],
  incidents: ['incidents', 'topology', 'catalog'],
  integrations: ['integrations'],
  job_history: ['jobs', 'resources', 'integrations'],
  logging_backends: ['logs', 'resources', 'integrations'],
  notification_send_history: ['notifications'],
  notifications: ['notifications', 'resources'],
  people: ['people'],
  playbook_approvals: ['playbooks'],
  playbook_run_actions: ['playbooks'],
  playbook_runs: ['playbooks', 'agents'],
  playbooks: ['playbooks'],
  properties: ['flags', 'resources'],
  responders: ['incidents'],
  saved_query: ['catalog'],
  severities: ['incidents'],
  team_components: ['teams', 'topology'],
  team_members: ['teams', 'people'],
  teams: ['teams', 'resources', 'people'],
  topologies: ['topology', 'resources', 'integrations'],
}

/** The families to read again after these changes; a relation nobody listed makes all of them stale. */
export function staleFamilies(changes: readonly { relation: string }[]): QueryFamily[] {
  const stale = new Set<QueryFamily>()
  for (const { relation } of changes) {
    for (const family of familiesOfRelation[relation] ?? queryFamilies) stale.add(family)
  }
  return [...stale]
}
