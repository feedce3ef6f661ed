import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from './fixtures/test.ts'

// Journeys share items of types that nobody else has; each only reads what an earlier one left.
test.describe.configure({ mode: 'serial', timeout: 120_000 })

const run = randomUUID().slice(0, 8)
const pods = `Journey${run}::Pod`
const many = `Journey${run}::Shard`
const web = randomUUID()
const api = randomUUID()
const total = 3_000

const list = (page: Page) => page.getByRole('table', { name: 'Catalog items' })
const summary = (page: Page) => page.getByRole('table', { name: 'Catalog by group' })
const changes = (page: Page) => page.getByRole('table', { name: 'Changes' })

async function insert(admin: APIRequestContext, table: string, rows: object | object[]) {
  const answer = await admin.post(`/api/db/${table}`, { data: rows })
  expect(answer.status(), await answer.text()).toBe(201)
}

test.beforeAll(async ({ playwright, productUrl, sessionOf }) => {
  const storageState = JSON.parse(await sessionOf('admin')) as never
  const admin = await playwright.request.newContext({ baseURL: productUrl, storageState })
  const item = { config_class: 'Pod', type: pods, tags: { namespace: `shop-${run}`, cluster: 'eu' } }
  await insert(admin, 'config_items', [
    {
      ...item,
      id: web,
      name: 'web-1',
      status: 'Running',
      health: 'healthy',
      labels: { app: 'web' },
      description: 'The shop',
      config: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-1' }, spec: { replicas: 2, image: 'shop:1' } },
      last_scraped_time: '2024-08-01T00:00:00Z',
      deleted_at: null,
    },
    {
      ...item,
      id: api,
      name: 'api-1',
      status: 'Failed',
      health: 'unhealthy',
      labels: { app: 'api' },
      description: null,
      config: { kind: 'Pod' },
      last_scraped_time: null,
      deleted_at: null,
    },
    {
      ...item,
      id: randomUUID(),
      name: 'gone-1',
      status: null,
      health: 'unknown',
      labels: {},
      description: null,
      config: {},
      last_scraped_time: null,
      deleted_at: 'now()',
    },
  ])
  await insert(admin, 'config_relationships', { config_id: web, related_id: api, relation: 'PodPod' })
  await insert(admin, 'config_changes', [
    {
      config_id: web,
      change_type: `diff-${run}`,
      severity: 'high',
      source: `kubernetes-${run}`,
      summary: 'spec.replicas',
      diff: '--- before\n+++ after\n@@ -1,2 +1,2 @@\n spec:\n-  replicas: 1\n+  replicas: 2\n',
      patches: { spec: { replicas: 1 } },
      external_change_id: `${run}-1`,
    },
    {
      config_id: api,
      change_type: `Killing-${run}`,
      severity: 'low',
      source: `events-${run}`,
      summary: 'Stopping container',
      diff: null,
      patches: null,
      external_change_id: `${run}-2`,
    },
  ])
  for (let from = 0; from < total; from += 1_000) {
    await insert(
      admin,
      'config_items',
      Array.from({ length: 1_000 }, (_, n) => ({
        config_class: 'Shard',
        type: many,
        name: `shard-${String(from + n).padStart(5, '0')}`,
        health: 'healthy',
      })),
    )
  }
  await admin.dispose()
})

test.afterAll(async ({ playwright, productUrl, sessionOf }) => {
  const storageState = JSON.parse(await sessionOf('admin')) as never
  const admin = await playwright.request.newContext({ baseURL: productUrl, storageState })
  for (const type of [pods, many])
    await admin.patch(`/api/db/config_items?type=eq.${encodeURIComponent(type)}`, { data: { deleted_at: 'now()' } })
  await admin.dispose()
})

