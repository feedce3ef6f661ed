import { type KubernetesObject, record, records, word } from '../../../../platform/kubernetes/object.ts'
import type { ItemRef } from '../kind.ts'
import type { ClusterIndex, Known } from './cluster-index.ts'
import { clusterAliasOf, clusterRef, groupOf, typeOf } from './names.ts'

interface ParentOptions {
  clusterName: string
  index: ClusterIndex
  hidesReplicaSets: boolean
}

const fluxKinds = [
  { group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease' },
  { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' },
]

/** What may be above an object, most precise first: who deployed it, who owns it, its namespace, its cluster. */
export function parentsOf(object: KubernetesObject, known: Known, options: ParentOptions): ItemRef[] {
  const { clusterName } = options
  const parents: ItemRef[] = []
  const labels = record(record(object.metadata).labels)
  for (const { group, kind } of fluxKinds) {
    const [name, namespace] = [word(labels[`${group}/name`]), word(labels[`${group}/namespace`])]
    if (name) parents.push(byName(options, group, kind, namespace, name))
  }
  const owner = ownerOf(object, options)
  if (owner) parents.push(owner)
  if (known.namespace) parents.push(byName(options, '', 'Namespace', '', known.namespace))
  parents.push(clusterRef(clusterName))
  return parents.filter((ref) => !('externalId' in ref) || ref.externalId !== known.id)
}

type Place = Pick<ParentOptions, 'clusterName' | 'index'>
function byName({ clusterName, index }: Place, group: string, kind: string, namespace: string, name: string): ItemRef {
  const known = index.named(group, kind, namespace, name)
  if (known) return refTo(known)
  return { externalId: clusterAliasOf(clusterName, kind, namespace, name), type: `Kubernetes::${kind}` }
}

export const refTo = ({ id, type }: Pick<Known, 'id' | 'type'>): ItemRef => ({ externalId: id, type })

/** The first owner; for a pod of a hidden replica set the owner of that. */
function ownerOf(object: KubernetesObject, { index, hidesReplicaSets }: ParentOptions): ItemRef | undefined {
  const [owner] = records(record(object.metadata).ownerReferences)
  if (!owner || !word(owner.uid)) return undefined
  if (hidesReplicaSets && owner.kind === 'ReplicaSet') {
    const above = index.get(word(owner.uid))?.owner
    return above && { externalId: above.uid, type: typeOf(above.apiVersion, above.kind) }
  }
  return { externalId: word(owner.uid), type: typeOf(owner.apiVersion, word(owner.kind)) }
}

/** An Argo application adopts what its status lists. */
export function childrenOf(object: KubernetesObject, known: Known, index: ClusterIndex): ItemRef[] | undefined {
  if (known.kind !== 'Application' || known.group !== 'argoproj.io') return undefined
  return records(record(object.status).resources).flatMap((each) => {
    const group = word(each.group)
    const found = index.named(group, word(each.kind), word(each.namespace), word(each.name))
    return found ? [refTo(found)] : []
  })
}

export const isArgoApplication = ({ base, kind }: { base: string; kind: string }): boolean =>
  kind === 'Application' && groupOf(base.replace(/^\/apis?\//, '')) === 'argoproj.io'
