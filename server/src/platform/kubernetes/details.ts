import { count, type KubernetesObject, record, records, time, word } from './object.ts'
import { cpuAsMillicores, memoryAsBytes } from './quantity.ts'

/** Labels that change with every roll-out say nothing about the object. */
const hashLabels = [
  'pod-template-hash',
  'controller-revision-hash',
  'pod-template-generation',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
]

export function labelsOf(object: KubernetesObject): Record<string, string> {
  const metadata = record(object.metadata)
  const labels: Record<string, string> = {}
  for (const [key, value] of Object.entries(record(metadata.labels))) {
    if (!hashLabels.includes(key) && key !== '__proto__') labels[key] = String(value)
  }
  if (word(metadata.namespace)) labels.namespace = word(metadata.namespace)
  return labels
}

const managed = [
  'managedFields',
  'resourceVersion',
  'uid',
  'selfLink',
  'generation',
  'creationTimestamp',
  'ownerReferences',
  'generateName',
]
const managedAnnotations = ['kubectl.kubernetes.io/last-applied-configuration', 'deployment.kubernetes.io/revision']

/** The object as its author would have written it: without what the server manages. */
export function neat(object: KubernetesObject): KubernetesObject {
  const { status: _, ...rest } = object
  const metadata = { ...record(rest.metadata) }
  for (const key of managed) delete metadata[key]
  const annotations = { ...record(metadata.annotations) }
  for (const key of managedAnnotations) delete annotations[key]
  if (Object.keys(annotations).length > 0) metadata.annotations = annotations
  else delete metadata.annotations
  const spec = word(object.kind) === 'Pod' && rest.spec !== undefined ? { spec: neatPod(record(rest.spec)) } : {}
  return { ...rest, metadata, ...spec }
}

/** Token volumes and defaults that admission adds to every pod. */
function neatPod(spec: Record<string, unknown>): Record<string, unknown> {
  const token = (name: unknown) => word(name).startsWith('kube-api-access-')
  const without = (value: unknown) => records(value).filter(({ name }) => !token(name))
  const result = { ...spec }
  delete result.nodeName
  delete result.tolerations
  delete result.preemptionPolicy
  if (spec.volumes) result.volumes = without(spec.volumes)
  if (Array.isArray(result.volumes) && result.volumes.length === 0) delete result.volumes
  if (spec.containers) {
    result.containers = records(spec.containers).map((container) => {
      const mounts = without(container.volumeMounts)
      const { volumeMounts: _, terminationMessagePath: __, terminationMessagePolicy: ___, ...kept } = container
      return mounts.length > 0 ? { ...kept, volumeMounts: mounts } : kept
    })
  }
  return result
}

export type ResourceList = 'requests' | 'limits'

/** Sum over the containers: millicores for cpu, bytes for the rest. */
export function resourcesOf(object: KubernetesObject, list: ResourceList, name: string): number {
  const spec = record(object.spec)
  const template = record(record(spec.template).spec)
  const containers = records(spec.containers ?? template.containers)
  return containers.reduce((sum, container) => {
    const value = record(record(container.resources)[list])[name]
    return sum + (value === undefined ? 0 : name === 'cpu' ? cpuAsMillicores(value) : memoryAsBytes(value))
  }, 0)
}

export interface Property {
  name: string
  text?: string
  value?: number
  unit?: string
  max?: number
  type?: string
  headline?: boolean
}

export function podProperties(pod: KubernetesObject): Property[] {
  const spec = record(pod.spec)
  const status = record(pod.status)
  const metadata = record(pod.metadata)
  const containers = records(spec.containers)
  const restarts = records(status.containerStatuses).reduce((sum, { restartCount }) => sum + count(restartCount), 0)
  return [
    { name: 'image', text: word(containers[0]?.image) },
    {
      name: 'cpu',
      unit: 'millicores',
      value: resourcesOf(pod, 'requests', 'cpu'),
      max: resourcesOf(pod, 'limits', 'cpu'),
      headline: true,
    },
    {
      name: 'memory',
      unit: 'bytes',
      value: resourcesOf(pod, 'requests', 'memory'),
      max: resourcesOf(pod, 'limits', 'memory'),
      headline: true,
    },
    { name: 'node', text: word(spec.nodeName) },
    { name: 'created_at', text: word(metadata.creationTimestamp), type: 'age' },
    { name: 'started_at', text: word(status.startTime), type: 'age' },
    { name: 'namespace', text: word(metadata.namespace) },
    { name: 'ip', text: word(status.podIP) },
    { name: 'restarts', value: restarts },
    {
      name: 'owner',
      text: records(metadata.ownerReferences)
        .map(({ kind, name }) => `${word(kind)}/${word(name)}`)
        .join(', '),
    },
  ].filter(({ text, value }) => (text !== undefined && text !== '') || value !== undefined)
}

export function nodeProperties(node: KubernetesObject): Property[] {
  const status = record(node.status)
  const info = record(status.nodeInfo)
  const capacity = record(status.capacity)
  const allocatable = record(status.allocatable)
  const address = (type: string) => word(records(status.addresses).find((entry) => entry.type === type)?.address)
  const labels = record(record(node.metadata).labels)
  const created = time(record(node.metadata).creationTimestamp)
  return [
    {
      name: 'cpu',
      unit: 'millicores',
      value: cpuAsMillicores(allocatable.cpu),
      max: cpuAsMillicores(capacity.cpu),
      headline: true,
    },
    {
      name: 'memory',
      unit: 'bytes',
      value: memoryAsBytes(allocatable.memory),
      max: memoryAsBytes(capacity.memory),
      headline: true,
    },
    {
      name: 'ephemeral-storage',
      unit: 'bytes',
      value: memoryAsBytes(allocatable['ephemeral-storage']),
      max: memoryAsBytes(capacity['ephemeral-storage']),
    },
    { name: 'pods', value: count(allocatable.pods), max: count(capacity.pods) },
    { name: 'ip', text: address('InternalIP') },
    { name: 'external-ip', text: address('ExternalIP') },
    { name: 'zone', text: word(labels['topology.kubernetes.io/zone']) },
    { name: 'instance-type', text: word(labels['node.kubernetes.io/instance-type']) },
    { name: 'os', text: word(info.osImage) },
    { name: 'kernel', text: word(info.kernelVersion) },
    { name: 'container-runtime', text: word(info.containerRuntimeVersion) },
    { name: 'kubelet', text: word(info.kubeletVersion) },
    { name: 'created_at', text: created === undefined ? '' : new Date(created).toISOString(), type: 'age' },
  ].filter(({ text, value }) => (text !== undefined && text !== '') || value !== undefined)
}
