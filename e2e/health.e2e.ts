import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import { startTarget, type Target } from './fixtures/target.ts'
import { expect, test } from './fixtures/test.ts'

// One check is made, watched, broken and removed; each journey goes on where the last one ended.
test.describe.configure({ mode: 'serial' })

const canary = 'journey-own'
const flipping = 'journey-flip'
const filing = 'journey-files'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const checkRow = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Health checks' }).getByRole('row').filter({ hasText: name })

interface Summary {
  id: string
  name: string
  canary_id: string
  status?: string
}
async function checkNamed(api: APIRequestContext, name: string): Promise<Summary | undefined> {
  const { checks_summary: checks = [] } = (await (await api.get('/api/canary/api/summary')).json()) as {
    checks_summary?: Summary[]
  }
  return checks.find((check) => check.name === name)
}

let target: Target
test.beforeAll(async () => {
  target = await startTarget()
})
test.afterAll(async ({ playwright, productUrl, sessionOf }) => {
  await target.close()
  const storageState = JSON.parse(await sessionOf('admin')) as never
  const admin = await playwright.request.newContext({ baseURL: productUrl, storageState })
  for (const name of [canary, flipping, filing])
    await admin.patch(`/api/db/canaries?name=eq.${name}`, { data: { deleted_at: 'now()' } })
  await admin.dispose()
})

test('[SETG-01] an http check is made with the form, tried, saved, and green on the dashboard', async ({
  as,
  productUrl,
  expectAccessible,
}) => {
  test.setTimeout(90_000)
  const page = await as('admin')
  await page.goto('/settings/canaries')
  await expect(page.getByRole('navigation', { name: /breadcrumb/i })).toContainText('Health Checks')
  await page.getByRole('button', { name: 'Add Health Check' }).first().click()
  await dialog(page, 'Add Health Check').getByRole('button', { name: 'HTTP', exact: true }).click()
  const form = dialog(page, 'Add HTTP')
  await form.getByLabel('Name').first().fill(canary)
  await form.getByLabel('URL').fill(`${productUrl}/healthz`)
  await form.getByLabel('Response content').fill('nothing of the kind')
  await form.getByRole('button', { name: 'Try it' }).click()
  const result = form.getByRole('article', { name: canary })
  await expect(result).toContainText('Unhealthy')
  await expect(result.getByRole('button', { name: 'Template environment' })).toBeVisible()

  // The form and the YAML are the same thing seen twice.
  await form.getByLabel('Response content').fill('')
  await form.getByRole('radio', { name: 'YAML' }).click()
  await expect(form.locator('.cm-content')).toContainText(`${productUrl}/healthz`)
  await form.getByRole('radio', { name: 'Form' }).click()
  await expect(form.getByLabel('URL')).toHaveValue(`${productUrl}/healthz`)
  await form.getByRole('button', { name: 'Try it' }).click()
  await expect(result).toContainText('Healthy')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  await expect(checkRow(page, canary)).toContainText('@every 1m')

  await page.goto('/health?hidePassing=false')
  await expect(checkRow(page, canary)).toContainText('Healthy', { timeout: 70_000 })
  await expectAccessible(page)
})

test('a check that flips is seen within two seconds, without a reload', async ({ as, api }) => {
  test.setTimeout(60_000)
  const admin = await api('admin')
  const made = await admin.post('/api/db/canaries', {
    data: {
      name: flipping,
      namespace: 'journeys',
      labels: { app: 'a', env: 'b', region: 'c', stage: 'd', team: 'e', tier: 'f' },
      source: 'UI',
      spec: { schedule: '@every 5s', http: [{ name: flipping, url: target.url }] },
    },
  })
  expect(made.status()).toBe(201)
  const page = await as('viewer')
  await page.goto('/health?hidePassing=false')
  await expect(checkRow(page, flipping)).toContainText('Healthy', { timeout: 20_000 })
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  target.answer(500)
  await expect.poll(async () => (await checkNamed(admin, flipping))?.status, { intervals: [100] }).toBe('unhealthy')
  await expect(checkRow(page, flipping)).toContainText('Unhealthy', { timeout: 2_000 })
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
  target.answer(200)
  await expect.poll(async () => (await checkNamed(admin, flipping))?.status, { intervals: [100] }).toBe('healthy')
  await expect(checkRow(page, flipping)).toContainText('Healthy', { timeout: 2_000 })
})

