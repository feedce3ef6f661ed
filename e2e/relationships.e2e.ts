import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from './fixtures/test.ts'

const table = (page: Page) => page.getByRole('table', { name: 'Related catalog items' })
const node = (page: Page, name: string) => page.locator('[data-node]').filter({ hasText: name })

async function post(api: APIRequestContext, relation: string, data: object) {
  const answer = await api.post(`/api/db/${relation}`, { data })
  expect(answer.ok(), await answer.text()).toBe(true)
}

function item(name: string, kind: string, more: object = {}) {
  return {
    id: randomUUID(),
    type: `Rel::${kind}`,
    config_class: kind,
    name,
    config: { name },
    external_id: [randomUUID()],
    tags: { zone: 'a' },
    labels: {},
    health: 'healthy',
    status: 'Running',
    deleted_at: null,
    ...more,
  }
}

/** A space with a service in it, its four workers, a deleted one, and something loosely related. */
async function seed(api: APIRequestContext, name: string) {
  const space = item(`${name}-space`, 'Space')
  const service = item(`${name}-service`, 'Service')
  const workers = ['a', 'b', 'c', 'd'].map((letter, i) =>
    item(`${name}-worker-${letter}`, 'Worker', {
      labels: { tier: i < 2 ? 'front' : 'back' },
      ...(i === 0 && { health: 'unhealthy', status: 'Crashed' }),
      ...(i === 1 && { health: 'warning', status: 'Slow' }),
    }),
  )
  const gone = item(`${name}-gone`, 'Disk', { deleted_at: new Date().toISOString() })
  const dashboard = item(`${name}-dashboard`, 'Dashboard')
  await post(api, 'config_items', [space, service, ...workers, gone, dashboard])
  const link = (from: { id: string }, to: { id: string }, relation = 'hard') => ({
    config_id: from.id,
    related_id: to.id,
    relation,
  })
  await post(api, 'config_relationships', [
    link(space, service),
    ...workers.map((worker) => link(service, worker)),
    link(service, gone),
    link(service, dashboard, 'ShownBy'),
  ])
  return { service, space }
}

test('[REL-01] [REL-03] [REL-07] the table follows directions, softness, deletion and filters', async ({
  as,
  api,
  expectAccessible,
}) => {
  const name = `rel${Date.now()}`
  const { service, space } = await seed(await api('admin'), name)
  const page = await as('viewer')
  await page.goto(`/catalog/${service.id}/relationships`)
  await expect(table(page).getByText(`${name}-space`)).toBeVisible()
  await expect(table(page).getByText(`${name}-worker-d`)).toBeVisible()
  await expect(table(page).getByText(`${name}-gone`)).toHaveCount(0)
  await expect(table(page).getByText(`${name}-dashboard`)).toHaveCount(0)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Soft' }).click()
  await expect(table(page).getByText(`${name}-dashboard`)).toBeVisible()
  await page.getByRole('button', { name: 'Incoming' }).click()
  await expect(table(page).getByText(`${name}-worker-d`)).toBeVisible()
  await page.getByRole('switch', { name: 'Hide deleted' }).click()
  const last = table(page).getByRole('row').last()
  await expect(last).toContainText(`${name}-gone`)
  await expect(last).toContainText('deleted')

  await page.getByRole('button', { name: 'Labels' }).click()
  await page.getByRole('option', { name: 'tier: back' }).click()
  await page.keyboard.press('Escape')
  await expect(table(page).getByText(`${name}-worker-a`)).toHaveCount(0)
  await expect(table(page).getByText(`${name}-worker-c`)).toBeVisible()
  await expect(page).toHaveURL(/labels=tier__%3A__back/)

  await page.goto(`/catalog/${service.id}/relationships?health=unhealthy:1`)
  await expect(table(page).getByText(`${name}-worker-a`)).toBeVisible()
  await expect(table(page).getByText(`${name}-worker-b`)).toHaveCount(0)
  await page.goto(`/catalog/${service.id}/relationships?outgoing=false`)
  await table(page).getByText(`${name}-space`).click()
  await expect(page).toHaveURL(`/catalog/${space.id}`)
})

