import { type KubernetesObject, record, word } from '../../../../platform/kubernetes/object.ts'
import type { ItemRef } from '../kind.ts'

export const groupOf = (apiVersion: unknown): string => {
  const text = word(apiVersion)
  return text.includes('/') ? text.slice(0, text.indexOf('/')) : ''
}

/** `Kubernetes::Pod`; objects of Crossplane and of this product go by their own names. */
export function typeOf(apiVersion: unknown, kind: string): string {
  const group = groupOf(apiVersion)
  if (group.endsWith('.crossplane.io') || group.endsWith('.upbound.io')) return `Crossplane::${kind}`
  if (group.endsWith('flanksource.com') && word(apiVersion).endsWith('/v1')) return `MissionControl::${kind}`
  return `Kubernetes::${kind}`
}

/** What an object is called by others that do not know its uid; nothing stands for no namespace. */
export const aliasOf = (kind: string, namespace: string, name: string): string =>
  `Kubernetes/${kind}/${namespace}/${name}`

/** The same where several clusters are known, all of which have a namespace `default`. */
export const clusterAliasOf = (clusterName: string, kind: string, namespace: string, name: string): string =>
  `Kubernetes/${clusterName}/${kind}/${namespace}/${name}`

export const clusterRef = (clusterName: string): ItemRef => ({
  externalId: clusterId(clusterName),
  type: 'Kubernetes::Cluster',
})
export const clusterId = (clusterName: string): string => `Kubernetes/Cluster/${clusterName}`

/** The parts of an object that everything here asks for. */
export interface Identity {
  uid: string
  apiVersion: string
  group: string
  kind: string
  namespace: string
  name: string
  type: string
}

export function identityOf(object: KubernetesObject): Identity {
  const metadata = record(object.metadata)
  const [apiVersion, kind] = [word(object.apiVersion), word(object.kind)]
  return {
    uid: word(metadata.uid),
    apiVersion,
    group: groupOf(apiVersion),
    kind,
    namespace: word(metadata.namespace),
    name: word(metadata.name),
    type: typeOf(apiVersion, kind),
  }
}

/** Few objects have no uid; their name is all there is, and it is only unique within its cluster. */
export const externalIdOf = ({ uid, kind, namespace, name }: Identity, clusterName: string): string =>
  uid || clusterAliasOf(clusterName, kind, namespace, name)
