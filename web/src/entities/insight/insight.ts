/** Something that an analyzer found about a catalog item. */
export interface Insight {
  id: string
  config_id: string
  analyzer: string
  analysis_type: string | null
  severity: string | null
  status: string | null
  summary?: string | null
  /** HTML of the analyzer; shown only through SafeHtml. */
  message?: string | null
  analysis?: unknown
  source?: string | null
  first_observed: string
  last_observed: string | null
  config?: InsightConfig | null
}

export interface InsightConfig {
  id: string
  name: string
  type: string
  config_class?: string | null
}

export const analysisTypes = [
  'cost',
  'availability',
  'performance',
  'security',
  'integration',
  'compliance',
  'technical_debt',
  'reliability',
  'recommendation',
  'other',
] as const

export const insightSeverities = ['info', 'warning', 'low', 'medium', 'high', 'blocker', 'critical'] as const

export const insightStatuses = ['open', 'resolved', 'silenced'] as const

/** Longest piece of an analysis that lists and links show. */
export const analysisLength = 500

/** technical_debt reads Technical debt. */
export function wordOf(value: string): string {
  const words = value.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
