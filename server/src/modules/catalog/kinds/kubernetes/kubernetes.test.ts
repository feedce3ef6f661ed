import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { clusterDump, eventOf } from '../../../../testing/kube-api/dump.ts'
import { KubeApi } from '../../../../testing/kube-api/kube-api.ts'
import type { KubeObject } from '../../../../testing/kube-api/store.ts'
import { kubernetes } from '../kubernetes.ts'
import type { ItemRef } from '../kind.ts'
import { aRun, type Collected, kindContext, scrapeAll } from '../testing.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const dump = clusterDump()
const find = (kind: string, name: string, namespace = 'team-1'): KubeObject =>
  dump.find(
    (each) =>
      each.kind === kind && each.metadata.name === name && [namespace, undefined].includes(each.metadata.namespace),
  )!
const uid = (kind: string, name: string, namespace = 'team-1'): string => find(kind, name, namespace).metadata.uid!
const now = () => new Date('2026-11-01T08:00:00Z')
const ctx = kindContext({ clock: { now } })
const idOf = (ref: ItemRef) => ('externalId' in ref ? ref.externalId : ref.id)

const api = new KubeApi()
const spec = (more: object = {}) => ({ clusterName: 'prod', kubeconfig: api.kubeconfig(), ...more })
const scrapeOf = (more: object = {}) => scrapeAll(kubernetes, spec(more), aRun({ ctx }))

beforeAll(async () => {
  await api.start()
  for (const object of dump) api.store.put(object)
  const pod = find('Pod', 'app-1-new-1')
  api.store.put(
    eventOf(pod, 'BackOff', 'Back-off restarting failed container', {
      count: 7,
      lastTimestamp: '2026-10-02T08:00:00Z',
    }),
  )
  api.store.put(eventOf(pod, 'Pulled', 'image is there', { reportingComponent: 'kubelet' }))
  api.store.put(
    eventOf(find('Node', 'node-1'), 'NodeNotReady', 'no heartbeat', {
      involvedObject: { kind: 'Node', name: 'node-1', uid: 'node-1' },
    }),
  )
})
afterAll(() => api.close())

