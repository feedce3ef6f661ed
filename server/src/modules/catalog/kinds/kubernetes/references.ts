import { type KubernetesObject, record, records, word } from '../../../../platform/kubernetes/object.ts'
import type { Selector } from './cluster-index.ts'
import { groupOf, type Identity } from './names.ts'

/** Another object that one names; `isAbove` when the named one is the upper end. */
export interface NameRef {
  group: string
  kind: string
  namespace: string
  name: string
  isAbove: boolean
}

type Found = Omit<NameRef, 'isAbove'>
const core = (kind: string, namespace: string, name: unknown): Found[] =>
  word(name) ? [{ group: '', kind, namespace, name: word(name) }] : []
const above = (list: Found[]): NameRef[] => list.map((each) => ({ ...each, isAbove: true }))
const below = (list: Found[]): NameRef[] => list.map((each) => ({ ...each, isAbove: false }))

type Reader = (object: KubernetesObject, namespace: string) => NameRef[]
const rbac = 'rbac.authorization.k8s.io'

/** Which fields of a kind name other objects, by `group/kind`. */
const readers: Record<string, Reader> = {
  '/Pod': (pod, namespace) => [
    ...above(core('Node', '', record(pod.spec).nodeName)),
    ...above(ofPodSpec(record(pod.spec), namespace)),
  ],
  'apps/Deployment': ofTemplate,
  'apps/StatefulSet': (set, namespace) => [
    ...ofTemplate(set, namespace),
    ...above(core('Service', namespace, record(set.spec).serviceName)),
  ],
  'apps/DaemonSet': ofTemplate,
  'batch/Job': ofTemplate,
  'batch/CronJob': (job, namespace) => ofTemplate(record(record(job.spec).jobTemplate), namespace),
  '/PersistentVolumeClaim': ({ spec }, namespace) => [
    ...above(core('PersistentVolume', '', record(spec).volumeName)),
    ...above(storageClass(record(spec).storageClassName)),
    ...above(core('PersistentVolumeClaim', namespace, sourceOf(spec, 'PersistentVolumeClaim'))),
  ],
  '/PersistentVolume': ({ spec }) => above(storageClass(record(spec).storageClassName)),
  '/ServiceAccount': (account, namespace) =>
    above(records(account.imagePullSecrets).flatMap(({ name }) => core('Secret', namespace, name))),
  'networking.k8s.io/Ingress': ofIngress,
  'gateway.networking.k8s.io/HTTPRoute': ({ spec }, namespace) => [
    ...records(record(spec).rules)
      .flatMap((rule) => records(rule.backendRefs))
      .flatMap(({ name, namespace: other }) => below(core('Service', word(other) || namespace, name))),
    ...records(record(spec).parentRefs).flatMap(({ name, namespace: other }) =>
      above(named('gateway.networking.k8s.io', 'Gateway', word(other) || namespace, name)),
    ),
  ],
  'autoscaling/HorizontalPodAutoscaler': ({ spec }, namespace) => {
    const { apiVersion, kind, name } = record(record(spec).scaleTargetRef)
    return below(named(groupOf(apiVersion), word(kind), namespace, name))
  },
  [`${rbac}/RoleBinding`]: ofBinding,
  [`${rbac}/ClusterRoleBinding`]: ofBinding,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': ofWebhooks,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': ofWebhooks,
  'apiregistration.k8s.io/APIService': ({ spec }) => above(serviceOf(record(spec).service)),
  'apiextensions.k8s.io/CustomResourceDefinition': ({ spec }) =>
    above(serviceOf(record(record(record(record(spec).conversion).webhook).clientConfig).service)),
  'cert-manager.io/Certificate': ({ spec }, namespace) => {
    const { kind, name } = record(record(spec).issuerRef)
    const isOfCluster = kind === 'ClusterIssuer'
    return [
      ...below(core('Secret', namespace, record(spec).secretName)),
      ...above(named('cert-manager.io', word(kind) || 'Issuer', isOfCluster ? '' : namespace, name)),
    ]
  },
}

/** Every object that this one names. */
export const referencesOf = (object: KubernetesObject, { group, kind, namespace }: Identity): NameRef[] =>
  readers[`${group}/${kind}`]?.(object, namespace) ?? []

/** The pods a Service, policy or budget is about. */
export function selectorOf(object: KubernetesObject, { group, kind }: Identity): Selector | undefined {
  const spec = record(object.spec)
  switch (`${group}/${kind}`) {
    case '/Service':
      return selector({ matchLabels: spec.selector })
    case 'networking.k8s.io/NetworkPolicy':
      return selector(record(spec.podSelector))
    case 'policy/PodDisruptionBudget':
      return selector(record(spec.selector))
    default:
      return undefined
  }
}

