import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clusterDump, eventOf } from '../../../../testing/kube-api/dump.ts'
import { KubeApi } from '../../../../testing/kube-api/kube-api.ts'
import type { KubeObject } from '../../../../testing/kube-api/store.ts'
import type { ScrapeResult } from '../kind.ts'
import { kubernetes } from '../kubernetes.ts'
import { aRun, kindContext, sorted } from '../testing.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const patient = { timeout: 30_000, interval: 20 }

const dump = clusterDump({ teams: 1, services: 2, nodes: 2 })
const find = (kind: string, name: string): KubeObject =>
  dump.find((each) => each.kind === kind && each.metadata.name === name)!
const ctx = kindContext()

let api: KubeApi
let heard: ScrapeResult[]
let stop: AbortController
let done: Promise<void>
const seen = () => sorted(heard)
const items = (name: string) => seen().items.filter((item) => item.name === name)

async function listen(more: object = {}): Promise<void> {
  const spec = { clusterName: 'prod', kubeconfig: api.kubeconfig(), ...more }
  const stream = kubernetes.watch!(aRun({ ctx, signal: stop.signal }), kubernetes.schema.parse(spec))!
  done = (async () => {
    for await (const result of stream) heard.push(result)
  })()
  await expect.poll(() => api.watching('pods'), patient).toBe(1)
}

beforeEach(async () => {
  api = await new KubeApi().start()
  for (const object of dump) api.store.put(object)
  heard = []
  stop = new AbortController()
  done = Promise.resolve()
})
afterEach(async () => {
  stop.abort(new Error('over'))
  await done
  api.close()
})

const pod = find('Pod', 'app-1-new-1')
const changed = (labels: Record<string, string>): KubeObject => ({ ...pod, metadata: { ...pod.metadata, labels } })