test('[REL-02] [REL-04] [REL-05] [REL-06] the graph groups, opens, colours, turns and bends', async ({
  as,
  api,
  expectAccessible,
}) => {
  const name = `relgraph${Date.now()}`
  const { service } = await seed(await api('admin'), name)
  const page = await as('viewer')
  await page.goto(`/catalog/${service.id}/relationships`)
  await page.getByRole('radio', { name: 'Graph' }).click()
  await expect(page).toHaveURL(/view=graph/)
  const group = page.getByRole('button', { name: 'Show 4 Rel::Worker' })
  await expect(group).toBeVisible()
  await expect(node(page, `${name}-space`)).toBeVisible()
  await expect(node(page, `${name}-worker-a`)).toHaveCount(0)
  await expectAccessible(page)
  await group.click()
  await expect(node(page, `${name}-worker-a`).locator('[data-health]')).toHaveClass(/border-bad/)
  await expect(node(page, `${name}-worker-b`).locator('[data-health]')).toHaveClass(/border-warn/)
  await expect(node(page, `${name}-worker-c`).locator('[data-health]')).not.toHaveClass(/border-(bad|warn)/)

  const place = async (text: string) => (await node(page, text).boundingBox())!
  const [left, right] = [await place(`${name}-space`), await place(`${name}-service`)]
  expect(right.x).toBeGreaterThan(left.x + left.width)
  await page.getByRole('radio', { name: 'Top to bottom' }).click()
  await expect
    .poll(async () => {
      const [above, below] = [await place(`${name}-space`), await place(`${name}-service`)]
      return below.y - above.y - above.height
    })
    .toBeGreaterThan(0)
  const curve = await page.locator('.react-flow__edge-path').first().getAttribute('d')
  await page.getByRole('radio', { name: 'Straight' }).click()
  await expect(page.locator('.react-flow__edge-path').first()).not.toHaveAttribute('d', curve!)

  await page.getByRole('button', { name: 'Hide 4 Rel::Worker' }).click()
  await expect(node(page, `${name}-worker-a`)).toHaveCount(0)
})

test('a thousand items open while the page stays usable', async ({ as, api }) => {
  test.slow()
  const name = `relbig${Date.now()}`
  const admin = await api('admin')
  const root = item(`${name}-root`, 'Cluster')
  const spaces = Array.from({ length: 20 }, (_, i) => item(`${name}-space-${i}`, 'Space'))
  const pods = spaces.flatMap((_, i) => Array.from({ length: 50 }, (__, j) => item(`${name}-pod-${i}-${j}`, 'Pod')))
  await post(admin, 'config_items', [root, ...spaces, ...pods])
  await post(admin, 'config_relationships', [
    ...spaces.map((space) => ({ config_id: root.id, related_id: space.id, relation: 'hard' })),
    ...pods.map((pod, i) => ({ config_id: spaces[Math.floor(i / 50)]!.id, related_id: pod.id, relation: 'hard' })),
  ])
  const page = await as('viewer')
  await page.goto(`/catalog/${root.id}/relationships?view=graph`)
  await expect(page.getByRole('button', { name: 'Show 20 Rel::Space' })).toBeVisible()
  // Processor time of the page's own thread, whatever else the machine does; the layout is worked out beside it.
  const metrics = await page.context().newCDPSession(page)
  await metrics.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busy = async () => {
    const { metrics: all } = await metrics.send('Performance.getMetrics')
    return all.find(({ name: metric }) => metric === 'TaskDuration')!.value * 1000
  }
  const before = await busy()
  await page.getByRole('button', { name: 'Expand all' }).click()
  await expect(node(page, `${name}-space-`).first()).toBeAttached({ timeout: 60_000 })
  expect((await busy()) - before).toBeLessThan(3000)
  expect(await page.locator('[data-node]').count()).toBeLessThan(400)
})
