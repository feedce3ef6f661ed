import { type KubeObject, uidOf } from './store.ts'

/** The same at every run: ten teams with twelve services each, and what a cluster has beside them. */
export interface DumpOptions {
  teams?: number
  services?: number
  nodes?: number
  /** Makes the uids of another cluster. */
  seed?: string
}

const born = '2026-10-01T08:00:00Z'

/** Over 2,000 objects of more than 30 kinds that refer to each other as in a real cluster. */
export function clusterDump({ teams = 10, services = 12, nodes = 8, seed = '' }: DumpOptions = {}): KubeObject[] {
  const made: KubeObject[] = []
  const add = (apiVersion: string, kind: string, name: string, rest: Record<string, unknown> = {}, more: Meta = {}) => {
    const { namespace, labels, owner, annotations } = more
    const uid = uidOf(`${seed}${apiVersion}/${kind}/${namespace ?? ''}/${name}`)
    const metadata: KubeObject['metadata'] = { name, uid, creationTimestamp: born, generation: 1 }
    if (namespace) metadata.namespace = namespace
    if (labels) metadata.labels = labels
    if (annotations) metadata.annotations = annotations
    if (owner) metadata.ownerReferences = [ownerRef(owner)]
    metadata.managedFields = [
      { manager: 'kubectl', operation: 'Apply', time: born, fieldsType: 'FieldsV1', fieldsV1: {} },
    ]
    const object = { apiVersion, kind, metadata, ...rest }
    made.push(object)
    return object
  }
  base(add, nodes)
  for (let team = 1; team <= teams; team++) {
    const namespace = `team-${team}`
    add(
      'v1',
      'Namespace',
      namespace,
      { status: { phase: 'Active' } },
      { labels: { 'kubernetes.io/metadata.name': namespace, team: `${team}` } },
    )
    ofTeam(add, namespace)
    for (let number = 1; number <= services; number++) service(add, namespace, `app-${number}`, { team, number, nodes })
  }
  return made
}

interface Meta {
  namespace?: string
  labels?: Record<string, string>
  owner?: KubeObject
  annotations?: Record<string, string>
}
type Add = (apiVersion: string, kind: string, name: string, rest?: Record<string, unknown>, more?: Meta) => KubeObject

const ownerRef = ({ apiVersion, kind, metadata: { name, uid } }: KubeObject) => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
})

const condition = (type: string, status: string, reason = '', message = '') => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: born,
  lastHeartbeatTime: born,
})

