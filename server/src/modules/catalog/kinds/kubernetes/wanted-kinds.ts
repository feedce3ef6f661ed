import type { KubernetesScraper } from '@quarterdeck/contract/scrapers/kubernetes'
import type { ApiResource } from '../../../../platform/kubernetes/client.ts'
import { names } from './cluster-index.ts'
import { groupOf } from './names.ts'
import { isArgoApplication } from './parents.ts'

/** Kinds that are no things: readings, heartbeats, questions to the cluster. Events become changes instead. */
const idle = new Set([
  '/Event',
  '/ComponentStatus',
  'events.k8s.io/Event',
  'coordination.k8s.io/Lease',
  'metrics.k8s.io/PodMetrics',
  'metrics.k8s.io/NodeMetrics',
])
const idleGroups = ['custom.metrics.k8s.io', 'external.metrics.k8s.io']
const group = ({ base }: ApiResource) => groupOf(base.replace(/^\/apis?\//, ''))

/** Kinds in the order in which they are read: those that others are filed under come first, those that adopt come last. */
export interface Phases {
  first: ApiResource[]
  main: ApiResource[]
  last: ApiResource[]
}

const firstKinds = [
  '/Namespace',
  'apps/ReplicaSet',
  'helm.toolkit.fluxcd.io/HelmRelease',
  'kustomize.toolkit.fluxcd.io/Kustomization',
]

/** Which kinds of a cluster a spec wants to read. */
export function wantedKinds(resources: readonly ApiResource[], spec: KubernetesScraper): Phases {
  const keys = new Set(resources.map((each) => `${group(each)}/${each.kind}`))
  const wanted = resources.filter((resource) => {
    const key = `${group(resource)}/${resource.kind}`
    if (resource.verbs && !resource.verbs.includes('list')) return false
    if (idle.has(key) || idleGroups.includes(group(resource))) return false
    // Kinds that moved to a group of their own are still served under the old one, with the same objects.
    if (
      group(resource) === 'extensions' &&
      [...keys].some((each) => each !== key && each.endsWith(`/${resource.kind}`))
    )
      return false
    // Hidden replica sets still say to which deployment a pod belongs.
    if (names(spec.exclusions?.kind, resource.kind) && key !== 'apps/ReplicaSet') return false
    if (spec.namespace || spec.scope === 'namespace') return resource.namespaced
    return spec.scope !== 'cluster' || !resource.namespaced
  })
  const phases: Phases = { first: [], main: [], last: [] }
  for (const resource of wanted) {
    if (firstKinds.includes(`${group(resource)}/${resource.kind}`)) phases.first.push(resource)
    else if (isArgoApplication(resource)) phases.last.push(resource)
    else phases.main.push(resource)
  }
  return phases
}