test('[DRAWER-09] the drawer: figures, chart, history, run now', async ({ as, api, expectAccessible }) => {
  const check = (await checkNamed(await api('admin'), flipping))!
  const page = await as('responder')
  await page.goto('/health?hidePassing=false')
  await checkRow(page, flipping).click()
  await expect(page).toHaveURL(new RegExp(`checkId=${check.id}`))
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('heading', { name: flipping })).toBeVisible()
  await expect(drawer.getByText('+2 more')).toBeVisible()
  await expect(drawer.getByText(/\d+ passed, \d+ failed/)).toBeVisible()
  await expect(drawer.locator('canvas')).toBeVisible()
  await expect(drawer.getByRole('tab')).toHaveText([/History/, /Spec/, /Relationships/])
  const runs = drawer.getByRole('table', { name: 'Runs' }).getByRole('row')
  await expect(runs.nth(1)).toContainText('Healthy')
  await drawer.getByRole('radio', { name: 'Unhealthy' }).click()
  await expect(runs.nth(1)).toContainText('Unhealthy')
  await expectAccessible(page)
  const ran = page.waitForResponse((answer) => answer.url().includes(`/api/canary/run/check/${check.id}`))
  await drawer.getByRole('button', { name: 'Run Now' }).click()
  expect((await ran).status()).toBe(200)
  await expect(page.getByText('You have successfully initiated the check run')).toBeVisible()
  await page.setViewportSize({ width: 1200, height: 700 })
  await expect(drawer.getByRole('tab', { name: 'Graph' })).toBeVisible()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(/timeRange=1h$/)
})

test('a run is shown in full, and its files are downloaded', async ({ as, api, expectAccessible }) => {
  test.setTimeout(120_000)
  const admin = await api('admin')
  const made = await admin.post('/api/db/canaries', {
    data: {
      name: filing,
      namespace: 'journeys',
      source: 'UI',
      spec: {
        schedule: '@every 1h',
        exec: [
          {
            name: filing,
            script: 'echo "three of five passed" > report.txt; echo "all of it" >&2; exit 3',
            artifacts: [{ path: 'report.txt' }],
          },
        ],
      },
    },
  })
  expect(made.status()).toBe(201)
  await expect.poll(async () => (await checkNamed(admin, filing))?.status).toBe('unhealthy')
  const check = (await checkNamed(admin, filing))!
  const page = await as('viewer')
  await page.goto(`/health?checkId=${check.id}`)
  const runs = page.getByRole('table', { name: 'Runs' }).getByRole('row')
  await expect(runs.nth(1)).toContainText('Unhealthy', { timeout: 45_000 })
  await runs.nth(1).click()
  const run = dialog(page, 'Run')
  await expect(run).toContainText('exit code 3')
  await expect(run).toContainText('all of it')
  const link = run.getByRole('link', { name: 'report.txt' })
  await expect(link).toBeVisible()
  await expectAccessible(page)
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toBe('report.txt')
  expect(await readFile(await download.path(), 'utf8')).toBe('three of five passed\n')
  await page.keyboard.press('Escape')
  await expect(run).toBeHidden()
  await expect(page.getByRole('dialog').getByRole('heading', { name: filing })).toBeVisible()
})

test('a viewer reads, and neither runs nor adds', async ({ as, api }) => {
  const check = (await checkNamed(await api('admin'), flipping))!
  const page = await as('viewer')
  await page.goto(`/health?checkId=${check.id}`)
  await expect(page.getByRole('dialog').getByRole('heading', { name: flipping })).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('tab', { name: 'History' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run Now' })).toHaveCount(0)
  await page.goto(`/settings/canaries/${check.canary_id}`)
  await expect(page.getByLabel('Namespace')).toHaveValue('journeys')
  await expect(page.getByRole('button', { name: 'Update' })).toHaveCount(0)
})

test('deleting it takes its checks from the dashboard', async ({ as, api }) => {
  const check = (await checkNamed(await api('admin'), canary))!
  const page = await as('admin')
  await page.goto(`/settings/canaries/${check.canary_id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\/settings\/canaries$/)
  await expect(checkRow(page, canary)).toHaveCount(0)
  await expect.poll(async () => await checkNamed(await api('admin'), canary), { timeout: 15_000 }).toBeUndefined()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the dashboard and the settings pages have no accessibility violations (${colorScheme})`, async ({
    as,
    api,
    expectAccessible,
  }) => {
    // Six pages are looked through, which takes its time on a busy machine.
    test.setTimeout(240_000)
    const check = (await checkNamed(await api('admin'), flipping))!
    const page = await as('admin')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/health?hidePassing=false&layout=card')
    await expect(page.getByRole('button', { name: new RegExp(flipping) })).toBeVisible()
    await expectAccessible(page)
    await page.goto('/settings/canaries')
    await expect(checkRow(page, flipping)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add Health Check' }).first().click()
    const picker = dialog(page, 'Add Health Check')
    await expect(picker.getByRole('button', { name: 'HTTP', exact: true })).toBeVisible()
    await expectAccessible(page)
    await picker.getByRole('button', { name: 'Folder', exact: true }).click()
    await expect(dialog(page, 'Add Folder').getByLabel('Name').first()).toBeVisible()
    await expectAccessible(page)
    await page.goto(`/settings/canaries/${check.canary_id}`)
    await expect(page.getByRole('button', { name: 'Update' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Job History' }).click()
    await expect(page.getByRole('table', { name: 'Job history' })).toBeVisible()
    await expectAccessible(page)
  })
}