/** What is there once: nodes, storage, roles, webhooks, and system pods. */
function base(add: Add, nodes: number): void {
  for (const name of ['default', 'kube-system']) add('v1', 'Namespace', name, { status: { phase: 'Active' } })
  for (let number = 1; number <= nodes; number++) {
    const name = `node-${number}`
    const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': `zone-${(number % 3) + 1}` }
    const ready =
      number === nodes ? condition('Ready', 'Unknown', 'NodeStatusUnknown') : condition('Ready', 'True', 'KubeletReady')
    const addresses = [
      { type: 'InternalIP', address: `10.0.0.${number}` },
      { type: 'Hostname', address: name },
    ]
    const amounts = { cpu: '8', memory: '32Gi', pods: '110' }
    add(
      'v1',
      'Node',
      name,
      { spec: {}, status: { conditions: [ready], addresses, capacity: amounts, allocatable: amounts } },
      { labels },
    )
    add('v1', 'Pod', `kube-proxy-${number}`, podBody({ node: name, serviceAccount: 'default' }), {
      namespace: 'kube-system',
      labels: { 'k8s-app': 'kube-proxy' },
    })
    add('coordination.k8s.io/v1', 'Lease', name, { spec: { holderIdentity: name } }, { namespace: 'kube-system' })
  }
  add('storage.k8s.io/v1', 'StorageClass', 'fast', { provisioner: 'ebs.csi.aws.com' })
  add('networking.k8s.io/v1', 'IngressClass', 'nginx', { spec: { controller: 'k8s.io/ingress-nginx' } })
  add('scheduling.k8s.io/v1', 'PriorityClass', 'high', { value: 1000 })
  add('rbac.authorization.k8s.io/v1', 'ClusterRole', 'view', {
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  })
  const admin = { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' } }
  const subjects = [{ kind: 'ServiceAccount', name: 'app-1', namespace: 'team-1' }]
  add('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'viewers', { ...admin, subjects })
  add(
    'v1',
    'Service',
    'admission',
    { spec: { type: 'ClusterIP', ports: [{ port: 443 }] } },
    { namespace: 'kube-system' },
  )
  const webhooks = [
    { name: 'a.example.com', clientConfig: { service: { name: 'admission', namespace: 'kube-system' } } },
  ]
  for (const kind of ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'])
    add('admissionregistration.k8s.io/v1', kind, 'admission', { webhooks })
  add('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'canaries.canaries.flanksource.com', {
    spec: { group: 'canaries.flanksource.com' },
  })
  add('s3.aws.upbound.io/v1beta1', 'Bucket', 'backups', {
    status: { conditions: [condition('Ready', 'True', 'Available')] },
  })
  add(
    'helm.toolkit.fluxcd.io/v2',
    'HelmRelease',
    'shop',
    { status: { conditions: [condition('Ready', 'True', 'UpgradeSucceeded')] } },
    { namespace: 'team-1' },
  )
  add(
    'kustomize.toolkit.fluxcd.io/v1',
    'Kustomization',
    'infra',
    { status: { conditions: [condition('Ready', 'True', 'ReconciliationSucceeded')] } },
    { namespace: 'team-2' },
  )
  const resources = [{ group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'team-3', name: 'app-2' }]
  add(
    'argoproj.io/v1alpha1',
    'Application',
    'guestbook',
    { status: { health: { status: 'Healthy' }, sync: { status: 'Synced' }, resources } },
    { namespace: 'team-3' },
  )
}

/** What a team has once: a database, a nightly job, rules. */
function ofTeam(add: Add, namespace: string): void {
  const inside = { namespace }
  add('v1', 'ResourceQuota', 'quota', { spec: { hard: { pods: '200' } } }, inside)
  add('v1', 'LimitRange', 'limits', { spec: { limits: [{ type: 'Container' }] } }, inside)
  add('rbac.authorization.k8s.io/v1', 'Role', 'reader', { rules: [] }, inside)
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' }
  add(
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    'reader',
    { roleRef, subjects: [{ kind: 'ServiceAccount', name: 'app-1' }] },
    inside,
  )
  add('cert-manager.io/v1', 'Issuer', 'ca', { status: { conditions: [condition('Ready', 'True', 'Ready')] } }, inside)
  const certificate = {
    spec: { secretName: 'app-1', issuerRef: { name: 'ca' } },
    status: { conditions: [condition('Ready', 'True', 'Ready')] },
  }
  add('cert-manager.io/v1', 'Certificate', 'web', certificate, inside)
  const probe = {
    status: {
      status: 'Passed',
      uptime1h: '99%',
      latency1h: '20ms',
      lastCheck: born,
      checks: { web: { uptime1h: '99%' } },
    },
  }
  add('canaries.flanksource.com/v1', 'Canary', 'probe', { spec: { http: [] }, ...probe }, inside)
  const replicas = { replicas: 2, readyReplicas: 2, updatedReplicas: 2, currentReplicas: 2, observedGeneration: 1 }
  const template = { spec: podBody({ claim: 'data-db-0' }).spec }
  const db = add(
    'apps/v1',
    'StatefulSet',
    'db',
    { spec: { replicas: 2, serviceName: 'app-1', template }, status: replicas },
    inside,
  )
  for (const number of [0, 1]) {
    const claim = `data-db-${number}`
    const volume = `pv-${namespace}-${number}`
    add('v1', 'PersistentVolume', volume, { spec: { storageClassName: 'fast' }, status: { phase: 'Bound' } })
    add(
      'v1',
      'PersistentVolumeClaim',
      claim,
      { spec: { volumeName: volume, storageClassName: 'fast' }, status: { phase: 'Bound' } },
      inside,
    )
    add('v1', 'Pod', `db-${number}`, podBody({ node: 'node-1', claim }), {
      namespace,
      labels: { app: 'db' },
      owner: db,
    })
  }
  const agent = add(
    'apps/v1',
    'DaemonSet',
    'agent',
    {
      spec: { template: {} },
      status: { desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1, observedGeneration: 1 },
    },
    inside,
  )
  add('v1', 'Pod', 'agent-x', podBody({ node: 'node-2' }), { namespace, labels: { app: 'agent' }, owner: agent })
  const nightly = add(
    'batch/v1',
    'CronJob',
    'nightly',
    { spec: { schedule: '0 2 * * *', jobTemplate: {} }, status: { lastScheduleTime: born, lastSuccessfulTime: born } },
    inside,
  )
  const job = add(
    'batch/v1',
    'Job',
    'nightly-1',
    { spec: { template: {} }, status: { conditions: [condition('Complete', 'True')] } },
    { namespace, owner: nightly },
  )
  add(
    'v1',
    'Pod',
    'nightly-1-x',
    { spec: { restartPolicy: 'Never', nodeName: 'node-1' }, status: { phase: 'Succeeded' } },
    { namespace, labels: { 'job-name': 'nightly-1', 'controller-uid': 'x' }, owner: job },
  )
}

/** A service of a team, with all that belongs to one; every tenth has a pod that does not come up. */
function service(
  add: Add,
  namespace: string,
  name: string,
  { team, number, nodes }: { team: number; number: number; nodes: number },
): void {
  const labels: Record<string, string> = { app: name, tier: number % 2 ? 'web' : 'worker' }
  if (team === 1 && number === 1) {
    labels['helm.toolkit.fluxcd.io/name'] = 'shop'
    labels['helm.toolkit.fluxcd.io/namespace'] = 'team-1'
  }
  const inside = { namespace, labels }
  add('v1', 'ServiceAccount', name, {}, inside)
  add('v1', 'ConfigMap', name, { data: { 'app.yaml': `name: ${name}` } }, inside)
  add(
    'v1',
    'Secret',
    name,
    { type: 'Opaque', data: { password: Buffer.from(`hunter2-${namespace}-${name}`).toString('base64') } },
    {
      ...inside,
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': `{"stringData":{"password":"hunter2-${namespace}-${name}"}}`,
      },
    },
  )
  const pod = podBody({ node: '', serviceAccount: name, config: name, secret: name })
  const template = { metadata: { labels }, spec: pod.spec }
  const spec = { replicas: 3, selector: { matchLabels: { app: name } }, template }
  const isBad = number === 10
  const counts = { replicas: 3, readyReplicas: isBad ? 2 : 3, availableReplicas: isBad ? 2 : 3, updatedReplicas: 3 }
  const conditions = [
    condition('Available', 'True', 'MinimumReplicasAvailable'),
    condition('Progressing', 'True', 'NewReplicaSetAvailable'),
  ]
  const deployment = add(
    'apps/v1',
    'Deployment',
    name,
    { spec, status: { ...counts, conditions, observedGeneration: 1 } },
    inside,
  )
  add(
    'apps/v1',
    'ReplicaSet',
    `${name}-old`,
    { spec: { ...spec, replicas: 0 }, status: { replicas: 0 } },
    { ...inside, owner: deployment },
  )
  const set = add(
    'apps/v1',
    'ReplicaSet',
    `${name}-new`,
    { spec, status: { ...counts, observedGeneration: 1 } },
    { ...inside, owner: deployment },
  )
  const pods = [1, 2, 3].map((index) => {
    const node = `node-${((team + number + index) % nodes) + 1}`
    const body = podBody({ node, serviceAccount: name, config: name, secret: name, isBad: isBad && index === 3 })
    return add('v1', 'Pod', `${name}-new-${index}`, body, {
      namespace,
      labels: { app: name, tier: labels.tier!, 'pod-template-hash': 'new' },
      owner: set,
    })
  })
  const main = add(
    'v1',
    'Service',
    name,
    {
      spec: { type: number === 1 ? 'LoadBalancer' : 'ClusterIP', selector: { app: name }, ports: [{ port: 80 }] },
      status: number === 1 ? { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } : {},
    },
    inside,
  )
  const addresses = pods.map(({ metadata }, at) => ({
    ip: `10.1.${number}.${at}`,
    targetRef: { kind: 'Pod', namespace, name: metadata.name, uid: metadata.uid },
  }))
  add('v1', 'Endpoints', name, { subsets: [{ addresses }] }, inside)
  add(
    'discovery.k8s.io/v1',
    'EndpointSlice',
    `${name}-abc`,
    { endpoints: addresses.map(({ ip, targetRef }) => ({ addresses: [ip], targetRef })) },
    { namespace, labels: { 'kubernetes.io/service-name': name }, owner: main },
  )
  add(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    name,
    {
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name } },
      status: { conditions: [condition('AbleToScale', 'True', 'ReadyForNewScale')] },
    },
    inside,
  )
  add('policy/v1', 'PodDisruptionBudget', name, { spec: { selector: { matchLabels: { app: name } } } }, inside)
  if (number % 2 === 0)
    add(
      'networking.k8s.io/v1',
      'NetworkPolicy',
      name,
      { spec: { podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: [name] }] } } },
      inside,
    )
  const paths = [{ path: '/', backend: { service: { name, port: { number: 80 } } } }]
  add(
    'networking.k8s.io/v1',
    'Ingress',
    name,
    {
      spec: {
        ingressClassName: 'nginx',
        tls: [{ secretName: name }],
        rules: [{ host: `${name}.${namespace}.example.com`, http: { paths } }],
      },
      status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    },
    inside,
  )
}

