import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { installQueue } from '../../platform/queue/queue.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { KubeApi } from '../../testing/kube-api/kube-api.ts'
import { documentsEvent } from '../catalog/scrape/documents-event.ts'
import { scraperJob } from '../catalog/scrape/scrape.jobs.ts'
import { aScraper, setSpec } from '../catalog/testing.ts'
import { handleTaken } from '../events/consumers.ts'
import { runJob } from '../jobs/run-job.ts'
import { clusterDocumentsConsumer, clusterDocumentsJob } from './cluster-documents.ts'
import { protectRowsOfFiles } from './read-only.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const db = await testDatabase()
const ctx = testContext(db)
const api = new KubeApi()
beforeAll(async () => {
  await installQueue(db)
  await api.start()
})
afterAll(() => api.close())

const put = (name: string, spec: object, metadata: object = {}) =>
  api.store.put({
    apiVersion: 'canaries.flanksource.com/v1',
    kind: 'Canary',
    metadata: { name, namespace: 'web', generation: 3, ...metadata },
    spec,
    status: { uptime1h: '100%' },
  })
const remove = (name: string) => api.store.remove('canaries.flanksource.com/v1', 'Canary', 'web', name)
const canaries = () =>
  db.query<{ id: string; name: string; source: string; spec: object; live: boolean }>(
    'select id, name, namespace, source, spec, labels, deleted_at is null as live from canaries order by name',
  )
const spec = (more: object = {}) => ({
  crdSync: true,
  kubernetes: [{ clusterName: 'prod', kubeconfig: api.kubeconfig() }],
  ...more,
})
const http = (url: string) => ({ schedule: '@every 1m', http: [{ name: 'home', url }] })
const events = () => db.query<{ name: string }>('select name from event_queue where name = $1', [documentsEvent])
const jobs = () =>
  db.query<{ status: string; details: { errors?: string[]; summary?: object } }>(
    `select status, details from job_history where name = 'CRDSync' order by created_at desc, id desc`,
  )
const scraped = async (id: string) => {
  const outcome = await runJob(ctx, scraperJob, { resource: { id, type: 'config_scraper' } })
  expect(outcome.errors).toEqual([])
  while (await handleTaken(ctx, clusterDocumentsConsumer, new AbortController().signal));
}

beforeEach(async () => {
  for (const relation of ['config_items', 'config_scrapers', 'canaries', 'resource_files', 'job_history'])
    await db.run(`delete from ${relation}`)
  for (const name of ['shop', 'basket']) put(name, http(`https://${name}.test`), { labels: { team: 'blue' } })
})

test('documents of a cluster become rows, follow it, and go when they go', async () => {
  const { id } = await aScraper(db, spec({ retention: { staleItemAge: '1ms' } }))
  await scraped(id)
  expect(await canaries()).toMatchObject([
    {
      name: 'basket',
      namespace: 'web',
      source: 'CRDSync',
      spec: http('https://basket.test'),
      labels: { team: 'blue' },
    },
    { name: 'shop', live: true },
  ])
  const [before] = await canaries()
  put('basket', http('https://basket.test/new'))
  remove('shop')
  await new Promise((resolve) => setTimeout(resolve, 20))
  await scraped(id)
  expect(await canaries()).toMatchObject([
    { id: before!.id, name: 'basket', spec: http('https://basket.test/new') },
    { name: 'shop', live: false },
  ])
  expect((await jobs())[0]).toMatchObject({ status: 'SUCCESS', details: { summary: { resources: { removed: 1 } } } })
})

test('a document that is wrong is told by name and leaves its row as it was', async () => {
  const { id } = await aScraper(db, spec())
  await scraped(id)
  put('shop', { schedule: 'whenever' })
  await scraped(id)
  expect((await canaries())[1]).toMatchObject({ name: 'shop', spec: http('https://shop.test'), live: true })
  const [job] = await jobs()
  expect(job!.status).toBe('WARNING')
  expect(job!.details.errors).toEqual([expect.stringContaining('Canary web/shop: spec.schedule: ')])
})

test('what people or files made under the same name is not overwritten', async () => {
  await db.run(
    `insert into canaries (name, namespace, spec, source) values ('shop', 'web', '{"schedule": "@every 9m"}', 'UI')`,
  )
  const { id } = await aScraper(db, spec())
  await scraped(id)
  expect((await canaries()).find(({ name }) => name === 'shop')).toMatchObject({ source: 'UI' })
  expect((await jobs())[0]!.details.errors).toEqual([expect.stringContaining('somebody made one of this name')])
})

test('the console cannot change them; without crdSync they belong to the people again', async () => {
  const scraper = await aScraper(db, spec())
  await scraped(scraper.id)
  const [row] = await canaries()
  const hooks: Parameters<Parameters<typeof protectRowsOfFiles>[0]['beforeWrite']>[1][] = []
  protectRowsOfFiles({ beforeWrite: (relation, hook) => void (relation === 'canaries' && hooks.push(hook)) })
  const write = () => hooks[0]!({ sql: db, kind: 'update', targets: async () => [row] } as never)
  await expect(write()).rejects.toThrow('This is an object of a cluster and can only be changed there')
  await setSpec(db, scraper, spec({ crdSync: false }))
  await runJob(ctx, clusterDocumentsJob)
  expect(await canaries()).toMatchObject([
    { source: 'UI', live: true },
    { source: 'UI', live: true },
  ])
  await write()
})

test('a deleted scraper takes its rows along; one without crdSync tells nobody', async () => {
  const { id } = await aScraper(db, spec())
  await scraped(id)
  await db.run('update config_scrapers set deleted_at = now() where id = $1', [id])
  await runJob(ctx, clusterDocumentsJob)
  expect((await canaries()).map(({ live }) => live)).toEqual([false, false])
  const silent = await aScraper(db, spec({ crdSync: false }), 'default/silent')
  await runJob(ctx, scraperJob, { resource: { id: silent.id, type: 'config_scraper' } })
  expect(await events()).toEqual([])
})
