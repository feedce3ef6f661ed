// Every address of the console. Links are made from here, never by hand; a leaf that every layer may import.

const id = encodeURIComponent

/** An address with those of the given parameters that have a value. */
export function withQuery(path: string, query: Record<string, string | number | boolean | undefined | null>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value))
  }
  const text = params.toString()
  return text === '' ? path : `${path}?${text}`
}

export const paths = {
  home: '/',
  topology: '/topology',
  component: (component: string) => `/topology/${id(component)}`,
  topologyView: (component: string) => `/view/topology/${id(component)}`,
  health: '/health',
  check: (check: string, timeRange?: string) => withQuery('/health', { checkId: check, timeRange }),
  incidents: '/incidents',
  incident: (incident: string) => `/incidents/${id(incident)}`,
  catalog: '/catalog',
  catalogChanges: '/catalog/changes',
  catalogInsights: '/catalog/insights',
  scrapers: '/catalog/scrapers',
  scraper: (scraper: string) => `/catalog/scrapers/${id(scraper)}`,
  config: (config: string) => `/catalog/${id(config)}`,
  configChanges: (config: string) => `/catalog/${id(config)}/changes`,
  configInsights: (config: string) => `/catalog/${id(config)}/insights`,
  configRelationships: (config: string) => `/catalog/${id(config)}/relationships`,
  configPlaybooks: (config: string) => `/catalog/${id(config)}/playbooks`,
  configChecks: (config: string) => `/catalog/${id(config)}/checks`,
  logs: '/logs',
  playbooks: '/playbooks',
  playbookRuns: '/playbooks/runs',
  runsOfPlaybook: (playbook: string) => withQuery('/playbooks/runs', { playbook }),
  playbookRun: (run: string) => `/playbooks/runs/${id(run)}`,
  docs: '/docs',
  doc: (name: string) => `/docs/${id(name)}`,
  settings: '/settings',
  connections: '/settings/connections',
  users: '/settings/users',
  jobs: '/settings/jobs',
  jobStatistics: '/settings/jobs/statistics',
  notifications: '/settings/notifications',
  featureFlags: '/settings/feature-flags',
  eventQueue: '/settings/event-queue-status',
  agents: '/settings/agents',
  agent: (agent: string) => withQuery('/settings/agents', { id: agent }),
  integrations: '/settings/integrations',
  integration: (type: string, integration: string) => `/settings/integrations/${id(type)}/${id(integration)}`,
  settingsTable: (table: string) => `/settings/${id(table)}`,
  settingsItem: (table: string, item: string) => `/settings/${id(table)}/${id(item)}`,
  canary: (canary: string) => `/settings/canaries/${id(canary)}`,
  login: '/login',
  loginFor: (query: { return_to?: string; aal?: 'aal2'; refresh?: boolean }) => withQuery('/login', query),
  recovery: '/recovery',
  registration: '/registration',
  verification: '/verification',
  profileSettings: '/profile-settings',
  authStateChecker: (returnTo: string) => withQuery('/auth-state-checker', { return_to: returnTo }),
  orgsSwitched: '/organizations/orgs-switched',
  error: '/error',
  kubeconfig: '/api/kubeconfig',
}
