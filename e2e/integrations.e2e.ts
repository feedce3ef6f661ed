import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from './fixtures/test.ts'

const list = (page: Page) => page.getByRole('table', { name: 'Integrations' })
const row = (page: Page, name: string) => list(page).getByRole('row').filter({ hasText: name })
const told = (page: Page, text: string) => page.getByRole('region', { name: 'Notifications' }).getByText(text)
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

/** Types into the editor of a spec. */
async function writeSpec(page: Page, text: string) {
  const editor = page.getByRole('textbox', { name: 'Spec' })
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await editor.pressSequentially(text)
}

async function remove(api: APIRequestContext, table: string, name: string) {
  await api.patch(`/api/db/${table}?name=eq.${encodeURIComponent(name)}`, { data: { deleted_at: 'now()' } })
}

test('[INTEG-01] [INTEG-02] [INTEG-04] a topology is added directly, listed, changed, and deleted after the page said what uses it', async ({
  as,
  api,
  expectAccessible,
}) => {
  const name = `shop-${Date.now()}`
  const admin = await api('admin')
  const page = await as('editor')
  await page.goto('/settings/integrations')
  await page.getByRole('button', { name: 'Add Integration' }).first().click()
  await expect(dialog(page, 'Add Integration')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Custom Topology' }).click()
  const form = dialog(page, 'Add Topology')
  await expect(form.getByLabel('Namespace')).toHaveValue('default')
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
  await form.getByLabel('Name', { exact: false }).first().fill(name)
  await writeSpec(page, '{components: [{name: gateway}]}')
  await expect(form.getByRole('button', { name: 'Save' })).toBeEnabled()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(told(page, `${name} added successfully`)).toBeVisible()
  await expect(form).toBeHidden()
  await expect(row(page, name)).toContainText('Topology')

  await row(page, name).click()
  await expect(page.getByRole('tab', { name: 'Spec' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.getByRole('tab', { name: 'Job History' }).click()
  await expect(page.getByRole('table', { name: 'Job history' })).toBeVisible()
  await page.getByRole('tab', { name: 'Spec' }).click()
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page).toHaveURL('/settings/integrations')

  const [stored] = (await (await admin.get(`/api/db/topologies?name=eq.${name}`)).json()) as [{ id: string }]
  await admin.post('/api/db/components', {
    data: { name: `${name}-gateway`, topology_id: stored.id, external_id: name, type: 'Group', status: 'healthy' },
  })
  await row(page, name).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(`1 component: ${name}-gateway`)
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL('/settings/integrations')
  await expect(told(page, `${name} deleted successfully`)).toBeVisible()
  await expect(row(page, name)).toHaveCount(0)
})

test('[INTEG-05] [INTEG-07] [INTEG-08] [INTEG-09] [INTEG-10] [INTEG-11] a chart of the registry becomes valid texts for Flux and Helm', async ({
  as,
  expectAccessible,
}) => {
  const page = await as('admin')
  await page.goto('/settings/integrations')
  await page.getByRole('button', { name: 'Add Integration' }).first().click()
  await page.getByRole('button', { name: 'AWS' }).click()
  const form = dialog(page, 'Add AWS')
  await expect(form.getByText('Scrapes AWS')).toBeVisible()
  await expect(form.getByRole('note')).toContainText(
    'You will need to have Kubernetes chart installed in flux to use this option',
  )
  await form.getByLabel('Name', { exact: false }).first().fill('true')
  const values = page.getByRole('textbox', { name: 'Values' })
  await values.click()
  await values.pressSequentially('region: eu-west-1')
  const preview = form.getByText('kind: HelmRelease')
  await expect(preview).toContainText('eu-west-1')
  await expectAccessible(page)
  // A name that YAML would take for something else is quoted.
  await expect(preview).toContainText('name: "true"')
  await expect(preview).toContainText('version: 0.1.9')
  await form.getByRole('tab', { name: 'Helm CLI' }).click()
  await expect(form.getByText('helm upgrade --install true flanksource/mission-control-aws')).toBeVisible()

  await form.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('alertdialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Discard' }).click()
  await expect(form).toBeHidden()
  await page.getByRole('button', { name: 'Azure' }).click()
  const missing = dialog(page, 'Add Azure')
  await expect(missing.getByText(/The registry of charts at 127\.0\.0\.1:\d+ answered 404/)).toBeVisible()
  await expect(missing.getByText('kind: HelmRelease')).toBeVisible()
  await missing.getByRole('button', { name: 'Done' }).click()
  await expect(missing).toBeHidden()
})

test('[INTEG-03] [INTEG-12] log backends are listed by their type, and a type that is none says so', async ({
  as,
  api,
}) => {
  const name = `files-${Date.now()}`
  const admin = await api('admin')
  const made = await admin.post('/api/db/logging_backends', {
    data: { name, spec: { backends: [{ file: { path: ['/var/log/*.log'] } }] }, source: 'UI' },
    headers: { prefer: 'return=representation' },
  })
  expect(made.status()).toBe(201)
  const page = await as('admin')
  await page.goto('/settings/integrations?type=logging_backends')
  await row(page, name).click()
  await expect(page).toHaveURL(/\/settings\/integrations\/logging_backends\//)
  await expect(page.getByLabel('Name', { exact: false }).first()).toHaveValue(name)
  await page.goto('/settings/integrations/webhooks/0190aaaa-0000-7000-8000-000000000001')
  await expect(page.getByText('Unknown type')).toBeVisible()
  await remove(admin, 'logging_backends', name)
})

test('[RBAC-16] who may not write integrations reads the list, and gets no page of one', async ({ as, api }) => {
  const page = await as('responder')
  await page.goto('/settings/integrations')
  await expect(list(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add Integration' })).toHaveCount(0)
  await page.goto('/settings/integrations/topologies/0190aaaa-0000-7000-8000-000000000001')
  await expect(page.getByText('Unauthorized')).toBeVisible()
  const responder = await api('responder')
  const refused = await responder.post('/api/db/topologies', { data: { name: 'x', namespace: 'y', spec: {} } })
  expect(refused.status()).toBe(403)
})
