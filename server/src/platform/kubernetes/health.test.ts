import { describe, expect, test } from 'vitest'
import { neat } from './details.ts'
import { healthOf } from './health.ts'
import { cpuAsMillicores, memoryAsBytes } from './quantity.ts'

const now = Date.parse('2024-06-01T12:00:00Z')
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
const condition = (type: string, status = 'True', more: object = {}) => ({ type, status, ...more })
const shown = (object: Record<string, unknown>) => {
  const { health, status, ready } = healthOf(object, now)
  return `${health} ${status} ${ready ? 'ready' : 'not ready'}`
}
const pod = (status: object, spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata,
  spec,
  status,
})
const container = (more: object) => ({
  ready: true,
  restartCount: 0,
  state: { running: { startedAt: ago(60) } },
  ...more,
})
const apps = (kind: string, spec: object, status: object, metadata: object = { generation: 1 }) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata,
  spec,
  status: { observedGeneration: 1, ...status },
})

const cases: [string, Record<string, unknown>, string][] = [
  [
    'anything being deleted for hours',
    { kind: 'ConfigMap', metadata: { deletionTimestamp: ago(90) } },
    'unhealthy TerminatingStalled not ready',
  ],
  [
    'a pod being deleted',
    pod({ phase: 'Running' }, {}, { deletionTimestamp: ago(1) }),
    'unknown Terminating not ready',
  ],
  [
    'a pod being deleted for long',
    pod({ phase: 'Running' }, {}, { deletionTimestamp: ago(20) }),
    'warning Terminating not ready',
  ],
  ['an evicted pod', pod({ phase: 'Failed', reason: 'Evicted' }), 'warning Evicted ready'],
  [
    'a crashing pod',
    pod({
      phase: 'Running',
      containerStatuses: [container({ ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } })],
    }),
    'unhealthy CrashLoopBackOff not ready',
  ],
  [
    'a pod without its image',
    pod({ phase: 'Pending', containerStatuses: [container({ state: { waiting: { reason: 'ErrImagePull' } } })] }),
    'unhealthy ErrImagePull not ready',
  ],
  [
    'a pod no node takes',
    pod({ phase: 'Pending', conditions: [condition('PodScheduled', 'False', { reason: 'Unschedulable' })] }),
    'unhealthy Unschedulable not ready',
  ],
  ['a pending pod', pod({ phase: 'Pending' }), 'unknown Pending not ready'],
  ['a pod that is done', pod({ phase: 'Succeeded' }), 'healthy Completed ready'],
  ['a failed pod', pod({ phase: 'Failed' }), 'unhealthy Error ready'],
  [
    'a running pod',
    pod({ phase: 'Running', conditions: [condition('Ready')], containerStatuses: [container({})] }),
    'healthy Running ready',
  ],
  [
    'a pod that restarts',
    pod({
      phase: 'Running',
      conditions: [condition('Ready')],
      containerStatuses: [
        container({
          restartCount: 5,
          state: { running: { startedAt: ago(5) } },
          lastState: { terminated: { reason: 'OOMKilled', finishedAt: ago(6) } },
        }),
      ],
    }),
    'unhealthy OOMKilled not ready',
  ],
  [
    'a pod that restarted some hours ago',
    pod({
      phase: 'Running',
      conditions: [condition('Ready')],
      containerStatuses: [
        container({
          restartCount: 5,
          state: { running: { startedAt: ago(120) } },
          lastState: { terminated: { reason: 'Error', finishedAt: ago(121) } },
        }),
      ],
    }),
    'warning Error not ready',
  ],
  [
    'a starting pod',
    pod({ phase: 'Running', containerStatuses: [container({ ready: false })] }),
    'unknown Starting not ready',
  ],
  [
    'a job pod',
    pod({ phase: 'Running', conditions: [condition('Ready')] }, { restartPolicy: 'Never' }),
    'healthy Running ready',
  ],
  [
    'a deployment',
    apps(
      'Deployment',
      { replicas: 2 },
      {
        replicas: 2,
        readyReplicas: 2,
        updatedReplicas: 2,
        conditions: [condition('Available'), condition('Progressing')],
      },
    ),
    'healthy Running ready',
  ],
  [
    'a deployment that starts',
    apps(
      'Deployment',
      { replicas: 2 },
      {
        replicas: 2,
        readyReplicas: 1,
        updatedReplicas: 2,
        conditions: [condition('Available'), condition('Progressing')],
      },
    ),
    'healthy Starting not ready',
  ],
  [
    'a deployment that cannot',
    apps(
      'Deployment',
      { replicas: 2 },
      {
        replicas: 2,
        readyReplicas: 1,
        updatedReplicas: 1,
        conditions: [
          condition('Available', 'False'),
          condition('Progressing', 'False', { reason: 'ProgressDeadlineExceeded' }),
        ],
      },
    ),
    'unhealthy Rollout Failed not ready',
  ],
  ['a deployment scaled to zero', apps('Deployment', { replicas: 0 }, {}), 'unknown Scaled to Zero ready'],
  [
    'a paused deployment',
    apps(
      'Deployment',
      { replicas: 1, paused: true },
      { replicas: 1, readyReplicas: 1, updatedReplicas: 1, conditions: [condition('Available')] },
    ),
    'healthy Suspended not ready',
  ],
  [
    'a stateful set',
    apps('StatefulSet', { replicas: 1 }, { replicas: 1, readyReplicas: 1, updatedReplicas: 1 }),
    'healthy Running ready',
  ],
  [
    'a stateful set without pods',
    apps('StatefulSet', { replicas: 2 }, { replicas: 2, readyReplicas: 0, updatedReplicas: 1 }),
    'unhealthy Rolling Out not ready',
  ],
  [
    'a daemon set',
    apps('DaemonSet', {}, { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 }),
    'healthy Running ready',
  ],
  [
    'a daemon set rolling out',
    apps('DaemonSet', {}, { desiredNumberScheduled: 3, updatedNumberScheduled: 1, numberAvailable: 2 }),
    'warning Rolling Out not ready',
  ],
  [
    'a replica set growing',
    apps('ReplicaSet', { replicas: 3 }, { replicas: 1, readyReplicas: 1 }),
    'warning Scaling Up not ready',
  ],
  [
    'a finished job',
    { apiVersion: 'batch/v1', kind: 'Job', status: { conditions: [condition('Complete')] } },
    'healthy Completed ready',
  ],
  [
    'a failed job',
    { apiVersion: 'batch/v1', kind: 'Job', status: { conditions: [condition('Failed')] } },
    'unhealthy Error ready',
  ],
  [
    'a cron job that failed last',
    { apiVersion: 'batch/v1', kind: 'CronJob', status: { lastScheduleTime: ago(5), lastSuccessfulTime: ago(65) } },
    'unhealthy Error ready',
  ],
  [
    'a cron job',
    { apiVersion: 'batch/v1', kind: 'CronJob', status: { lastScheduleTime: ago(5), lastSuccessfulTime: ago(4) } },
    'healthy Completed ready',
  ],
  [
    'a load balancer without an address',
    { apiVersion: 'v1', kind: 'Service', spec: { type: 'LoadBalancer' }, status: { loadBalancer: {} } },
    'unknown Creating not ready',
  ],
  [
    'a lost claim',
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Lost' } },
    'unhealthy Degraded not ready',
  ],
  [
    'an autoscaler without metrics',
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      status: { conditions: [condition('ScalingActive', 'False', { reason: 'FailedGetResourceMetric' })] },
    },
    'unhealthy Degraded not ready',
  ],
  [
    'a node',
    {
      apiVersion: 'v1',
      kind: 'Node',
      status: { conditions: [condition('MemoryPressure', 'False'), condition('Ready')] },
    },
    'healthy Healthy ready',
  ],
  [
    'a node under pressure',
    { apiVersion: 'v1', kind: 'Node', status: { conditions: [condition('DiskPressure')] } },
    'unhealthy Degraded not ready',
  ],
  [
    'a cordoned node',
    {
      apiVersion: 'v1',
      kind: 'Node',
      spec: { taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] },
    },
    'warning Unschedulable ready',
  ],
  [
    'a certificate',
    { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', status: { conditions: [condition('Ready')] } },
    'healthy Issued ready',
  ],
  [
    'a certificate about to end',
    {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      status: { notAfter: ago(-30), conditions: [condition('Ready')] },
    },
    'warning Expiring ready',
  ],
  [
    'a certificate that cannot be',
    {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      status: { conditions: [condition('Ready', 'False', { reason: 'ConfigError' })] },
    },
    'unhealthy ConfigError not ready',
  ],
  [
    'an application out of sync',
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      status: { health: { status: 'Degraded' }, sync: { status: 'OutOfSync' } },
    },
    'unhealthy Degraded not ready',
  ],
  [
    'a kustomization',
    {
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      status: { conditions: [condition('Ready', 'True', { reason: 'ReconciliationSucceeded' })] },
    },
    'healthy ReconciliationSucceeded ready',
  ],
  [
    'a kustomization that waits',
    {
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      status: { conditions: [condition('Ready', 'False', { reason: 'DependencyNotReady' })] },
    },
    'warning DependencyNotReady not ready',
  ],
  [
    'a release that failed',
    {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      status: { conditions: [condition('Ready', 'False', { reason: 'UpgradeFailed' })] },
    },
    'unhealthy UpgradeFailed not ready',
  ],
  [
    'a repository',
    {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'GitRepository',
      status: { conditions: [condition('Ready', 'False', { reason: 'GitOperationFailed' })] },
    },
    'unhealthy GitOperationFailed not ready',
  ],
  [
    'a crossplane resource',
    {
      apiVersion: 'rds.aws.crossplane.io/v1',
      kind: 'Instance',
      status: { conditions: [condition('Ready', 'True', { reason: 'Available' }), condition('Synced')] },
    },
    'healthy Available ready',
  ],
  ['anything else', { apiVersion: 'example.com/v1', kind: 'Thing' }, 'unknown Unknown ready'],
]