interface PodOptions {
  node?: string
  serviceAccount?: string
  config?: string
  secret?: string
  claim?: string
  isBad?: boolean
}

function podBody({ node, serviceAccount, config, secret, claim, isBad }: PodOptions): Record<string, unknown> {
  const volumes = [
    ...(config ? [{ name: 'config', configMap: { name: config } }] : []),
    ...(claim ? [{ name: 'data', persistentVolumeClaim: { claimName: claim } }] : []),
  ]
  const env = [
    { name: 'DB_PASSWORD', value: 'pod-password-9' },
    { name: 'MODE', value: 'live' },
    ...(secret ? [{ name: 'KEY', valueFrom: { secretKeyRef: { name: secret, key: 'password' } } }] : []),
  ]
  const containers = [
    {
      name: 'main',
      image: 'registry.example.com/app:1.2.3',
      env,
      resources: { requests: { cpu: '100m', memory: '128Mi' } },
    },
  ]
  const state = isBad
    ? { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting' } }
    : { running: { startedAt: born } }
  return {
    spec: {
      nodeName: node || undefined,
      serviceAccountName: serviceAccount,
      restartPolicy: 'Always',
      volumes,
      containers,
    },
    status: {
      phase: 'Running',
      startTime: born,
      podIP: '10.1.0.1',
      conditions: [
        condition('Ready', isBad ? 'False' : 'True'),
        condition('ContainersReady', isBad ? 'False' : 'True'),
      ],
      containerStatuses: [{ name: 'main', ready: !isBad, restartCount: isBad ? 12 : 0, state }],
    },
  }
}

/** An event about an object, as the kubelet or a controller writes it. */
export function eventOf(
  about: KubeObject,
  reason: string,
  message: string,
  changes: Record<string, unknown> = {},
): KubeObject {
  const { apiVersion, kind, metadata } = about
  const namespace = metadata.namespace ?? 'default'
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${metadata.name}.${reason.toLowerCase()}`, namespace, creationTimestamp: born },
    involvedObject: { apiVersion, kind, namespace: metadata.namespace, name: metadata.name, uid: metadata.uid },
    reason,
    message,
    type: 'Warning',
    source: { host: 'node-1', component: 'kubelet' },
    firstTimestamp: born,
    lastTimestamp: born,
    count: 1,
    ...changes,
  }
}
