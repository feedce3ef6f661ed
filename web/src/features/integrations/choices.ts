import type { ChartId } from '@quarterdeck/contract/charts'
import { logBackend } from '@/entities/settings-resource/kinds/log-backend.ts'
import { scraper } from '@/entities/settings-resource/kinds/scraper.ts'
import { topology } from '@/entities/settings-resource/kinds/topology.ts'
import type { ResourceKind } from '@/entities/settings-resource/resource-kind.ts'
import type { Kind } from '@/ui/form/kind-picker.tsx'

export interface GitOpsChoice extends Kind {
  chart: ChartId
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

export interface DirectChoice extends Kind {
  kind: ResourceKind
}

const direct = (label: string, kind: ResourceKind): DirectChoice => ({ label, kind, icon: kind.icon })

/** These are saved here. */
export const directChoices: readonly DirectChoice[] = [
  direct('Custom Topology', topology),
  direct('Catalog Scraper', scraper),
  direct('Log Backends', logBackend),
]
