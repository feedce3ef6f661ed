import type { Feature } from './features.ts'

/** What a server contains: everything, or only the health-check part and what it cannot do without. */
export const deployments = ['full', 'health'] as const
export type Deployment = (typeof deployments)[number]

/** Tables, views and functions of the data API that the health part has. */
const healthRelations = new Set([
  'canaries',
  'canaries_with_status',
  'checks',
  'check_statuses',
  'check_statuses_5m',
  'check_statuses_1h',
  'check_statuses_1d',
  'check_status_summary',
  'check_status_summary_hour',
  'check_status_summary_aged',
  'check_summary',
  'check_size_summary',
  'checks_status_artifacts',
  'check_names',
  'check_labels',
  'people',
  'people_roles',
  'identities',
  'agents',
  'agents_summary',
  'connections',
  'connections_list',
  'properties',
  'job_history',
  'job_histories',
  'job_history_latest_status',
  'job_history_names',
  'artifacts',
  'uuid_to_ulid',
])

/** First part of the paths of calls outside the data API, after /api. */
const healthRoutes = new Set([
  '_health',
  'about',
  'v1',
  '.ory',
  'auth',
  'rbac',
  'properties',
  'canary',
  'connection',
  'agent',
  'upstream',
  'events',
  'schemas',
  'artifacts',
])

/** Second part of our own calls that are of other areas. */
const otherCalls = new Set(['catalog', 'scrapers'])

const healthFeatures = new Set<Feature>([
  'health',
  'agents',
  'settings.health',
  'settings.connections',
  'settings.users',
  'settings.job_history',
  'settings.feature_flags',
])

/** First part of the addresses of pages that are of other areas; pages of identity and errors are everywhere. */
const otherPages = new Set(['topology', 'view', 'incidents', 'catalog', 'config', 'logs', 'playbooks'])
const healthSettings = new Set(['canaries', 'agents', 'connections', 'users', 'jobs', 'feature-flags', 'properties'])

export const hasRelation = (deployment: Deployment, name: string): boolean =>
  deployment === 'full' || healthRelations.has(name)

/** `path` as routes declare it, without /api. */
export function hasRoute(deployment: Deployment, path: string): boolean {
  if (deployment === 'full') return true
  const [, first = '', second = ''] = path.split('/')
  return healthRoutes.has(first) && !(first === 'v1' && otherCalls.has(second))
}

export const hasFeature = (deployment: Deployment, feature: Feature): boolean =>
  deployment === 'full' || healthFeatures.has(feature)

/** `path` is the address of a page of the console. */
export function hasPage(deployment: Deployment, path: string): boolean {
  if (deployment === 'full') return true
  const [, first, second] = path.split(/[/?#]/)
  if (first === 'settings' && second) return healthSettings.has(second)
  return !otherPages.has(first ?? '')
}
