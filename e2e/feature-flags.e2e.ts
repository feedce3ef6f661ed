import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from './fixtures/test.ts'

// Flags act on everybody, so these journeys have a product of their own, and run one after the other.
test.use({ ownProduct: true })
test.describe.configure({ mode: 'serial' })

const remove = (api: APIRequestContext, name: string) => api.delete(`/api/db/properties?name=eq.${name}`)

const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Feature flags' }).getByRole('row').filter({ hasText: name })
/** Picks a known name, or makes one of one's own. */
async function chooseName(page: Page, name: string) {
  await page.getByRole('dialog').getByRole('button', { name: /^Name/ }).click()
  await page.getByRole('combobox', { name: /^Search/ }).fill(name)
  await page.getByRole('option', { name }).click()
}

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })

test('[FFLAG-01] [FFLAG-03] [FFLAG-04] [FFLAG-05] [FFLAG-06] an administrator adds, changes and removes a flag', async ({
  as,
  api,
}) => {
  await remove(await api('admin'), 'incidents.disable')
  const page = await as('admin')
  await page.goto('/settings/feature-flags')
  await expect(page.getByRole('heading', { level: 1, name: 'Feature Flags' })).toBeVisible()

  await page.getByRole('button', { name: 'Add flag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add feature flag' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('please provide all details')
  await chooseName(page, 'incidents.disable')
  await dialog.getByLabel('Value').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('please provide all details')
  await dialog.getByLabel('Value').fill('false')

  const created = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().includes('/api/db/properties'),
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  const me = (await (await (await api('admin')).get('/api/auth/whoami')).json()) as {
    payload: { user: { id: string } }
  }
  expect((await created).postDataJSON()).toEqual({
    name: 'incidents.disable',
    value: 'false',
    created_by: me.payload.user.id,
  })
  await expect(page.getByRole('status').getByText('Feature flag added successfully')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(row(page, 'incidents.disable')).toContainText('false')
  await expect(menu(page).getByRole('link', { name: 'Incidents' })).toBeVisible()

  const looked = page.waitForRequest(
    (request) => request.method() === 'GET' && request.url().includes('name=eq.incidents.disable'),
  )
  await row(page, 'incidents.disable').click()
  expect(new URL((await looked).url()).searchParams.get('value')).toBe('eq.false')
  const edit = page.getByRole('dialog', { name: 'Edit feature flag' })
  await expect(edit.getByLabel('Name')).toHaveAttribute('readonly')
  await edit.getByLabel('Value').fill('true')
  const changed = page.waitForRequest((request) => request.method() === 'PATCH')
  await edit.getByRole('button', { name: 'Update' }).click()
  expect(new URL((await changed).url()).searchParams.get('name')).toBe('eq.incidents.disable')
  expect((await changed).postDataJSON()).toMatchObject({ value: 'true', created_by: me.payload.user.id })
  await expect(page.getByText('Feature flag updated successfully')).toBeVisible()
  await expect(menu(page).getByRole('link', { name: 'Incidents' })).toHaveCount(0)

  await row(page, 'incidents.disable').click()
  await edit.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Feature flag removed successfully')).toBeVisible()
  await expect(row(page, 'incidents.disable')).toHaveCount(0)
  await expect(menu(page).getByRole('link', { name: 'Incidents' })).toBeVisible()
})

test('[FLAG-01] [FLAG-03] [SHELL-14] a flag takes pages, menu items and dependents away for everybody, at once', async ({
  as,
  api,
}) => {
  const admin = await api('admin')
  const page = await as('editor')
  const streamOpened = page.waitForResponse((answer) => answer.url().includes('/api/events'))
  await page.goto('/health')
  await expect(menu(page).getByRole('link', { name: 'Health' })).toBeVisible()
  await streamOpened

  await admin.post('/api/db/properties', { data: { name: 'health.disable', value: 'true' } })
  // The change arrives by itself: nobody touched this page.
  await expect(page.getByText('Health is switched off')).toBeVisible()
  await expect(menu(page).getByRole('link', { name: 'Health', exact: true })).toHaveCount(0)
  await menu(page).getByRole('button', { name: 'Settings' }).click()
  await expect(menu(page).getByRole('link', { name: 'Agents' })).toBeVisible()
  await expect(menu(page).getByRole('link', { name: 'Health Checks' })).toHaveCount(0)
  await expect(menu(page).getByRole('link', { name: 'Jobs History' })).toHaveCount(0)
  await page.goto('/settings/canaries')
  await expect(page.getByText('Health Checks is switched off')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('health')
  await expect(page.getByRole('option', { name: /^Health/ })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await remove(admin, 'health.disable')
  await expect(page.getByText('Health Checks is switched off')).toHaveCount(0)
})

test('[SHELL-01] the start page moves on when the dashboard is switched off', async ({ as, api }) => {
  const admin = await api('admin')
  const page = await as('viewer')
  await page.goto('/')
  await expect(page).toHaveURL('/topology')
  await admin.post('/api/db/properties', { data: { name: 'topology.disable', value: 'true' } })
  await page.goto('/')
  await expect(page).toHaveURL('/health')
  await remove(admin, 'topology.disable')
})

test('[FFLAG-02] a flag of the server’s own file cannot be edited', async ({ as }) => {
  const page = await as('admin')
  await page.route('**/api/properties', (route) =>
    route.fulfill({ json: [{ name: 'log.level', value: 'info', source: 'local', type: '', description: '' }] }),
  )
  await page.goto('/settings/feature-flags')
  await row(page, 'log.level').click()
  await expect(page.getByRole('alert').getByText('Cannot edit local feature flags')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('[RBAC-13] [API-06] who may not write gets no buttons, and a refused write is told once', async ({ as }) => {
  const viewer = await as('responder')
  await viewer.goto('/settings/feature-flags')
  await expect(viewer.getByText('No feature flags')).toBeVisible()
  await expect(viewer.getByRole('button', { name: 'Add flag' })).toHaveCount(0)

  const page = await as('editor')
  await page.goto('/settings/feature-flags')
  await page.route('**/api/db/properties', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 409,
          json: { code: '23505', message: 'This name is taken', details: null, hint: null },
        })
      : route.continue(),
  )
  await page.getByRole('button', { name: 'Add flag' }).click()
  await chooseName(page, 'a.name.of.my.own')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText('This name is taken')).toHaveCount(1)
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.getByText('Feature flag added successfully')).toHaveCount(0)
})

test('[SHELL-27] news appears at the top right and goes after five seconds', async ({ as }) => {
  const page = await as('admin')
  await page.route('**/api/properties', (route) =>
    route.fulfill({ json: [{ name: 'log.level', value: 'info', source: 'local', type: '', description: '' }] }),
  )
  await page.goto('/settings/feature-flags')
  await row(page, 'log.level').click()
  const toast = page.getByRole('alert')
  await expect(toast).toBeVisible()
  const shown = Date.now()
  const box = (await toast.boundingBox())!
  const { width } = page.viewportSize()!
  expect(box.y).toBeLessThan(80)
  expect(width - (box.x + box.width)).toBeLessThan(40)
  await expect(toast).toHaveCount(0, { timeout: 8_000 })
  expect(Date.now() - shown).toBeGreaterThan(4_000)
})

test('[ERR-19] a list that cannot be loaded says why and offers another try', async ({ as, expectAccessible }) => {
  const page = await as('admin')
  let broken = false
  await page.route('**/api/properties', (route) =>
    broken ? route.fulfill({ status: 500, json: { message: 'The database is away' } }) : route.continue(),
  )
  await page.goto('/health')
  await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible()
  broken = true
  await menu(page).getByRole('button', { name: 'Settings' }).click()
  await menu(page).getByRole('link', { name: 'Feature Flags' }).click()
  await expect(page.getByText('The database is away').first()).toBeVisible()
  await expectAccessible(page)
  broken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table', { name: 'Feature flags' })).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the page and its dialog have no accessibility violations (${colorScheme})`, async ({
    as,
    expectAccessible,
  }) => {
    const page = await as('admin')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.route('**/api/properties', (route) =>
      route.fulfill({
        json: ['a.disable', 'incidents.disable', 'log.level'].map((name, at) => ({
          name,
          value: 'true',
          source: at === 2 ? 'local' : 'db',
          type: '',
          description: '',
        })),
      }),
    )
    await page.goto('/settings/feature-flags')
    await expect(row(page, 'log.level')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add flag' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
  })
}
