import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fakeClock, testContext } from '../../../../testing/context.ts'
import { testDatabase } from '../../../../testing/database.ts'
import { clusterDump, eventOf } from '../../../../testing/kube-api/dump.ts'
import { KubeApi } from '../../../../testing/kube-api/kube-api.ts'
import type { KubeObject } from '../../../../testing/kube-api/store.ts'
import { Watches } from '../../scrape/watch.ts'
import { aScraper, scrape } from '../../testing.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const db = await testDatabase()
const clock = fakeClock('2026-11-01T08:00:00Z')
const ctx = testContext(db, { clock })

const size = { teams: 2, services: 3, nodes: 2 }
const dump = clusterDump(size)
const find = (kind: string, name: string, namespace = 'team-1'): KubeObject =>
  dump.find(
    (each) =>
      each.kind === kind && each.metadata.name === name && [namespace, undefined].includes(each.metadata.namespace),
  )!

let api: KubeApi
const spec = (cluster: KubeApi, clusterName = 'prod') => ({
  kubernetes: [{ clusterName, kubeconfig: cluster.kubeconfig() }],
})
const one = <T>(text: string, ...values: unknown[]) => db.one<T & Record<string, unknown>>(text, values)
const live = async () =>
  (await one<{ n: number }>('select count(*)::int n from config_items where deleted_at is null')).n

beforeAll(async () => {
  api = await new KubeApi().start()
  for (const object of dump) api.store.put(object)
  api.store.put(eventOf(find('Pod', 'app-1-new-1'), 'BackOff', 'Back-off restarting', { count: 3 }))
})
afterAll(() => api.close())
beforeEach(async () => {
  await db.run('delete from config_items')
  await db.run('delete from config_change_fingerprints')
  await db.run('delete from config_scrapers')
})

test('a cluster is stored with parents, paths, tags, relationships and changes; scraped again nothing changes', async () => {
  const scraper = await aScraper(db, spec(api))
  const first = await scrape(ctx, scraper)
  expect(first.problems).toEqual([])
  const pod = await one<{ path: string }>(
    'select * from config_items where id = $1',
    find('Pod', 'app-2-new-1').metadata.uid,
  )
  expect(pod).toMatchObject({
    type: 'Kubernetes::Pod',
    config_class: 'Pod',
    health: 'healthy',
    parent_id: find('ReplicaSet', 'app-2-new').metadata.uid,
    tags: { cluster: 'prod', namespace: 'team-1' },
    external_id: [
      find('Pod', 'app-2-new-1').metadata.uid,
      'Kubernetes/Pod/team-1/app-2-new-1',
      'Kubernetes/prod/Pod/team-1/app-2-new-1',
    ],
  })
  expect(pod.path.split('.').slice(1, 4)).toEqual(
    [find('Namespace', 'team-1'), find('Deployment', 'app-2'), find('ReplicaSet', 'app-2-new')].map(
      ({ metadata }) => metadata.uid,
    ),
  )
  const relations = await db.query<{ relation: string }>(
    'select relation from config_relationships where related_id = $1',
    [pod.id],
  )
  expect(relations.map(({ relation }) => relation)).toEqual(
    expect.arrayContaining(['ReplicaSetPod', 'NodePod', 'NamespacePod', 'ServicePod', 'ConfigMapPod', 'SecretPod']),
  )
  const [event] = await db.query('select * from config_changes')
  expect(event).toMatchObject({
    change_type: 'BackOff',
    severity: 'high',
    config_id: find('Pod', 'app-1-new-1').metadata.uid,
  })
  const [secret] = await db.query<{ n: number }>(
    `select count(*)::int n from config_items where config::text like '%hunter2%'`,
  )
  expect(secret!.n).toBe(0)

  const before = await live()
  clock.add(60_000)
  const again = await scrape(ctx, scraper)
  expect(Object.values(again.summary.types).map(({ added, updated }) => added + updated)).toEqual(
    Object.values(again.summary.types).map(() => 0),
  )
  expect(await live()).toBe(before)
  expect(await db.query('select 1 from config_changes')).toHaveLength(1)
})

test('while a kind may not be read nothing is deleted for being out of sight; afterwards only what is gone goes', async () => {
  const scraper = await aScraper(db, { ...spec(api), retention: { staleItemAge: '1h' } })
  await scrape(ctx, scraper)
  const before = await live()
  api.forbid('pods')
  api.store.remove('v1', 'ConfigMap', 'team-2', 'app-3')
  clock.add(2 * 3_600_000)
  const partial = await scrape(ctx, scraper)
  expect(partial.problems).toMatchObject([
    { item: 'Pod', message: expect.stringContaining('cannot list resource "pods"') },
  ])
  expect(await live()).toBe(before)
  api.allow('pods')
  clock.add(2 * 3_600_000)
  expect((await scrape(ctx, scraper)).problems).toEqual([])
  expect(await live()).toBe(before - 1)
  const gone = await one('select * from config_items where deleted_at is not null')
  expect(gone).toMatchObject({ name: 'app-3', type: 'Kubernetes::ConfigMap', delete_reason: 'STALE' })
  api.store.put(find('ConfigMap', 'app-3', 'team-2'))
})

