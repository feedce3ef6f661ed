import { labelsOf, nodeProperties, podProperties } from '../../../../platform/kubernetes/details.ts'
import { healthOf } from '../../../../platform/kubernetes/health.ts'
import { type KubernetesObject, record, records, time, word } from '../../../../platform/kubernetes/object.ts'
import type { ItemProperty, ScrapedItem } from '../kind.ts'
import { wishesOf } from './annotations.ts'
import { clean, idleLabels } from './clean.ts'
import type { ClusterIndex, Known } from './cluster-index.ts'
import { aliasOf, clusterAliasOf } from './names.ts'
import { childrenOf, parentsOf } from './parents.ts'

export interface ItemOptions {
  clusterName: string
  now: () => number
  index: ClusterIndex
  /** Pods are then shown below the deployment itself. */
  hidesReplicaSets: boolean
}

/** An object as the catalog keeps it. The object is changed: it is handed on without noise and secrets. */
export function itemOf(object: KubernetesObject, known: Known, options: ItemOptions): ScrapedItem {
  const { clusterName, now, index } = options
  const { kind, namespace, name, type, apiVersion } = known
  const { health, status, ready, message } = healthOf(object, now())
  const created = time(record(object.metadata).creationTimestamp)
  const wishes = wishesOf(object)
  const item: ScrapedItem = {
    id: known.id,
    aliases: [aliasOf(kind, namespace, name), clusterAliasOf(clusterName, kind, namespace, name)],
    type,
    configClass: kind,
    name,
    health,
    status,
    ready,
    description: message || undefined,
    source: `kubernetes/${clusterName}`,
    labels: itemLabels(object, apiVersion),
    tags: { ...wishes.tags, cluster: clusterName, ...(namespace ? { namespace } : {}) },
    properties: propertiesOf(object, kind, known.group),
    createdAt: created === undefined ? undefined : new Date(created),
    parents: parentsOf(object, known, options),
    children: childrenOf(object, known, index),
    ignoreChanges: wishes.ignoreChanges,
    config: undefined,
  }
  item.config = clean(object)
  return item
}

function itemLabels(object: KubernetesObject, apiVersion: string): Record<string, string> {
  const own = record(record(object.metadata).labels)
  const { namespace: _, ...labels } = labelsOf(object)
  if (typeof own.namespace === 'string') labels.namespace = own.namespace
  for (const label of idleLabels) delete labels[label]
  labels.apiVersion = apiVersion
  if (apiVersion !== 'v1') return labels
  if (object.kind === 'Service') labels['service-type'] = word(record(object.spec).type) || 'ClusterIP'
  if (object.kind === 'Node') {
    const addresses = records(record(object.status).addresses)
    const address = (wanted: string) => word(addresses.find((each) => each.type === wanted)?.address)
    if (address('Hostname')) labels.hostname = address('Hostname')
    if (address('InternalIP')) labels.ip = address('InternalIP')
  }
  return labels
}

/** What the item says elsewhere is not said twice. */
const elsewhere = ['created_at', 'namespace']

function propertiesOf(object: KubernetesObject, kind: string, group: string): ItemProperty[] | undefined {
  if (group !== '' || (kind !== 'Pod' && kind !== 'Node')) return undefined
  const properties = kind === 'Pod' ? podProperties(object) : nodeProperties(object)
  return properties.filter(({ name }) => !elsewhere.includes(name)) as unknown as ItemProperty[]
}
