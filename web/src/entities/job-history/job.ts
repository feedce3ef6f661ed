import { paths } from '@/app/paths.ts'

/** One run of a background job. */
export interface Job {
  id: string
  name: string | null
  agent: { id: string | null; name: string | null } | null
  resource_id: string | null
  resource_type: string | null
  resource_name: string | null
  status: string | null
  time_start: string | null
  duration_millis: number | null
  success_count: number | null
  error_count: number | null
  created_at: string
  hostname?: string | null
  details: {
    errors?: string[] | null
    scrape_summary?: Record<string, unknown> | null
    summary?: Record<string, unknown> | null
    [key: string]: unknown
  } | null
}

export const jobStatuses = ['RUNNING', 'SUCCESS', 'WARNING', 'FAILED'] as const

/** Columns the server can sort runs by. */
export const jobSorts = [
  'time_start',
  'name',
  'resource_type',
  'resource_name',
  'status',
  'duration_millis',
  'success_count',
  'error_count',
  'created_at',
] as const

/** Words of a job's state as people say them: WARNING becomes Warning. */
export const jobWord = (status: string) => status.charAt(0).toUpperCase() + status.slice(1).toLowerCase()

/** The page of what a run was about; undefined when it has none. */
export function resourcePath({ resource_type: type, resource_id: id }: Job): string | undefined {
  if (!id) return undefined
  switch (type) {
    case 'canary':
      return paths.canary(id)
    case 'config_scraper':
    case 'catalog_scraper':
      return paths.scraper(id)
    case 'topology':
    case 'topologies':
      return paths.settingsItem('topologies', id)
    case 'config':
      return paths.config(id)
    case 'playbook':
      return `/playbooks/${encodeURIComponent(id)}`
    case 'team':
      return paths.settingsItem('teams', id)
    case 'incident_rule':
      return paths.settingsItem('incident_rules', id)
    default:
      return undefined
  }
}

export type DetailsTab = 'errors' | 'scrape_summary' | 'summary'
export const detailsLabels: Record<DetailsTab, string> = {
  errors: 'Errors',
  scrape_summary: 'Scrape Summary',
  summary: 'Reconcile Summary',
}

const isFilled = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length > 0

/** The tabs that hold something, in the order in which they are offered. */
export function detailsTabs({ details }: Pick<Job, 'details'>): DetailsTab[] {
  return (['errors', 'scrape_summary', 'summary'] as const).filter((tab) => isFilled(details?.[tab]))
}
