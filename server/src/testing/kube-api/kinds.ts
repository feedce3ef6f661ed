/** A kind of object as a cluster serves it. */
export interface ServedKind {
  group: string
  version: string
  kind: string
  name: string
  namespaced: boolean
  verbs?: string[]
}

const all = (group: string, version: string, namespaced: boolean, kinds: string): ServedKind[] =>
  kinds.split(/\s+/).map((each) => {
    const [kind = '', name = `${kind.toLowerCase()}s`] = each.split(':')
    return { group, version, kind, name, namespaced }
  })

/** What a usual cluster serves: its own kinds, some operators, and things that cannot be listed. */
export const servedKinds: ServedKind[] = [
  ...all('', 'v1', false, 'Namespace Node PersistentVolume ComponentStatus:componentstatuses'),
  ...all(
    '',
    'v1',
    true,
    'Pod Service ConfigMap Secret ServiceAccount Endpoints:endpoints PersistentVolumeClaim Event ResourceQuota LimitRange ReplicationController',
  ),
  ...all('apps', 'v1', true, 'Deployment ReplicaSet StatefulSet DaemonSet'),
  ...all('batch', 'v1', true, 'Job CronJob'),
  ...all('networking.k8s.io', 'v1', true, 'Ingress:ingresses NetworkPolicy:networkpolicies'),
  ...all('networking.k8s.io', 'v1', false, 'IngressClass:ingressclasses'),
  ...all('autoscaling', 'v2', true, 'HorizontalPodAutoscaler'),
  ...all('policy', 'v1', true, 'PodDisruptionBudget'),
  ...all('rbac.authorization.k8s.io', 'v1', true, 'Role RoleBinding'),
  ...all('rbac.authorization.k8s.io', 'v1', false, 'ClusterRole ClusterRoleBinding'),
  ...all('storage.k8s.io', 'v1', false, 'StorageClass:storageclasses'),
  ...all('discovery.k8s.io', 'v1', true, 'EndpointSlice'),
  ...all('coordination.k8s.io', 'v1', true, 'Lease'),
  ...all('admissionregistration.k8s.io', 'v1', false, 'ValidatingWebhookConfiguration MutatingWebhookConfiguration'),
  ...all('apiextensions.k8s.io', 'v1', false, 'CustomResourceDefinition'),
  ...all('scheduling.k8s.io', 'v1', false, 'PriorityClass:priorityclasses'),
  ...all('cert-manager.io', 'v1', true, 'Certificate Issuer'),
  ...all('helm.toolkit.fluxcd.io', 'v2', true, 'HelmRelease'),
  ...all('kustomize.toolkit.fluxcd.io', 'v1', true, 'Kustomization'),
  ...all('argoproj.io', 'v1alpha1', true, 'Application'),
  ...all('s3.aws.upbound.io', 'v1beta1', false, 'Bucket'),
  ...all('canaries.flanksource.com', 'v1', true, 'Canary:canaries'),
  { ...all('metrics.k8s.io', 'v1beta1', true, 'PodMetrics:pods')[0]!, verbs: ['get', 'list'] },
  { ...all('authentication.k8s.io', 'v1', false, 'TokenReview')[0]!, verbs: ['create'] },
]

export const usualVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
export const versionOf = ({ group, version }: ServedKind): string => (group ? `${group}/${version}` : version)
export const baseOf = (kind: ServedKind): string => (kind.group ? `/apis/${versionOf(kind)}` : `/api/${kind.version}`)
