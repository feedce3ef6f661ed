import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from './fixtures/test.ts'

const table = (page: Page) => page.getByRole('table', { name: 'Insights' })

/** Items with findings, and a component that one of them is linked with; under a name of its own per run. */
async function seed(api: APIRequestContext, name: string) {
  const item = (kind: string) => ({
    id: randomUUID(),
    type: `E2E::${kind}`,
    config_class: kind,
    name: `${name}-${kind.toLowerCase()}`,
    config: { name },
    external_id: [`${name}/${kind}`],
  })
  const [server, volume] = [item('Server'), item('Volume')]
  const insight = (config: { id: string }, at: number, more: object) => ({
    id: randomUUID(),
    config_id: config.id,
    source: 'scanner',
    analysis_type: 'security',
    severity: 'critical',
    status: 'open',
    message: '<p>Port <b>22</b> is open to <em>everybody</em></p><script>document.title = "taken"</script>',
    analysis: { rule: { id: `${name}-rule` } },
    first_observed: new Date(Date.now() - at * 3_600_000).toISOString(),
    last_observed: new Date().toISOString(),
    ...more,
  })
  const made = await api.post('/api/db/config_items', { data: [server, volume] })
  expect(made.ok(), await made.text()).toBe(true)
  const findings = [
    insight(server, 1, { analyzer: `${name}-open-port` }),
    insight(server, 2, { analyzer: `${name}-old-image`, severity: 'low', status: 'resolved' }),
    insight(volume, 3, {
      analyzer: `${name}-idle`,
      analysis_type: 'cost',
      severity: 'medium',
      message: 'x'.repeat(900),
    }),
  ]
  const stored = await api.post('/api/db/config_analysis', { data: findings })
  expect(stored.ok(), await stored.text()).toBe(true)
  const component = { id: randomUUID(), name: `${name}-app`, external_id: name, type: 'Application', status: 'healthy' }
  const componentMade = await api.post('/api/db/components', { data: component })
  expect(componentMade.ok(), await componentMade.text()).toBe(true)
  const linked = await api.post('/api/db/config_component_relationships', {
    data: { component_id: component.id, config_id: volume.id, selector_id: 'manual' },
  })
  expect(linked.ok(), await linked.text()).toBe(true)
  return { server, volume, component, findings }
}

test('[INS-01] [INS-02] [INS-04] the catalog lists insights, and filters stand in the address', async ({
  as,
  api,
  expectAccessible,
}) => {
  const name = `ins${Date.now()}`
  await seed(await api('admin'), name)
  const page = await as('viewer')
  await page.goto(`/catalog/insights?analyzer=${name}-idle`)
  await expect(page.getByRole('heading', { level: 1, name: 'Insights' })).toBeVisible()
  const row = table(page)
    .getByRole('row')
    .filter({ hasText: `${name}-idle` })
  await expect(row).toContainText('Medium')
  await expect(row.getByText(/^x{499}…$/)).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: /^Analyzer/ }).click()
  await page.getByRole('button', { name: 'Clear Analyzer' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Config type' }).click()
  await page.getByRole('option', { name: 'E2E::Server' }).click()
  await expect(page).toHaveURL(/configType=E2E%3A%3AServer/)
  await expect(table(page).getByText(`${name}-open-port`)).toBeVisible()
  await expect(table(page).getByText(`${name}-idle`)).toHaveCount(0)
  // The chosen type goes along to the other lists of the catalog.
  await expect(page.getByRole('link', { name: 'Changes', exact: true })).toHaveAttribute(
    'href',
    '/catalog/changes?configType=E2E%3A%3AServer',
  )
})

test('[INS-10] [INS-11] an insight shows its message without what could act in it', async ({
  as,
  api,
  expectAccessible,
}) => {
  const name = `insdetail${Date.now()}`
  const { server } = await seed(await api('admin'), name)
  const page = await as('viewer')
  await page.goto(`/catalog/insights?analyzer=${name}-open-port`)
  await table(page).getByText(`${name}-open-port`).click()
  const dialog = page.getByRole('dialog', { name: `${name}-open-port` })
  await expect(dialog.getByText('22', { exact: true })).toBeVisible()
  await expect(dialog.getByText(`"${name}-rule"`)).toBeVisible()
  await expect(dialog.locator('script')).toHaveCount(0)
  await expect(page).not.toHaveTitle('taken')
  await expectAccessible(page)
  // The address opens the same details again.
  await page.reload()
  await expect(dialog.locator(`a[href="/catalog/${server.id}"]`)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).not.toHaveURL(/insight=/)
})

test('[INS-06] [INS-07] a link from the topology shows the insights of a component', async ({ as, api }) => {
  const name = `inscomp${Date.now()}`
  const { component, volume } = await seed(await api('admin'), name)
  const page = await as('viewer')
  await page.goto(`/catalog/insights?component=${component.id}&type=cost`)
  await expect(page.getByRole('button', { name: new RegExp(`Component.*${component.name}`) })).toBeVisible()
  await expect(table(page).getByText(`${name}-idle`)).toBeVisible()
  await expect(table(page).locator(`a[href="/catalog/${volume.id}"]`)).toBeVisible()
  await expect(table(page).getByText(`${name}-open-port`)).toHaveCount(0)
  await page.goto(`/catalog/insights?component=${component.id}&type=security`)
  await expect(page.getByText('No insight matches these filters')).toBeVisible()
})

test('[INS-12] the page of an item has its own insights', async ({ as, api, expectAccessible }) => {
  const name = `insitem${Date.now()}`
  const { server } = await seed(await api('admin'), name)
  const page = await as('viewer')
  await page.goto(`/catalog/${server.id}/insights`)
  await expect(table(page).getByText(`${name}-open-port`)).toBeVisible()
  await expect(table(page).getByText(`${name}-old-image`)).toBeVisible()
  await expect(table(page).getByText(`${name}-idle`)).toHaveCount(0)
  await page.getByRole('button', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Resolved' }).click()
  await expect(table(page).getByText(`${name}-open-port`)).toHaveCount(0)
  await expectAccessible(page)
})