describe('health of Kubernetes objects', () => {
  test.each(cases)('%s', (_, object, expected) => expect(shown(object)).toBe(expected))
  test('odd shapes are no crash', () => {
    for (const odd of [
      {},
      { kind: 'Pod', apiVersion: 'v1', status: 'x' },
      { kind: 'Deployment', apiVersion: 'apps/v1', status: { conditions: 'x' } },
      { kind: 'Node', apiVersion: 'v1', spec: { taints: [null] } },
    ]) {
      expect(typeof shown(odd)).toBe('string')
    }
  })
})

test('quantities', () => {
  expect(['1', '1.5', '250m', '0.1', 2, 'x'].map(cpuAsMillicores)).toEqual([1000, 1500, 250, 100, 2000, 0])
  expect(['1Ki', '1Mi', '10Gi', '1k', '1M', '1e3', '128974848', ''].map(memoryAsBytes)).toEqual([
    1024,
    2 ** 20,
    10 * 2 ** 30,
    1000,
    1e6,
    1000,
    128_974_848,
    0,
  ])
})

test('what the server manages is left out', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'a',
      uid: 'u',
      managedFields: [],
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
    },
    spec: {
      nodeName: 'n',
      volumes: [{ name: 'kube-api-access-x' }],
      containers: [{ name: 'c', volumeMounts: [{ name: 'kube-api-access-x' }] }],
    },
    status: {},
  }
  expect(neat(object)).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'c' }] },
  })
})