test('two clusters with the same names keep their own items', async () => {
  const other = await new KubeApi().start()
  try {
    for (const object of clusterDump({ ...size, seed: 'other ' })) other.store.put(object)
    const prod = await aScraper(db, spec(api), 'default/prod')
    const test_ = await aScraper(db, spec(other, 'test'), 'default/test')
    await scrape(ctx, prod)
    const count = await live()
    await scrape(ctx, test_)
    expect(await live()).toBe(2 * count)
    const again = await scrape(ctx, prod)
    expect(again.summary.types['Kubernetes::Namespace']).toMatchObject({ added: 0, updated: 0 })
    const crossed = await db.query(
      `select 1 from config_relationships r join config_items a on a.id = r.config_id join config_items b on b.id = r.related_id
        where a.tags ->> 'cluster' <> b.tags ->> 'cluster'`,
    )
    expect(crossed).toEqual([])
  } finally {
    other.close()
  }
})

test('an object made anew under its name is the same item', async () => {
  const scraper = await aScraper(db, spec(api))
  await scrape(ctx, scraper)
  const pod = find('Pod', 'db-0')
  api.store.remove('v1', 'Pod', 'team-1', 'db-0')
  const uid = '0a0a0a0a-1111-4222-8333-444444444444'
  api.store.put({ ...pod, metadata: { ...pod.metadata, uid } })
  await scrape(ctx, scraper)
  const rows = await db.query(`select * from config_items where name = 'db-0' and tags ->> 'namespace' = 'team-1'`)
  expect(rows).toMatchObject([
    {
      id: pod.metadata.uid,
      external_id: [uid, 'Kubernetes/Pod/team-1/db-0', 'Kubernetes/prod/Pod/team-1/db-0'],
      deleted_at: null,
    },
  ])
  api.store.put(pod)
})

test('what happens between scrapes is stored: changes with their diff, events once, deletions', async () => {
  const scraper = await aScraper(db, spec(api))
  await scrape(ctx, scraper)
  const before = await live()
  const watches = new Watches(ctx, 'worker-1', ctx.log)
  try {
    await watches.sync()
    await expect.poll(() => api.watching('pods'), { timeout: 60_000 }).toBe(1)
    const deployment = find('Deployment', 'app-2')
    const { replicas: _, ...rest } = deployment.spec as Record<string, unknown>
    api.store.put({ ...deployment, spec: { ...rest, replicas: 5 } })
    api.store.put(eventOf(deployment, 'ScalingReplicaSet', 'Scaled up to 5'))
    api.store.put(eventOf(deployment, 'ScalingReplicaSet', 'Scaled up to 5', { count: 2 }))
    api.store.remove('v1', 'Pod', 'team-2', 'app-3-new-2')
    const gone = () => db.query(`select * from config_items where deleted_at is not null`)
    await expect
      .poll(gone, { timeout: 60_000 })
      .toMatchObject([{ id: find('Pod', 'app-3-new-2', 'team-2').metadata.uid }])
    const changes = await db.query('select * from config_changes where config_id = $1 order by change_type', [
      deployment.metadata.uid,
    ])
    expect(changes).toMatchObject([
      { change_type: 'ScalingReplicaSet', severity: 'low', summary: 'Scaled up to 5' },
      { change_type: 'diff', patches: { spec: { replicas: 5 } } },
    ])
    expect(await live()).toBe(before - 1)
  } finally {
    await watches.stop()
    api.store.put(find('Pod', 'app-3-new-2', 'team-2'))
    api.store.put(find('Deployment', 'app-2'))
  }
})

test('over 2,000 objects are stored in one scrape; unchanged they cost little', async () => {
  const large = await new KubeApi().start()
  try {
    const all = clusterDump()
    for (const object of all) large.store.put(object)
    const scraper = await aScraper(db, spec(large))
    const first = await scrape(ctx, scraper)
    expect(first.problems).toEqual([])
    expect(await live()).toBe(all.filter(({ kind }) => kind !== 'Lease').length + 1)
    const [{ n: kinds } = { n: 0 }] = await db.query<{ n: number }>(
      'select count(distinct type)::int n from config_items',
    )
    expect(kinds).toBeGreaterThanOrEqual(30)
    const [{ n: loose } = { n: 0 }] = await db.query<{ n: number }>(
      `select count(*)::int n from config_items where parent_id is null and type <> 'Kubernetes::Cluster'`,
    )
    expect(loose).toBe(0)
    const again = await scrape(ctx, scraper)
    expect(Object.values(again.summary.types).every(({ added, updated }) => added + updated === 0)).toBe(true)
    expect(await db.query(`select 1 from config_changes where change_type = 'diff'`)).toEqual([])
  } finally {
    large.close()
  }
})
