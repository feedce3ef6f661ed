import { type KubernetesObject, record, records, word } from '../../../../platform/kubernetes/object.ts'
import { maskSecrets } from './mask.ts'

/** What the cluster rewrites all the time without anything having changed. */
const metadataFields = ['generation', 'resourceVersion', 'managedFields', 'selfLink']
const annotations = ['kubectl.kubernetes.io/last-applied-configuration', 'control-plane.alpha.kubernetes.io/leader']
export const idleLabels = [
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
  'kubernetes.io/metadata.name',
  'pod-template-generation',
]
const conditionFields = ['lastTransitionTime', 'lastHeartbeatTime', 'lastUpdateTime', 'observedGeneration']
const canaryFields = ['lastCheck', 'lastTransitionedTime', 'latency1h', 'uptime1h']

/** Makes an object ready to be stored, in place: without noise, without secrets. */
export function clean(object: KubernetesObject): KubernetesObject {
  maskSecrets(object)
  const metadata = record(object.metadata)
  drop(metadata, metadataFields)
  dropWithin(metadata, 'annotations', annotations)
  dropWithin(metadata, 'labels', idleLabels)
  const status = record(object.status)
  drop(status, ['observedGeneration', 'lastTransitionTime'])
  drop(record(status.artifact), ['lastUpdateTime'])
  for (const condition of records(status.conditions)) drop(condition, conditionFields)
  // A reading of this moment, another at every scrape.
  if (word(object.kind) === 'HorizontalPodAutoscaler') drop(status, ['currentMetrics'])
  if (word(object.kind) === 'Canary') dropDeep(status, canaryFields, 3)
  return object
}

function drop(holder: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) delete holder[name]
}

function dropWithin(holder: Record<string, unknown>, field: string, names: readonly string[]): void {
  const inner = record(holder[field])
  if (!names.some((name) => name in inner)) return
  drop(inner, names)
  if (Object.keys(inner).length === 0) delete holder[field]
}

function dropDeep(holder: Record<string, unknown>, names: readonly string[], depth: number): void {
  drop(holder, names)
  if (depth === 0) return
  for (const value of Object.values(holder)) {
    if (Array.isArray(value)) records(value).forEach((each) => dropDeep(each, names, depth - 1))
    else dropDeep(record(value), names, depth - 1)
  }
}