test('[CAT-01] from the summary to the list to an item and back', async ({ as, expectAccessible }) => {
  const page = await as('viewer')
  await page.goto('/catalog')
  const tabs = page.getByRole('navigation', { name: 'Catalog' })
  await expect(tabs.getByRole('link')).toHaveText(['Catalog', 'Changes', 'Insights', 'Scrapers'])
  await expect(tabs.getByRole('link', { name: 'Insights' })).toHaveAttribute('href', '/catalog/insights')
  const line = summary(page).getByRole('row').filter({ hasText: pods })
  await expect(line.getByRole('img', { name: '1 unhealthy, 1 healthy' })).toBeVisible()
  await expectAccessible(page)

  await line.click()
  await expect(page).toHaveURL(`/catalog?configType=${encodeURIComponent(pods)}`)
  await expect(list(page).getByRole('row').filter({ hasText: 'api-1' })).toContainText('Failed')
  await expect(list(page).getByText('gone-1')).toHaveCount(0)
  await expectAccessible(page)

  await list(page).getByRole('row').filter({ hasText: 'web-1' }).getByText('Running').click()
  await expect(page).toHaveURL(`/catalog/${web}`)
  await expect(page.locator('.cm-content')).toContainText('replicas: 2')
  await expect(page.getByText('Last scraped', { exact: false }).first()).toBeVisible()
  await expectAccessible(page)
  await page.goBack()
  await expect(list(page).getByRole('row').filter({ hasText: 'web-1' })).toBeVisible()
})

test('[CDET-02] the breadcrumb is Catalog, type, name', async ({ as }) => {
  const page = await as('viewer')
  await page.goto(`/catalog/${web}`)
  const trail = page.getByRole('navigation', { name: /breadcrumb/i })
  await expect(trail.getByRole('listitem')).toHaveText(['Catalog', pods, 'web-1'])
  await trail.getByRole('link', { name: pods }).click()
  await expect(page).toHaveURL(`/catalog?configType=${encodeURIComponent(pods)}`)
})

test('[CAT-02] the chosen type goes along to every tab but Scrapers', async ({ as }) => {
  const page = await as('admin')
  await page.goto(`/catalog?configType=${encodeURIComponent(pods)}`)
  const tabs = page.getByRole('navigation', { name: 'Catalog' })
  await tabs.getByRole('link', { name: 'Changes' }).click()
  await expect(page).toHaveURL(`/catalog/changes?configType=${encodeURIComponent(pods)}`)
  await expect(
    changes(page)
      .getByRole('row')
      .filter({ hasText: `diff-${run}` }),
  ).toBeVisible()
  await tabs.getByRole('link', { name: 'Insights' }).click()
  await expect(page).toHaveURL(`/catalog/insights?configType=${encodeURIComponent(pods)}`)
  await tabs.getByRole('link', { name: 'Scrapers' }).click()
  await expect(page).toHaveURL('/catalog/scrapers')
})

test('deleted items are shown on request, last and grey', async ({ as }) => {
  const page = await as('viewer')
  await page.goto(`/catalog?configType=${encodeURIComponent(pods)}&sortBy=name&sortOrder=desc`)
  await expect(list(page).getByRole('row')).toHaveCount(3)
  await page.getByRole('button', { name: 'Preferences' }).click()
  await page.getByRole('switch', { name: 'Hide Deleted Catalog' }).click()
  await expect(list(page).getByRole('row')).toHaveCount(4)
  await expect(list(page).getByRole('row').nth(3)).toContainText('gone-1')
  await expect(list(page).getByRole('row').nth(3).getByText('deleted')).toBeVisible()
  await page.getByRole('switch', { name: 'Hide Deleted Catalog' }).click()
  await expect(list(page).getByRole('row')).toHaveCount(3)
})

test('lines of a document are chosen in the address, and words are found in it', async ({ as }) => {
  const page = await as('viewer')
  await page.goto(`/catalog/${web}`)
  await page.locator('.cm-lineNumbers .cm-gutterElement', { hasText: /^2$/ }).click()
  await expect(page).toHaveURL(`/catalog/${web}?selected=L2`)
  await page.reload()
  await expect(page.locator('.cm-chosenLine')).toHaveText('kind: Pod')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('textbox', { name: 'Find' }).pressSequentially('replicas')
  await expect(page.locator('.cm-searchMatch')).toHaveCount(1)
  await page.getByRole('radio', { name: 'JSON' }).click()
  await expect(page.locator('.cm-content')).toContainText('"replicas": 2')
  await expect(page).toHaveURL(`/catalog/${web}?format=json`)
})