/** An empty selector means every pod of the namespace, which says nothing about any one of them. */
function selector({ matchLabels, matchExpressions }: Record<string, unknown>): Selector | undefined {
  const found = { matchLabels: record(matchLabels), matchExpressions: records(matchExpressions) }
  return Object.keys(found.matchLabels).length + found.matchExpressions.length > 0 ? found : undefined
}

/** Who answers for a Service, as its endpoints say. */
export function targetsOf(object: KubernetesObject, { group, kind, namespace, name }: Identity) {
  const targets = (list: Record<string, unknown>[]) =>
    list.flatMap(({ targetRef }) => (word(record(targetRef).uid) ? [word(record(targetRef).uid)] : []))
  if (group === '' && kind === 'Endpoints') {
    const addresses = records(object.subsets).flatMap((subset) => [
      ...records(subset.addresses),
      ...records(subset.notReadyAddresses),
    ])
    return { service: { namespace, name }, uids: targets(addresses) }
  }
  if (group !== 'discovery.k8s.io' || kind !== 'EndpointSlice') return undefined
  const service = word(record(record(object.metadata).labels)['kubernetes.io/service-name'])
  return service ? { service: { namespace, name: service }, uids: targets(records(object.endpoints)) } : undefined
}

const named = (group: string, kind: string, namespace: string, name: unknown): Found[] =>
  kind && word(name) ? [{ group, kind, namespace, name: word(name) }] : []

const storageClass = (name: unknown): Found[] => named('storage.k8s.io', 'StorageClass', '', name)

const sourceOf = (spec: unknown, kind: string): unknown => {
  const source = record(record(spec).dataSource)
  return source.kind === kind ? source.name : undefined
}

function ofTemplate(object: KubernetesObject, namespace: string): NameRef[] {
  return above(ofPodSpec(record(record(record(object.spec).template).spec), namespace))
}

/** Volumes, variables, pull secrets and the account of a pod. */
function ofPodSpec(spec: Record<string, unknown>, namespace: string): Found[] {
  const found: Found[] = []
  const add = (kind: string, name: unknown) => found.push(...core(kind, namespace, name))
  add('ServiceAccount', spec.serviceAccountName)
  for (const { name } of records(spec.imagePullSecrets)) add('Secret', name)
  for (const volume of records(spec.volumes)) {
    add('ConfigMap', record(volume.configMap).name)
    add('Secret', record(volume.secret).secretName)
    add('PersistentVolumeClaim', record(volume.persistentVolumeClaim).claimName)
    for (const source of records(record(volume.projected).sources)) {
      add('ConfigMap', record(source.configMap).name)
      add('Secret', record(source.secret).name)
    }
  }
  for (const container of [...records(spec.containers), ...records(spec.initContainers)]) {
    for (const { configMapRef, secretRef } of records(container.envFrom)) {
      add('ConfigMap', record(configMapRef).name)
      add('Secret', record(secretRef).name)
    }
    for (const { valueFrom } of records(container.env)) {
      add('ConfigMap', record(record(valueFrom).configMapKeyRef).name)
      add('Secret', record(record(valueFrom).secretKeyRef).name)
    }
  }
  const seen = new Set<string>()
  return found.filter(({ kind, name }) => !seen.has(`${kind}/${name}`) && seen.add(`${kind}/${name}`))
}

function ofIngress({ spec }: KubernetesObject, namespace: string): NameRef[] {
  const { rules, defaultBackend, tls, ingressClassName } = record(spec)
  const paths = records(rules).flatMap((rule) => records(record(rule.http).paths))
  const backends = [record(defaultBackend), ...paths.map(({ backend }) => record(backend))]
  return [
    ...below(backends.flatMap((backend) => core('Service', namespace, record(backend.service).name))),
    ...above(records(tls).flatMap(({ secretName }) => core('Secret', namespace, secretName))),
    ...above(named('networking.k8s.io', 'IngressClass', '', ingressClassName)),
  ]
}

function ofBinding(binding: KubernetesObject, namespace: string): NameRef[] {
  const role = record(binding.roleRef)
  const isOfCluster = role.kind === 'ClusterRole'
  return above([
    ...named(rbac, word(role.kind), isOfCluster ? '' : namespace, role.name),
    ...records(binding.subjects)
      .filter(({ kind }) => kind === 'ServiceAccount')
      .flatMap((subject) => core('ServiceAccount', word(subject.namespace) || namespace, subject.name)),
  ])
}

const serviceOf = (service: unknown): Found[] => {
  const { namespace, name } = record(service)
  return core('Service', word(namespace), name)
}

function ofWebhooks(object: KubernetesObject): NameRef[] {
  return above(records(object.webhooks).flatMap(({ clientConfig }) => serviceOf(record(clientConfig).service)))
}
