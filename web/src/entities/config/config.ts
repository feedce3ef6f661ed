/** Catalog items as the data API sends them, and what follows from their fields alone. */

export interface ChangeCount {
  change_type: string | null
  severity: string | null
  total: number
}

export interface AnalysisMark {
  analyzer: string
  analysis_type: string | null
  severity: string | null
}

export interface ConfigCosts {
  cost_per_minute?: number | null
  cost_total_1d?: number | null
  cost_total_7d?: number | null
  cost_total_30d?: number | null
}

/** A line of the catalog. */
export interface ConfigItem extends ConfigCosts {
  id: string
  name: string
  /** Provider and kind: Kubernetes::Pod. */
  type: string
  config_class: string
  status: string | null
  health: string | null
  labels: Record<string, string> | null
  tags: Record<string, string> | null
  created_at: string
  updated_at: string | null
  deleted_at: string | null
  changes: ChangeCount[] | null
  analysis: AnalysisMark[] | null
  agent?: { id: string; name: string } | null
}

interface PropertyLink {
  type?: string
  url?: string
  text?: string
  label?: string
  icon?: string
  tooltip?: string
}

export interface ConfigProperty {
  name?: string
  label?: string
  namespace?: string
  tooltip?: string
  icon?: string
  type?: string
  color?: string
  order?: number
  headline?: boolean
  text?: string
  value?: number | string
  unit?: string
  max?: number | string
  links?: PropertyLink[]
}

export interface ConfigCounts {
  changes?: number
  analysis?: number
  relationships?: number
  playbook_runs?: number
  checks?: number
}

/** One item with its document and what hangs on it. */
export interface ConfigDetail extends Omit<ConfigItem, 'changes' | 'analysis' | 'agent'> {
  agent_id: string | null
  description: string | null
  config: unknown
  properties: ConfigProperty[] | null
  last_scraped_time: string | null
  delete_reason: string | null
  external_id?: string[] | null
  source?: string | null
  config_scrapers: { id: string; name: string } | null
  summary: ConfigCounts | null
}

/** The provider of a type: Kubernetes::Pod → Kubernetes. */
export const providerName = (type: string): string => type.split('::')[0] || type

/** A type without its provider: AWS::EC2::Instance → EC2 Instance. */
export function kindName(type: string): string {
  const [, ...rest] = type.split('::')
  return rest.join(' ') || type
}

/**
 * By how many percent the cost of the last day differs from the daily average of 30 days; undefined when that cannot be
 * said. Up is positive.
 */
export function costChange({ cost_total_1d: day, cost_total_30d: month }: ConfigCosts): number | undefined {
  const average = (month ?? 0) / 30
  if (day === null || day === undefined || !(average > 0)) return undefined
  // Ten percent exactly must not become a little more than ten.
  return Number((((day - average) / average) * 100).toFixed(6))
}

/** From here a change of cost is worth a badge, in percent. */
export const notableCostChange = 10

/** From here a missing scrape is worth a warning. */
const staleScrape = 3_600_000

/** Whether an item that should still be there has not been seen for an hour or more. */
export function isScrapeStale(
  item: Pick<ConfigDetail, 'last_scraped_time' | 'deleted_at'>,
  now: number = Date.now(),
): boolean {
  if (!item.last_scraped_time || item.deleted_at) return false
  return now - Date.parse(item.last_scraped_time) >= staleScrape
}

/** All changes of an item; the list carries them by type and severity. */
export const totalChanges = (changes: readonly ChangeCount[] | null | undefined): number =>
  (changes ?? []).reduce((sum, { total }) => sum + total, 0)
