import { type Feature, features, flagName, parentOf } from '@quarterdeck/contract/features'

const words: Record<Feature, string> = {
  topology: 'Topology',
  health: 'Health',
  incidents: 'Incidents',
  config: 'Catalog',
  logs: 'Logs',
  playbooks: 'Playbooks',
  agents: 'Agents',
  'settings.connections': 'Settings › Connections',
  'settings.users': 'Settings › Users',
  'settings.teams': 'Settings › Teams',
  'settings.rules': 'Settings › Rules',
  'settings.config_scraper': 'Settings › Catalog Scrapers',
  'settings.topology': 'Settings › Topologies',
  'settings.health': 'Settings › Health Checks',
  'settings.job_history': 'Settings › Jobs History',
  'settings.feature_flags': 'Settings › Feature Flags',
  'settings.logging_backends': 'Settings › Log Backends',
  'settings.event_queue_status': 'Settings › Event Queue',
  'settings.organization_profile': 'Settings › Organization Profile',
  'settings.notifications': 'Settings › Notifications',
  'settings.playbooks': 'Settings › Playbooks',
  'settings.integrations': 'Settings › Integrations',
}

/** All properties that switch something off, for the form's suggestions. */
export const knownFlags = features.map((feature) => ({ name: flagName(feature), feature: words[feature] }))

/** What a property does to the console, in words; null for properties that are no feature flags. */
export function effectOf(name: string, value: string): string | null {
  const feature = features.find((one) => flagName(one) === name)
  if (!feature) return null
  if (value !== 'true') return 'No effect, only the value true counts'
  const dependents = features.filter((one) => parentOf[one] === feature).map((one) => words[one])
  return `Switches off ${[words[feature], ...dependents].join(', ')}`
}
