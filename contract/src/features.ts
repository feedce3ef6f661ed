// Apart from flags.ts, so that the console's first load can use it without the schema library.
/** What can be switched off. A property `{feature}.disable` with the value `true` does it. */
export const features = [
  'topology',
  'health',
  'incidents',
  'config',
  'logs',
  'playbooks',
  'agents',
  'settings.connections',
  'settings.users',
  'settings.teams',
  'settings.rules',
  'settings.config_scraper',
  'settings.topology',
  'settings.health',
  'settings.job_history',
  'settings.feature_flags',
  'settings.logging_backends',
  'settings.event_queue_status',
  'settings.organization_profile',
  'settings.notifications',
  'settings.playbooks',
  'settings.integrations',
] as const
export type Feature = (typeof features)[number]

/** A feature goes with its parent: when the parent is off, so is the child. */
export const parentOf: Partial<Record<Feature, Feature>> = {
  'settings.config_scraper': 'config',
  'settings.topology': 'topology',
  'settings.health': 'health',
  'settings.job_history': 'health',
}

/** The property that switches a feature off. */
export const flagName = (feature: Feature): string => `${feature}.disable`

/** Whether a feature, or the feature it depends on, is switched off. Any value but `true` does nothing. */
export function isDisabled(properties: readonly { name: string; value: string }[], feature: Feature): boolean {
  const off = (one: Feature) => properties.some(({ name, value }) => name === flagName(one) && value === 'true')
  const parent = parentOf[feature]
  return off(feature) || (parent !== undefined && isDisabled(properties, parent))
}
