import { logBackend } from '@/entities/settings-resource/kinds/log-backend.ts'
import { scraper } from '@/entities/settings-resource/kinds/scraper.ts'
import { topology } from '@/entities/settings-resource/kinds/topology.ts'
import type { ResourceKind } from '@/entities/settings-resource/resource-kind.ts'

/** A line of the list: a scraper, a topology or a log backend. */
export interface Integration {
  id: string
  name: string
  namespace?: string | null
  source: string | null
  integration_type: string
  agent: { id: string | null; name: string | null } | null
  job_status: string | null
  job_details: { errors?: string[] | null } | null
  job_name: string | null
  job_time_start: string | null
  created_by: string | null
  creator_name: string | null
  creator_avatar: string | null
  created_at: string | null
  updated_at: string | null
}

interface IntegrationType {
  label: string
  icon: string
  kind: ResourceKind
}

/** By the word in addresses. */
export const integrationTypes: Readonly<Record<string, IntegrationType>> = {
  scrapers: { label: 'Catalog Scraper', icon: 'scraper', kind: scraper },
  topologies: { label: 'Topology', icon: 'topology', kind: topology },
  logging_backends: { label: 'Log Backend', icon: 'logs', kind: logBackend },
}

/** Some servers call log backends `logging`. */
export const typeOf = ({ integration_type: type }: Pick<Integration, 'integration_type'>): string =>
  type === 'logging' ? 'logging_backends' : type