test('the dump has at least 2,000 objects of 30 kinds, and is the same every time', () => {
  expect(dump.length).toBeGreaterThan(2000)
  expect(new Set(dump.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(30)
  expect(clusterDump()).toEqual(dump)
})

describe('a whole cluster', () => {
  let all: Collected
  const item = (kind: string, name: string, namespace?: string) =>
    all.items.find(({ id }) => id === uid(kind, name, namespace))!
  const related = (from: string, to: string) =>
    all.relationships.filter((each) => idOf(each.from) === from && idOf(each.to) === to)
  beforeAll(async () => {
    all = await scrapeOf()
    expect(all.failure).toBeUndefined()
  }, 60_000)

  test('every object is an item once, named and typed; heartbeats and readings are none', () => {
    expect(all.errors).toEqual([])
    const stored = dump.filter(({ kind }) => kind !== 'Lease')
    expect(all.items.length).toBe(stored.length + 1)
    expect(new Set(all.items.map(({ id }) => id)).size).toBe(all.items.length)
    expect(item('Deployment', 'app-1')).toMatchObject({
      type: 'Kubernetes::Deployment',
      configClass: 'Deployment',
      name: 'app-1',
      aliases: ['Kubernetes/Deployment/team-1/app-1', 'Kubernetes/prod/Deployment/team-1/app-1'],
      tags: { cluster: 'prod', namespace: 'team-1' },
      labels: { app: 'app-1', tier: 'web', apiVersion: 'apps/v1' },
      createdAt: new Date('2026-10-01T08:00:00Z'),
    })
    expect(item('Node', 'node-1')).toMatchObject({
      aliases: ['Kubernetes/Node//node-1', 'Kubernetes/prod/Node//node-1'],
      tags: { cluster: 'prod' },
      labels: { hostname: 'node-1', ip: '10.0.0.1' },
    })
    expect(item('Service', 'app-1').labels).toMatchObject({ 'service-type': 'LoadBalancer' })
    expect(item('Bucket', 'backups').type).toBe('Crossplane::Bucket')
    expect(item('Canary', 'probe').type).toBe('MissionControl::Canary')
  })
  test('the cluster is an item above all', () => {
    const cluster = all.items.find(({ type }) => type === 'Kubernetes::Cluster')!
    expect(cluster).toMatchObject({
      id: 'Kubernetes/Cluster/prod',
      name: 'prod',
      config: { clusterName: 'prod', version: { gitVersion: 'v1.31.4' } },
    })
    expect(item('Node', 'node-1').parents).toEqual([
      { externalId: 'Kubernetes/Cluster/prod', type: 'Kubernetes::Cluster' },
    ])
  })
  test('parents: who deployed it, who owns it, its namespace, its cluster', () => {
    expect(item('Deployment', 'app-1').parents!.map(idOf)).toEqual([
      uid('HelmRelease', 'shop'),
      uid('Namespace', 'team-1'),
      'Kubernetes/Cluster/prod',
    ])
    expect(item('Pod', 'app-2-new-1').parents!.map(idOf)).toEqual([
      uid('ReplicaSet', 'app-2-new'),
      uid('Namespace', 'team-1'),
      'Kubernetes/Cluster/prod',
    ])
    expect(item('Application', 'guestbook', 'team-3').children).toEqual([
      { externalId: uid('Deployment', 'app-2', 'team-3'), type: 'Kubernetes::Deployment' },
    ])
  })
  test('relationships by owner, node, namespace, selector, endpoints, name and volume', () => {
    const pod = uid('Pod', 'app-1-new-1')
    const service = uid('Service', 'app-1')
    expect(related(uid('ReplicaSet', 'app-1-new'), pod)).toMatchObject([{ relation: 'ReplicaSetPod' }])
    expect(related(uid('Namespace', 'team-1'), pod)).toMatchObject([{ relation: 'NamespacePod' }])
    expect(related(uid('Node', 'node-4'), pod)).toMatchObject([{ relation: 'NodePod' }])
    expect(related(service, pod)[0]).toMatchObject({ relation: 'ServicePod' })
    expect(related(service, uid('Pod', 'app-2-new-1'))).toEqual([])
    expect(related(uid('PodDisruptionBudget', 'app-1'), pod)).toMatchObject([{ relation: 'PodDisruptionBudgetPod' }])
    expect(related(uid('NetworkPolicy', 'app-2'), uid('Pod', 'app-2-new-1'))).toHaveLength(1)
    expect(related(uid('ConfigMap', 'app-1'), pod)).toMatchObject([{ relation: 'ConfigMapPod' }])
    expect(related(uid('Secret', 'app-1'), pod)).toMatchObject([{ relation: 'SecretPod' }])
    expect(related(uid('Secret', 'app-1'), uid('Deployment', 'app-1'))).toHaveLength(1)
    expect(related(uid('ServiceAccount', 'app-1'), pod)).toHaveLength(1)
    expect(related(uid('PersistentVolumeClaim', 'data-db-0'), uid('Pod', 'db-0'))).toHaveLength(1)
    expect(related(uid('PersistentVolume', 'pv-team-1-0'), uid('PersistentVolumeClaim', 'data-db-0'))).toHaveLength(1)
    expect(related(uid('StorageClass', 'fast'), uid('PersistentVolumeClaim', 'data-db-0'))).toHaveLength(1)
    expect(related(uid('Ingress', 'app-1'), service)).toMatchObject([{ relation: 'IngressService' }])
    expect(related(uid('HorizontalPodAutoscaler', 'app-1'), uid('Deployment', 'app-1'))).toHaveLength(1)
    expect(related(uid('Role', 'reader'), uid('RoleBinding', 'reader'))).toHaveLength(1)
    expect(related(uid('ServiceAccount', 'app-1'), uid('ClusterRoleBinding', 'viewers'))).toHaveLength(1)
    expect(
      related(uid('Service', 'admission', 'kube-system'), uid('ValidatingWebhookConfiguration', 'admission')),
    ).toHaveLength(1)
    expect(related(uid('Certificate', 'web'), uid('Secret', 'app-1'))).toHaveLength(1)
  })
  test('health and status by the rules of each kind', () => {
    expect(item('Pod', 'app-1-new-1')).toMatchObject({ health: 'healthy', status: 'Running', ready: true })
    expect(item('Pod', 'app-10-new-3')).toMatchObject({ health: 'unhealthy', status: 'CrashLoopBackOff' })
    expect(item('ReplicaSet', 'app-1-old')).toMatchObject({ status: 'Scaled to Zero' })
    expect(item('PersistentVolumeClaim', 'data-db-0')).toMatchObject({ health: 'healthy' })
    expect(item('HelmRelease', 'shop')).toMatchObject({ health: 'healthy' })
    expect(item('ConfigMap', 'app-1')).toMatchObject({ health: 'unknown', ready: true })
    expect(item('Pod', 'app-1-new-1').properties).toContainEqual(expect.objectContaining({ name: 'memory' }))
  })
  test('secrets are nowhere, noise is gone', () => {
    const text = JSON.stringify(all.results)
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain(Buffer.from('hunter2-team-1-app-1').toString('base64'))
    expect(text).not.toContain('pod-password-9')
    expect(text).toContain('"MODE","value":"live"')
    for (const word of [
      'managedFields',
      'resourceVersion',
      'last-applied-configuration',
      'lastHeartbeatTime',
      'latency1h',
    ])
      expect(JSON.stringify(all.items)).not.toContain(word)
    expect(item('Secret', 'app-1').config).toMatchObject({ type: 'Opaque', data: { password: '***' } })
    expect(item('Pod', 'nightly-1-x').labels).not.toHaveProperty('job-name')
  })
  test('events are changes of what they are about, once each', () => {
    expect(all.changes).toHaveLength(3)
    const [byReason] = [Object.fromEntries(all.changes.map((each) => [each.changeType, each]))]
    expect(byReason!.BackOff).toMatchObject({
      item: { externalId: uid('Pod', 'app-1-new-1'), type: 'Kubernetes::Pod' },
      summary: 'Back-off restarting failed container',
      source: 'kubernetes/component=kubelet,host=node-1',
      createdAt: new Date('2026-10-02T08:00:00Z'),
      updateExisting: true,
      externalChangeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(byReason!.Pulled).toMatchObject({ source: 'kubelet', updateExisting: false })
    expect(byReason!.NodeNotReady!.item).toEqual({ externalId: uid('Node', 'node-1'), type: 'Kubernetes::Node' })
  })
})

describe('what a spec leaves out', () => {
  test('exclusions of kinds, names, namespaces and labels; pods then hang below their deployment', async () => {
    const all = await scrapeOf({
      exclusions: {
        kind: ['ReplicaSet', 'Secret', '*Slice'],
        name: ['app-1*'],
        namespace: ['team-2'],
        labels: { tier: 'work*' },
      },
    })
    const types = new Set(all.items.map(({ type }) => type))
    for (const kind of ['ReplicaSet', 'Secret', 'EndpointSlice']) expect(types).not.toContain(`Kubernetes::${kind}`)
    expect(all.items.filter(({ name }) => name!.startsWith('app-1'))).toEqual([])
    expect(all.items.filter(({ tags }) => tags!.namespace === 'team-2')).toEqual([])
    expect(all.items.filter(({ labels }) => labels!.tier === 'worker')).toEqual([])
    const pod = all.items.find(({ id }) => id === uid('Pod', 'app-3-new-1'))!
    expect(idOf(pod.parents![0]!)).toBe(uid('Deployment', 'app-3'))
    expect(all.changes.map(({ changeType }) => changeType).sort()).toEqual(['BackOff', 'NodeNotReady', 'Pulled'])
  })
  test('one namespace, with the namespace itself above', async () => {
    const all = await scrapeOf({ namespace: 'team-3', watch: [] })
    const outside = all.items.filter(({ tags, type }) => tags!.namespace !== 'team-3' && type !== 'Kubernetes::Cluster')
    expect(outside.map(({ type, name }) => `${type} ${name}`)).toEqual(['Kubernetes::Namespace team-3'])
    expect(api.asked.some((line) => line.startsWith('GET /api/v1/namespaces/team-3/pods'))).toBe(true)
    expect((await scrapeOf({ namespace: 'nowhere' })).failure?.message).toBe('the cluster has no namespace "nowhere"')
  })
  test('selectors, scope and age', async () => {
    const labelled = await scrapeOf({ selector: 'app=app-4,tier in (web,worker)' })
    expect(new Set(labelled.items.slice(1).map(({ labels }) => labels!.app))).toEqual(new Set(['app-4']))
    const byField = await scrapeOf({ fieldSelector: 'spec.nodeName=node-2' })
    expect(byField.errors).toEqual([])
    expect(new Set(byField.items.slice(1).map(({ type }) => type))).toEqual(new Set(['Kubernetes::Pod']))
    const wide = await scrapeOf({ scope: 'cluster' })
    expect(wide.items.filter(({ tags }) => tags!.namespace)).toEqual([])
    expect((await scrapeOf({ since: '1d' })).items).toHaveLength(1)
  })
  test('events by reason, name and namespace; words in a reason make it worse', async () => {
    const event = (rules: object) => scrapeOf({ namespace: 'team-1', event: rules }).then(({ changes }) => changes)
    expect((await event({ exclusions: { reason: ['Back*'] } })).map(({ changeType }) => changeType)).toEqual(['Pulled'])
    expect(await event({ exclusions: { name: ['app-1-*'] } })).toEqual([])
    expect(await event({ exclusions: { namespace: ['team-1'] } })).toEqual([])
    const worse = await event({ severityKeywords: { error: ['backoff'], warn: ['pull'] } })
    expect(worse.map(({ severity }) => severity)).toEqual(['error', 'warn'])
  })
  test('annotations: ignored objects and changes, tags of their own', async () => {
    const namespace = 'team-9'
    const annotated = (name: string, annotations: Record<string, string>) =>
      api.store.put({ ...find('ConfigMap', 'app-1'), metadata: { name, namespace, uid: undefined, annotations } })
    annotated('hidden', { 'config-db.flanksource.com/ignore': 'true' })
    const noted = annotated('noted', {
      'config-db.flanksource.com/tags': 'team=blue, stage=live',
      'config-db.flanksource.com/ignore-changes': 'diff,Pulled',
      'config-db.flanksource.com/ignore-change-severity': 'high',
    })
    for (const reason of ['Pulled', 'BackOff', 'Unhealthy'])
      api.store.put(eventOf({ apiVersion: 'v1', kind: 'ConfigMap', ...noted }, reason, 'x'))
    const all = await scrapeOf({ namespace })
    expect(all.items.some(({ name }) => name === 'hidden')).toBe(false)
    expect(all.items.find(({ name }) => name === 'noted')).toMatchObject({
      tags: { team: 'blue', stage: 'live', cluster: 'prod', namespace },
      ignoreChanges: ['diff', 'Pulled'],
    })
    expect(all.changes.map(({ changeType }) => changeType)).toEqual(['Unhealthy'])
  })
  test('evicted pods are no items; relationships of the spec are looked up', async () => {
    const pod = find('Pod', 'agent-x', 'team-8')
    api.store.put({
      ...pod,
      metadata: { ...pod.metadata, uid: undefined, name: 'moved' },
      status: { phase: 'Failed', reason: 'Evicted' },
    })
    const relationships = [
      { kind: { value: 'ConfigMap' }, name: { label: 'app' }, namespace: { expr: 'config.metadata.namespace' } },
    ]
    const all = await scrapeOf({ namespace: 'team-8', relationships, exclusions: { kind: ['Pod*'] } })
    expect(all.items.some(({ name }) => name === 'moved')).toBe(false)
    const pair = all.relationships.filter((each) => idOf(each.to) === uid('ConfigMap', 'app-5', 'team-8'))
    expect(pair.map(({ relation }) => relation)).toContain('ServiceConfigMap')
    const withPods = await scrapeOf({ namespace: 'team-8' })
    expect(withPods.items.some(({ name }) => name === 'moved')).toBe(false)
    expect(withPods.items.some(({ name }) => name === 'agent-x')).toBe(true)
  })
})

describe('a cluster that does not give everything', () => {
  test('kinds that may not be read are told one by one, the rest is read', async () => {
    api.forbid('secrets')
    api.forbid('roles', ['list'])
    const all = await scrapeOf()
    expect(all.failure).toBeUndefined()
    expect(all.errors.map(({ item, partial }) => [item, partial]).sort()).toEqual([
      ['Role (rbac.authorization.k8s.io/v1)', true],
      ['Secret', true],
    ])
    expect(all.errors.find(({ item }) => item === 'Secret')!.message).toContain('cannot list resource "secrets"')
    expect(all.items.length).toBeGreaterThan(1800)
    const allowed = await scrapeOf({ allowIncomplete: true })
    expect(allowed.errors.map(({ partial }) => partial)).toEqual([false, false])
    api.allow('secrets')
    api.allow('roles')
  })
  test('a broken extension API is told, the others are read', async () => {
    const other = await new KubeApi().start()
    try {
      for (const object of clusterDump({ teams: 1, services: 1, nodes: 1 })) other.store.put(object)
      other.breakGroup('cert-manager.io/v1')
      const all = await scrapeAll(kubernetes, spec({ kubeconfig: other.kubeconfig() }), aRun({ ctx }))
      expect(all.errors).toEqual([
        { item: 'cert-manager.io/v1', message: 'the API group is not available', partial: true },
      ])
      expect(all.items.some(({ type }) => type === 'Kubernetes::Pod')).toBe(true)
    } finally {
      other.close()
    }
  })
  test('lists come page by page; one that is forgotten half-way is read again, and nothing is lost or doubled', async () => {
    api.pageSize = 50
    const pods = () => api.asked.filter((line) => line.startsWith('GET /api/v1/pods?')).length
    const before = pods()
    const paged = await scrapeOf()
    expect(pods() - before).toBeGreaterThan(7)
    expect(api.asked.some((line) => /\/api\/v1\/pods\?limit=500&continue=/.test(line))).toBe(true)
    api.expirePages(3)
    const expired = await scrapeOf()
    expect(expired.errors).toEqual([])
    const ids = (all: Collected) => all.items.map(({ id }) => id!).sort()
    expect(ids(expired)).toEqual(ids(paged))
    api.pageSize = 500
  })
  test('a wrong token, no cluster, and a cluster that is down say so without the token', async () => {
    const wrong = await scrapeOf({ kubeconfig: api.kubeconfig().replace(api.token, 'wrong-token-1') })
    expect(wrong.failure?.message).toBe('Unauthorized')
    expect(wrong.items).toEqual([])
    const nowhere = await scrapeOf({ kubeconfig: api.kubeconfig().replace(api.url, 'http://127.0.0.1:9') })
    expect(nowhere.failure?.message).toMatch(/ECONNREFUSED/)
    expect((await scrapeOf({ kubeconfig: 'a: b\nc: d' })).failure?.message).toContain('no current context')
    const run = aRun({ ctx })
    await scrapeAll(kubernetes, spec({ namespace: 'team-1' }), run)
    expect([...run.secrets]).toEqual([api.token])
  })
})