describe('between two scrapes', () => {
  test('what changes, comes and goes is heard, with parents and relationships; events are changes', async () => {
    await listen()
    await expect.poll(() => items('app-1-new-1').length, patient).toBe(1)
    await expect.poll(() => api.watching('events'), patient).toBe(1)
    expect(api.streams.map(({ kind }) => kind.kind).sort()).toEqual(
      ['CronJob', 'DaemonSet', 'Deployment', 'Event', 'Job', 'Node', 'Pod', 'ReplicaSet', 'StatefulSet'].sort(),
    )
    api.store.put(changed({ app: 'app-1', version: '2' }))
    await expect.poll(() => items('app-1-new-1').length, patient).toBe(2)
    const [, second] = items('app-1-new-1')
    expect(second).toMatchObject({ labels: { version: '2' }, health: 'healthy', tags: { cluster: 'prod' } })
    expect(second!.parents![0]).toEqual({
      externalId: find('ReplicaSet', 'app-1-new').metadata.uid,
      type: 'Kubernetes::ReplicaSet',
    })
    expect(second!.parents![1]).toMatchObject({ externalId: find('Namespace', 'team-1').metadata.uid })
    expect(seen().relationships.map(({ relation }) => relation)).toEqual(
      expect.arrayContaining(['ReplicaSetPod', 'NodePod']),
    )

    api.store.put(eventOf(pod, 'OOMKilled', 'out of memory'))
    await expect.poll(() => seen().changes.length, patient).toBe(1)
    expect(seen().changes[0]).toMatchObject({ changeType: 'OOMKilled', item: { externalId: pod.metadata.uid } })

    // A container is killed, the pod stays: only the cluster says when an object goes.
    api.store.put(eventOf(pod, 'Killing', 'Stopping container main'))
    await expect.poll(() => seen().changes.length, patient).toBe(2)
    expect(seen().changes[1]).toMatchObject({ changeType: 'Killing', action: 'keep' })

    api.store.remove('v1', 'Pod', 'team-1', 'app-1-new-1')
    await expect.poll(() => seen().deletions.length, patient).toBe(1)
    expect(seen().deletions[0]!.item).toEqual({ externalId: pod.metadata.uid, type: 'Kubernetes::Pod' })
    expect(seen().errors).toEqual([])
  })
  test('bookmarks move the place to go on from; a polite end is followed on without listing again', async () => {
    await listen({ watch: [{ kind: 'Pod', apiVersion: 'v1' }] })
    const lists = () => api.asked.filter((line) => line.includes('/pods?limit')).length
    const before = lists()
    for (let count = 0; count < 3; count++) api.store.put(find('ConfigMap', 'app-1'))
    api.bookmark('pods')
    const version = api.store.version
    await expect
      .poll(
        () => (api.endStreams('pods'), api.asked.filter((line) => line.includes(`resourceVersion=${version}`)).length),
        patient,
      )
      .toBeGreaterThan(0)
    expect(lists()).toBe(before)
  })
  test('410 Gone: everything is listed again, and what went meanwhile is deleted', async () => {
    await listen({ watch: [{ kind: 'Pod', apiVersion: 'v1' }] })
    await expect.poll(() => items('app-2-new-1').length, patient).toBe(1)
    api.disconnect('pods')
    api.store.remove('v1', 'Pod', 'team-1', 'app-2-new-1')
    api.store.forget()
    await expect.poll(() => seen().deletions.length, patient).toBe(1)
    expect(seen().deletions[0]!.item).toMatchObject({ externalId: find('Pod', 'app-2-new-1').metadata.uid })
    await expect.poll(() => api.watching('pods'), patient).toBe(1)
    api.gone('pods')
    await expect.poll(() => api.watching('pods'), patient).toBe(1)
    expect(seen().deletions).toHaveLength(1)
  })
  test('a line that breaks is followed on after a pause, from where it broke', async () => {
    await listen({ watch: [{ kind: 'Pod', apiVersion: 'v1' }] })
    const lists = () => api.asked.filter((line) => line.includes('/pods?limit')).length
    const before = lists()
    api.disconnect('pods')
    api.store.put(changed({ app: 'app-1', version: '3' }))
    await expect.poll(() => items('app-1-new-1').at(-1)?.labels?.version, patient).toBe('3')
    expect(lists()).toBe(before)
    expect(seen().errors).toEqual([])
    expect(seen().deletions).toEqual([])
  })
  test('a cluster that goes away is told once; when it is back everything goes on', async () => {
    await listen({ watch: [{ kind: 'Pod', apiVersion: 'v1' }] })
    await expect.poll(() => items('app-1-new-1').length, patient).toBe(1)
    await expect.poll(() => api.watching('events'), patient).toBe(1)
    api.fail(1)
    api.disconnect('pods')
    await expect.poll(() => seen().errors.length, patient).toBe(1)
    expect(seen().errors).toEqual([
      { item: 'Pod', message: 'watch: the server is currently unable to handle the request' },
    ])
    await expect.poll(() => api.watching('pods'), patient).toBe(1)
    api.store.put(changed({ app: 'app-1', version: '4' }))
    await expect.poll(() => items('app-1-new-1').at(-1)?.labels?.version, patient).toBe('4')
    expect(seen().errors).toHaveLength(1)
    expect(seen().deletions).toEqual([])
  })
  test('a kind that may not be followed is told once, the others are; a pod that is moved away is deleted', async () => {
    api.forbid('nodes', ['list', 'watch'])
    await listen()
    await expect.poll(() => seen().errors.length, patient).toBe(1)
    expect(seen().errors[0]).toMatchObject({
      item: 'Node',
      message: expect.stringContaining('cannot list resource "nodes"'),
    })
    await expect.poll(() => items('app-1-new-1').length, patient).toBe(1)
    api.store.put({ ...pod, status: { phase: 'Failed', reason: 'Evicted' } })
    await expect.poll(() => seen().deletions.length, patient).toBe(1)
    expect(seen().errors).toHaveLength(1)
  })
})

test('kinds without the field that is selected by are not followed, and not asked again', async () => {
  await listen({ fieldSelector: 'spec.nodeName=node-1' })
  await expect.poll(() => seen().items.length, patient).toBeGreaterThan(0)
  expect(new Set(seen().items.map(({ type }) => type))).toEqual(new Set(['Kubernetes::Pod']))
  await expect.poll(() => api.streams.map(({ kind }) => kind.kind).sort(), patient).toEqual(['Event', 'Pod'])
  expect(seen().errors).toEqual([])
})

test('an empty list of kinds follows nothing', () => {
  const spec = kubernetes.schema.parse({ clusterName: 'c', watch: [] })
  expect(kubernetes.watch!(aRun({ ctx }), spec)).toBeUndefined()
})
