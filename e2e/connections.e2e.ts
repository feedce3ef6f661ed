import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from './fixtures/test.ts'

const list = '/settings/connections'
const row = (page: Page, text: string) =>
  page.getByRole('table', { name: 'Connections' }).getByRole('row').filter({ hasText: text })
const told = (page: Page, text: string) => page.getByRole('region', { name: 'Notifications' }).getByText(text)
const results = (page: Page) => page.getByRole('dialog', { name: 'Test Connection Results' })

/** A connection of this journey alone. */
async function stored(api: APIRequestContext, values: Record<string, unknown>): Promise<string> {
  const answer = await api.post('/api/db/connections', { data: values, headers: { prefer: 'return=representation' } })
  expect(answer.status(), await answer.text()).toBe(201)
  return ((await answer.json()) as { id: string }[])[0]!.id
}
async function gone(api: APIRequestContext, name: string) {
  await api.patch(`/api/db/connections?name=eq.${name}&deleted_at=is.null`, { data: { deleted_at: 'now()' } })
}

test('[CONN-01] [CONN-02] [CONN-29] [CONN-31] a connection is added, tested, changed and deleted', async ({
  as,
  api,
  productUrl,
  expectAccessible,
}) => {
  test.slow()
  const name = 'journey-site'
  await gone(await api('admin'), name)
  const page = await as('admin')
  await page.goto(list)
  await expect(page.getByRole('heading', { level: 1, name: 'Connections' })).toBeVisible()
  await page.getByRole('button', { name: 'Add Connection' }).first().click()
  const picker = page.getByRole('dialog', { name: 'Add Connection' })
  await expect(picker.getByRole('button', { name: 'Postgres' })).toBeVisible()
  await expectAccessible(page)
  await picker.getByLabel('Search types of connections').fill('http')
  await picker.getByRole('button', { name: 'HTTP' }).click()

  const adding = page.getByRole('dialog', { name: /Add HTTP/ })
  await adding.getByRole('button', { name: 'Back' }).click()
  await expect(picker).toBeVisible()
  await picker.getByRole('button', { name: 'HTTP' }).click()
  await expect(adding.getByLabel('Namespace')).toHaveValue('default')
  await adding.getByRole('button', { name: 'Save' }).click()
  await expect(adding.getByText('This field is required').first()).toBeVisible()
  await adding.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await adding.getByRole('textbox', { name: 'URL' }).fill(`${productUrl}/healthz`)
  await adding.getByRole('textbox', { name: 'Password' }).fill('not-for-anybody')
  await expectAccessible(page)
  await adding.getByRole('button', { name: 'Save' }).click()
  await expect(told(page, 'Connection added successfully')).toBeVisible()
  await expect(adding).toBeHidden()
  await expect(row(page, name)).toContainText('HTTP')

  await row(page, name).click()
  const editing = page.getByRole('dialog', { name: new RegExp(name) })
  await expect(editing.getByRole('button', { name: 'Update' })).toBeVisible()
  await expect(editing.getByRole('button', { name: 'Replace Password' })).toBeVisible()
  await expect(page.locator('body')).not.toContainText('not-for-anybody')
  await editing.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(results(page)).toContainText('Connection successful')
  await expectAccessible(page)
  await results(page).getByRole('button', { name: 'Close' }).last().click()
  await expect(results(page)).toBeHidden()

  await editing.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:1/')
  await editing.getByRole('button', { name: 'Update' }).click()
  await expect(told(page, 'Connection updated successfully')).toBeVisible()
  await expect(editing).toBeHidden()
  await row(page, name).click()
  await editing.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(results(page)).toContainText('refused')
  await page.keyboard.press('Escape')
  await expect(results(page)).toBeHidden()

  await editing.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog', { name: `Delete ${name}?` })
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(told(page, 'Connection deleted successfully')).toBeVisible()
  await expect(editing).toBeHidden()
  await expect(row(page, name)).toHaveCount(0)
})

test('[CONN-32] a type that cannot be tested says so', async ({ as, api }) => {
  const admin = await api('admin')
  const id = await stored(admin, { name: `journey-ifttt-${Date.now()}`, type: 'ifttt', username: 'key' })
  const page = await as('admin')
  await page.goto(`${list}?id=${id}`)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(results(page)).toContainText('We currently do not support testing this connection type')
})

test('what is in use is not deleted, and says by what', async ({ as, api }) => {
  const admin = await api('admin')
  const name = `journey-used-${Date.now()}`
  const id = await stored(admin, { name, type: 'http', url: 'http://127.0.0.1:1/' })
  const canary = await admin.post('/api/db/canaries', {
    data: {
      name: `${name}-check`,
      namespace: 'default',
      spec: { schedule: '@every 12h', http: [{ name: 'x', connection: `connection://default/${name}` }] },
    },
    headers: { prefer: 'return=representation' },
  })
  expect(canary.status(), await canary.text()).toBe(201)
  const page = await as('admin')
  await page.goto(`${list}?id=${id}`)
  const editing = page.getByRole('dialog', { name: new RegExp(name) }).first()
  await expect(editing.getByRole('link', { name: `${name}-check` })).toBeVisible()
  await editing.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog', { name: `Delete ${name}?` })
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(told(page, `it is used by health check ${name}-check`)).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()

  const [made] = (await canary.json()) as { id: string }[]
  await admin.patch(`/api/db/canaries?id=eq.${made!.id}`, { data: { deleted_at: 'now()' } })
  await gone(admin, name)
})

test('two administrators edit one connection: the second is told and chooses', async ({
  as,
  api,
  expectAccessible,
}) => {
  test.slow()
  const admin = await api('admin')
  const name = `journey-shared-${Date.now()}`
  const id = await stored(admin, { name, type: 'redis', url: 'mine:6379', username: 'ann' })
  const page = await as('admin')
  await page.goto(`${list}?id=${id}`)
  const editing = page.getByRole('dialog', { name: new RegExp(`^${name}`) })
  const url = editing.getByRole('textbox', { name: 'URL' })
  await expect(url).toHaveValue('mine:6379')
  await admin.patch(`/api/db/connections?id=eq.${id}`, { data: { url: 'theirs:6379' } })
  await url.fill('second:6379')
  await editing.getByRole('button', { name: 'Update' }).click()
  const conflict = page.getByRole('dialog', { name: `Somebody else changed ${name}` })
  await expect(conflict).toContainText('theirs:6379')
  await expectAccessible(page)
  await conflict.getByRole('button', { name: 'Reload' }).click()
  await expect(conflict).toBeHidden()
  await expect(url).toHaveValue('theirs:6379')

  await admin.patch(`/api/db/connections?id=eq.${id}`, { data: { url: 'again:6379' } })
  await url.fill('second:6379')
  await editing.getByRole('button', { name: 'Update' }).click()
  await conflict.getByRole('button', { name: 'Overwrite theirs' }).click()
  await expect(told(page, 'Connection updated successfully')).toBeVisible()
  await expect(row(page, name)).toBeVisible()
  await gone(admin, name)
})

test('[RBAC-13] an editor is refused the page', async ({ as }) => {
  const page = await as('editor')
  await page.goto(list)
  await expect(page.getByRole('table', { name: 'Connections' })).toHaveCount(0)
  await expect(page.getByText(/unauthorized|not authorized|no access|permission/i).first()).toBeVisible()
})
