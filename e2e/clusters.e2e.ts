import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { clusterDump, eventOf } from '../server/src/testing/kube-api/dump.ts'
import { KubeApi } from '../server/src/testing/kube-api/kube-api.ts'
import type { KubeObject } from '../server/src/testing/kube-api/store.ts'
import { expect, test } from './fixtures/test.ts'

// The journeys look at one cluster, which the first of them scrapes.
test.describe.configure({ mode: 'serial', timeout: 180_000 })

const clusterName = `cluster-${randomUUID().slice(0, 8)}`
const dump = clusterDump({ teams: 1, services: 3, nodes: 2, seed: clusterName })
const find = (kind: string, name: string): KubeObject =>
  dump.find((each) => each.kind === kind && each.metadata.name === name)!
const pageOf = (kind: string, name: string) => `/catalog/${find(kind, name).metadata.uid}`
const patient = { timeout: 60_000 }

const cluster = new KubeApi()
let scraper = ''
let admin: APIRequestContext

test.beforeAll(async ({ playwright, productUrl, sessionOf }) => {
  await cluster.start()
  for (const object of dump) cluster.store.put(object)
  const lastTimestamp = new Date(Date.now() - 60_000).toISOString()
  cluster.store.put(eventOf(find('Pod', 'app-2-new-1'), 'BackOff', 'Back-off restarting', { lastTimestamp }))
  const storageState = JSON.parse(await sessionOf('admin')) as never
  admin = await playwright.request.newContext({ baseURL: productUrl, storageState })
})
test.afterAll(async () => {
  if (scraper) await admin.patch(`/api/db/config_scrapers?id=eq.${scraper}`, { data: { deleted_at: 'now()' } })
  await admin.dispose()
  cluster.close()
})

test('a cluster becomes catalog items with health, parents, changes and relationships', async ({
  as,
  expectAccessible,
}) => {
  const made = await admin.post('/api/db/config_scrapers', {
    data: {
      name: clusterName,
      source: 'UI',
      spec: { schedule: '@every 30m', kubernetes: [{ clusterName, kubeconfig: cluster.kubeconfig() }] },
    },
    headers: { prefer: 'return=representation' },
  })
  expect(made.ok(), await made.text()).toBe(true)
  scraper = ((await made.json()) as [{ id: string }])[0].id
  const ran = await admin.post(`/api/config/run/${scraper}`, { timeout: 120_000 })
  expect(ran.ok(), await ran.text()).toBe(true)

  const page = await as('viewer')
  await page.goto(pageOf('Pod', 'app-2-new-1'))
  await expect(page.getByText('app-2-new-1').first()).toBeVisible(patient)
  await expect(page.getByText('Running').first()).toBeVisible()
  await expect(page.getByText(clusterName).first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: /^Changes \d/ }).click()
  await expect(page.getByRole('table', { name: 'Changes' }).getByText('BackOff')).toBeVisible(patient)
  await page.getByRole('link', { name: /^Relationships \d/ }).click()
  const related = page.getByRole('table', { name: 'Related catalog items' })
  for (const name of ['app-2-new', 'app-2', 'team-1', clusterName])
    await expect(related.getByTitle(name, { exact: true })).toBeVisible(patient)
  await page.getByRole('button', { name: 'Soft' }).click()
  await expect(related.getByText('Kubernetes::Service', { exact: true }).first()).toBeVisible(patient)
})

test('a secret is an item without its values, for everybody', async ({ as }) => {
  const page = await as('admin')
  await page.goto(pageOf('Secret', 'app-2'))
  await expect(page.getByText('***').first()).toBeVisible(patient)
  const stored = await admin.get(
    `/api/db/config_items?id=eq.${find('Secret', 'app-2').metadata.uid}&select=config,labels,properties`,
  )
  const text = await stored.text()
  expect(text).toContain('***')
  expect(text).not.toContain('hunter2')
  expect(text).not.toContain(Buffer.from('hunter2-team-1-app-2').toString('base64'))
})

test('what happens in the cluster shows without another scrape', async ({ as }) => {
  await expect.poll(() => cluster.watching('pods'), { timeout: 120_000 }).toBe(1)
  const pod = find('Pod', 'app-3-new-1')
  const page = await as('viewer')
  await page.goto(pageOf('Pod', 'app-3-new-1'))
  await expect(page.getByText('Running').first()).toBeVisible(patient)
  const status = pod.status as { containerStatuses: object[] }
  const waiting = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s' } }
  const containerStatuses = [{ ...status.containerStatuses[0], ready: false, restartCount: 9, state: waiting }]
  cluster.store.put({ ...pod, status: { ...status, containerStatuses } })
  await expect(page.getByText('CrashLoopBackOff').first()).toBeVisible(patient)
  cluster.store.remove('v1', 'Pod', 'team-1', 'app-3-new-1')
  const deletedAt = async () => {
    const answer = await admin.get(`/api/db/config_items?id=eq.${pod.metadata.uid}&select=deleted_at`)
    return ((await answer.json()) as [{ deleted_at: string | null }])[0].deleted_at
  }
  await expect.poll(deletedAt, patient).not.toBeNull()
})
