import type { ChartId } from '@quarterdeck/contract/charts'
import { logBackend } from '@/entities/settings-resource/kinds/log-backend.ts'
import { scraper } from '@/entities/settings-resource/kinds/scraper.ts'
import { topology } from '@/entities/settings-resource/kinds/topology.ts'
import type { ResourceKind } from '@/entities/settings-resource/resource-kind.ts'

export interface GitOpsChoice {
  chart: ChartId
  label: string
  icon: string
}

/** A chart in a cluster brings these in. */
export const gitOpsChoices: readonly GitOpsChoice[] = [
  { chart: 'aws', label: 'AWS', icon: 'aws' },
  { chart: 'azure', label: 'Azure', icon: 'azure' },
  { chart: 'prometheus', label: 'Prometheus', icon: 'prometheus' },
  { chart: 'flux', label: 'Flux', icon: 'flux' },
  { chart: 'kubernetes', label: 'Kubernetes', icon: 'kubernetes' },
  { chart: 'mission-control', label: 'Mission Control', icon: 'activity' },
]

export interface DirectChoice {
  label: string
  kind: ResourceKind
}

/** These are saved here. */
export const directChoices: readonly DirectChoice[] = [
  { label: 'Custom Topology', kind: topology },
  { label: 'Catalog Scraper', kind: scraper },
  { label: 'Log Backends', kind: logBackend },
]
