import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/test.ts'

const table = (page: Page, name: string) => page.getByRole('table', { name })
const told = (page: Page, text: string | RegExp) => page.getByRole('region', { name: 'Notifications' }).getByText(text)

/** Prints two racks as JSON; the second has changed when asked so. */
const script = (units: number) =>
  `echo '[{"id":"rack-1","label":"Rack one","units":42},{"id":"rack-2","label":"Rack two","units":${units}}]'`

async function writeScript(page: Page, text: string) {
  const editor = page.getByRole('textbox', { name: 'Script' }).first()
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

test('[SCR-01] [SCR-02] [SCR-10] a scraper is made with a form, tried, saved, run, tried again and deleted', async ({
  as,
  api,
  expectAccessible,
}) => {
  test.slow()
  const name = `racks-${Date.now()}`
  const type = `Rack${Date.now()}::Unit`
  const page = await as('editor')
  await page.goto('/catalog/scrapers')
  await page.getByRole('button', { name: 'Add Catalog Scraper' }).click()
  const picker = page.getByRole('dialog', { name: 'Add Catalog Scraper' })
  await expect(picker.getByRole('button', { name: 'Kubernetes', exact: true })).toBeVisible()
  await expectAccessible(page)
  await picker.getByRole('button', { name: 'Script' }).click()

  const dialog = page.getByRole('dialog', { name: 'Add Script Scraper' })
  await expect(dialog.getByLabel(/^Timeout/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('This field is required').first()).toBeVisible()
  await dialog.getByLabel(/^Name/).first().fill(name)
  await writeScript(page, script(7))
  await dialog.getByLabel(/^Type/).fill(type)
  await dialog.getByLabel(/^ID/).fill('$.id')
  await dialog.getByLabel(/^Name/).nth(1).fill('$.label')
  await dialog.getByRole('button', { name: 'Try it' }).click()
  const tried = dialog.getByRole('region', { name: 'Try it' })
  await expect(tried.getByRole('status')).toContainText('2 would be created', { timeout: 30_000 })
  await expect(tried.getByRole('article', { name: 'Rack one' })).toBeVisible()
  await expectAccessible(page)
  const nothing = await (await (await api('admin')).get(`/api/db/configs?type=eq.${encodeURIComponent(type)}`)).json()
  expect(nothing).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(told(page, `${name} added successfully`)).toBeVisible()
  await expect(dialog).toBeHidden()

  await table(page, 'Catalog Scrapers').getByText(name).click()
  await expect(page).toHaveURL(/\/catalog\/scrapers\/[\da-f-]{36}$/)
  await expect(page.getByRole('tab')).toHaveText(['Spec', 'Job History'])
  await page.getByRole('button', { name: 'Run now' }).click()
  await expect(told(page, /2 items added|2 unchanged/).first()).toBeVisible({ timeout: 30_000 })
  const stored = await (await (await api('admin')).get(`/api/db/configs?type=eq.${encodeURIComponent(type)}`)).json()
  expect(stored).toHaveLength(2)

  await expect(page.getByLabel(/^Type/)).toHaveValue(type)
  await writeScript(page, script(8))
  await page.getByRole('button', { name: 'Try it' }).click()
  const again = page.getByRole('region', { name: 'Try it' })
  await expect(again.getByRole('status')).toContainText('1 would change', { timeout: 30_000 })
  await expect(again.getByRole('status')).toContainText('1 unchanged')
  const changed = again.getByRole('article', { name: 'Rack two' })
  await changed.getByRole('button', { name: 'Show' }).click()
  await expect(changed.getByText(/^\+.*8/)).toBeVisible()

  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page).toHaveURL('/catalog/scrapers')
  await table(page, 'Catalog Scrapers').getByText(name).click()
  await page.getByRole('tab', { name: 'Job History' }).click()
  await expect(table(page, 'Job history').getByText('Success').first()).toBeVisible()
  await page.getByRole('tab', { name: 'Spec' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL('/catalog/scrapers')
  await expect(table(page, 'Catalog Scrapers').getByText(name)).toHaveCount(0)
})

test('[SETG-10] a scraper of settings: form and YAML are two views of one spec', async ({ as, expectAccessible }) => {
  const page = await as('editor')
  await page.goto('/settings/config_scrapers')
  await page.getByRole('button', { name: 'Add Catalog Scraper' }).click()
  await page.getByRole('button', { name: 'Kubernetes', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Kubernetes Scraper' })
  await dialog.getByLabel('Cluster Name').fill('prod')
  await expect(dialog.getByLabel('Max in flight')).toHaveValue('64')
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: 'YAML' }).click()
  await expect(dialog.getByText('clusterName: prod')).toBeVisible()
  await expect(dialog.getByText('schedule: "@every 30m"').or(dialog.getByText("schedule: '@every 30m'"))).toBeVisible()
  await dialog.getByRole('radio', { name: 'Form' }).click()
  await expect(dialog.getByLabel('Cluster Name')).toHaveValue('prod')
  await dialog.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('alertdialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('dialog', { name: 'Add Catalog Scraper' })).toBeVisible()
})

test('a scrape that fails says why, in the try and in the run', async ({ as, api }) => {
  test.slow()
  const admin = await api('admin')
  const name = `broken-${Date.now()}`
  const made = await admin.post('/api/db/config_scrapers', {
    data: {
      name,
      source: 'UI',
      spec: { schedule: '@never', exec: [{ script: 'echo away >&2; exit 3', type: 'A::B', id: '$.id' }] },
    },
    headers: { prefer: 'return=representation' },
  })
  expect(made.ok(), await made.text()).toBe(true)
  const [{ id }] = (await made.json()) as [{ id: string }]
  const page = await as('editor')
  await page.goto(`/settings/config_scrapers/${id}`)
  await page.getByRole('button', { name: 'Try it' }).click()
  await expect(page.getByRole('region', { name: 'Try it' }).getByRole('alert')).toContainText('away', {
    timeout: 30_000,
  })
  await page.getByRole('button', { name: 'Run now' }).click()
  await expect(told(page, new RegExp(`${name} failed`))).toBeVisible({ timeout: 30_000 })
  await admin.patch(`/api/db/config_scrapers?id=eq.${id}`, { data: { deleted_at: 'now()' } })
})

test('who may only read sees scrapers without buttons', async ({ as, api }) => {
  const admin = await api('admin')
  const name = `seen-${Date.now()}`
  const made = await admin.post('/api/db/config_scrapers', {
    data: { name, source: 'UI', spec: { schedule: '@never', custom: [] } },
    headers: { prefer: 'return=representation' },
  })
  const [{ id }] = (await made.json()) as [{ id: string }]
  const page = await as('viewer')
  await page.goto('/catalog/scrapers')
  await expect(table(page, 'Catalog Scrapers').getByText(name)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add Catalog Scraper' })).toHaveCount(0)
  await page.goto(`/catalog/scrapers/${id}`)
  await expect(page.getByRole('tab', { name: 'Spec' })).toBeVisible()
  for (const button of ['Run now', 'Try it', 'Update', 'Delete'])
    await expect(page.getByRole('button', { name: button })).toHaveCount(0)
  await admin.patch(`/api/db/config_scrapers?id=eq.${id}`, { data: { deleted_at: 'now()' } })
})