test('changes are narrowed by a cell, and one of them is looked at', async ({ as, expectAccessible }) => {
  const page = await as('viewer')
  await page.goto(`/catalog/${web}/changes`)
  await expect(changes(page).getByRole('row').filter({ hasText: 'Stopping container' })).toBeVisible()
  await page.getByRole('button', { name: 'Downstream' }).click()
  await expect(changes(page).getByRole('row').filter({ hasText: 'Stopping container' })).toHaveCount(0)

  await page.goto(`/catalog/changes?configType=${encodeURIComponent(pods)}`)
  const row = changes(page)
    .getByRole('row')
    .filter({ hasText: `diff-${run}` })
  await row.getByText('spec.replicas').hover()
  await row.getByRole('button', { name: 'Exclude spec.replicas' }).click()
  await expect(row).toHaveCount(0)
  const chips = page.getByRole('list', { name: 'Active filters' })
  await chips.getByRole('button', { name: 'Remove Summary spec.replicas' }).click()
  await expect(row).toBeVisible()
  await expectAccessible(page)

  await row.getByRole('cell').first().click()
  const dialog = page.getByRole('dialog', { name: `diff-${run}` })
  await expect(dialog.locator('.cm-deletedChunk, .cm-deletedLine').first()).toContainText('replicas: 1')
  await dialog.getByRole('radio', { name: 'Side by side' }).click()
  await expect(dialog.locator('.cm-merge-b')).toContainText('replicas: 2')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
})

test('a change that happens elsewhere appears without a reload', async ({ as, api: apiOf }) => {
  const page = await as('viewer')
  await page.goto(`/catalog/changes?configType=${encodeURIComponent(pods)}`)
  await expect(
    changes(page)
      .getByRole('row')
      .filter({ hasText: `diff-${run}` }),
  ).toBeVisible()
  const admin = await apiOf('admin')
  // Until the live stream stands nothing is told, so it is said again until it was heard.
  await expect(async () => {
    await insert(admin, 'config_changes', {
      config_id: api,
      change_type: `Live-${run}`,
      severity: 'info',
      external_change_id: randomUUID(),
    })
    await expect(
      changes(page)
        .getByRole('row')
        .filter({ hasText: `Live-${run}` })
        .first(),
    ).toBeVisible({
      timeout: 5_000,
    })
  }).toPass({ timeout: 30_000 })
})

test('thousands of items scroll without blank rows, to the last one', async ({ as }) => {
  const page = await as('viewer')
  await page.goto(`/catalog?configType=${encodeURIComponent(many)}&sortBy=name&sortOrder=asc`)
  await expect(list(page)).toHaveAttribute('aria-rowcount', String(total + 1))
  await expect(list(page).getByText('shard-00000')).toBeVisible()
  const box = page.locator('[data-table=catalog]')
  for (let step = 0; step < 12; step++) {
    await box.evaluate((node) => node.scrollBy(0, node.clientHeight))
    // What is in sight is a row with its name, not a grey bar, as soon as the next frame is drawn.
    await expect.poll(() => greyRows(page), { timeout: 2_000 }).toBe(0)
  }
  await box.evaluate((node) => node.scrollTo(0, node.scrollHeight))
  await expect(list(page).getByText(`shard-${String(total - 1).padStart(5, '0')}`)).toBeVisible()
})

/** Rows in sight that still wait for their content. */
function greyRows(page: Page): Promise<number> {
  return page.locator('[data-table=catalog]').evaluate((node) => {
    const frame = node.getBoundingClientRect()
    return [...node.querySelectorAll('tr[data-skeleton]')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return bottom > frame.top && top < frame.bottom
    }).length
  })
}

test('an item that is not there says so', async ({ as }) => {
  const page = await as('viewer')
  await page.goto(`/catalog/${randomUUID()}`)
  await expect(page.getByText('Details not found')).toBeVisible()
})
