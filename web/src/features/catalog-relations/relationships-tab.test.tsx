import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { fakeServer } from '@/testing/fake-server.ts'
import { As, renderRoutes } from '@/testing/render.tsx'
import type { RelatedConfig } from './related-config.ts'
import type { ItemNode, TypeNode } from './relation-graph.ts'
import { RelationNodeView } from './relation-node.tsx'
import { ConfigRelationshipsTab } from './relationships-tab.tsx'

// Whole pages on a busy machine.
configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 40_000 })

const base: RelatedConfig = {
  id: 'd1',
  name: 'web',
  type: 'Kubernetes::Deployment',
  related_ids: ['p1', 'p2'],
  tags: { namespace: 'shop' },
  changes: [{ change_type: 'diff', severity: null, total: 4 }],
  analysis: null,
  cost_total_30d: null,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: null,
  health: 'healthy',
  status: 'Running',
}
const rows: RelatedConfig[] = [
  base,
  {
    ...base,
    id: 'p1',
    name: 'web-1',
    type: 'Kubernetes::Pod',
    related_ids: null,
    health: 'unhealthy',
    status: 'Error',
  },
  { ...base, id: 'p2', name: 'web-2', type: 'Kubernetes::Pod', related_ids: null },
  { ...base, id: 'n1', name: 'shop-space', type: 'Kubernetes::Namespace', related_ids: ['d1'] },
]
const walk = '/api/db/rpc/related_configs_recursive'

function show(at = '/catalog/d1/relationships', more: Record<string, object> = {}) {
  const server = fakeServer({
    [`GET ${walk}`]: rows,
    'GET /api/db/configs': ({ query }: { query: URLSearchParams }) =>
      query.get('id') === 'eq.d1'
        ? [base]
        : [
            { id: 'p1', labels: { app: 'web' }, deleted_at: '2026-02-01T00:00:00Z' },
            { id: 'p2', labels: { app: 'db' }, deleted_at: null },
          ],
    'GET /api/db/rpc/config_relationships_recursive': [
      { id: 'd1', related_id: 'p1', relation_type: 'hard' },
      { id: 'd1', related_id: 'p2', relation_type: 'DeploymentPod' },
      { id: 'n1', related_id: 'd1', relation_type: 'hard' },
    ],
    'GET /api/db/config_types': [{ type: 'Kubernetes::Pod' }],
    'GET /api/db/config_statuses': [{ status: 'Running' }],
    ...more,
  })
  const view = renderRoutes(
    [
      {
        path: '/catalog/:id/relationships',
        element: (
          <As roles={['viewer']}>
            <ConfigRelationshipsTab configId="d1" />
          </As>
        ),
      },
      { path: '*', element: <p>elsewhere</p> },
    ],
    at,
  )
  const last = () => Object.fromEntries(server.calls.filter((call) => call.path === walk).at(-1)!.query)
  return { server, last, ...view }
}

describe('the table', () => {
  test('[REL-10] [REL-11] the call, and a row per related item', async () => {
    const { last, here } = show()
    const table = within(await screen.findByRole('table', { name: 'Related catalog items' }))
    const row = (await table.findByText('shop-space')).closest('tr')!
    expect(table.queryByText('Kubernetes::Deployment')).toBeNull()
    expect(within(row).getByText('Incoming')).toBeTruthy()
    expect(last()).toEqual({
      config_id: 'd1',
      include_deleted_configs: 'false',
      max_depth: '10',
      type_filter: 'all',
      incoming_relation: 'hard',
      outgoing_relation: 'hard',
    })
    await userEvent.click(table.getByText('shop-space'))
    await waitFor(() => expect(here()).toBe('/catalog/n1'))
  })

  test('[REL-01] toggles of direction and softness', async () => {
    const { last, here } = show()
    const directions = within(screen.getByRole('group', { name: 'Directions' }))
    await userEvent.click(directions.getByRole('button', { name: 'Incoming' }))
    await waitFor(() => expect(last()).toMatchObject({ type_filter: 'outgoing', outgoing_relation: 'hard' }))
    expect(last().incoming_relation).toBeUndefined()
    await userEvent.click(directions.getByRole('button', { name: 'Soft' }))
    await waitFor(() => expect(last()).toMatchObject({ outgoing_relation: 'both' }))
    await userEvent.click(directions.getByRole('button', { name: 'Outgoing' }))
    await waitFor(() => expect(last()).toMatchObject({ type_filter: 'incoming', incoming_relation: 'both' }))
    expect(new URL(here(), 'http://x').searchParams.get('outgoing')).toBe('false')
  })

  test('[REL-03] every filter, from the address to the question', async () => {
    const { last, server } = show(
      '/catalog/d1/relationships?configTypes=Kubernetes__Pod:1&status=Running:-1&health=unhealthy:1',
    )
    const bar = within(screen.getByRole('search'))
    for (const name of [/^Config type/, 'Labels', 'Relationship', /^Status/, /^Health/])
      expect(bar.getByRole('button', { name })).toBeTruthy()
    await screen.findByText('web-1')
    expect(last()).toMatchObject({
      'type.filter': 'Kubernetes::Pod',
      'status.filter': '!Running',
      'health.filter': 'unhealthy',
    })
    expect(server.asked('config_relationships_recursive')).toEqual([])
  })

  test('[REL-03] labels narrow to items that carry them', async () => {
    const { here } = show()
    await screen.findByText('web-1')
    await userEvent.click(screen.getByRole('button', { name: 'Labels' }))
    await userEvent.click(await screen.findByRole('option', { name: 'app: web' }))
    await waitFor(() => expect(screen.queryByText('web-2')).toBeNull())
    expect(screen.getByText('web-1')).toBeTruthy()
    expect(here()).toContain('labels=app__%3A__web')
  })

  test('[REL-03] relationships narrow to items on their edges', async () => {
    show('/catalog/d1/relationships?soft=true')
    await screen.findByText('web-1')
    await userEvent.click(screen.getByRole('button', { name: 'Relationship' }))
    await userEvent.click(await screen.findByRole('option', { name: /DeploymentPod/ }))
    await waitFor(() => expect(screen.queryByText('web-1')).toBeNull())
    expect(screen.getByText('web-2')).toBeTruthy()
  })

  test('[REL-07] deleted items are hidden until asked for, then marked and last', async () => {
    const { last } = show()
    const table = within(await screen.findByRole('table', { name: 'Related catalog items' }))
    await table.findByText('web-1')
    expect(table.queryByText('deleted')).toBeNull()
    await userEvent.click(screen.getByRole('switch', { name: 'Hide deleted' }))
    await waitFor(() => expect(last().include_deleted_configs).toBe('true'))
    const mark = await table.findByText('deleted')
    const lines = table.getAllByRole('row')
    expect(lines.indexOf(mark.closest('tr')!)).toBe(lines.length - 1)
  })

  test('an item that is gone', async () => {
    show(undefined, { 'GET /api/db/configs': [] })
    expect(await screen.findByText('Details not found')).toBeTruthy()
  })
})

test('[REL-02] the view is switched and stands in the address', async () => {
  const { here } = show()
  await screen.findByText('web-1')
  await userEvent.click(screen.getByRole('radio', { name: 'Graph' }))
  await waitFor(() => expect(here()).toContain('view=graph'))
  expect(screen.queryByRole('table')).toBeNull()
  await userEvent.click(screen.getByRole('radio', { name: 'Table' }))
  expect(await screen.findByRole('table', { name: 'Related catalog items' })).toBeTruthy()
})

describe('[REL-06] nodes', () => {
  const size = { width: 1, height: 1 }
  const node = (change: Partial<RelatedConfig>): ItemNode => ({
    kind: 'item',
    id: 'x',
    item: { ...base, ...change },
    ...size,
  })
  const draw = (each: ItemNode | TypeNode, onToggle = vi.fn()) => {
    const view = renderRoutes([{ path: '/', element: <RelationNodeView node={each} onToggle={onToggle} /> }])
    return { onToggle, box: view.container.querySelector('[data-health]')!, ...view }
  }

  test('red when unhealthy, orange when warning, grey when deleted', () => {
    expect(draw(node({ health: 'unhealthy' })).box.className).toContain('border-bad')
    expect(draw(node({ health: 'warning' })).box.className).toContain('border-warn')
    expect(draw(node({ health: 'healthy' })).box.className).not.toMatch(/border-(bad|warn)/)
    const deleted = draw(node({ health: 'unhealthy', deleted_at: '2026-01-01T00:00:00Z' }))
    expect(deleted.box.className).toContain('grayscale')
    expect(deleted.box.className).not.toContain('border-bad')
    expect(deleted.box.textContent).toContain('Deleted')
  })

  test('an item links to its page; a group opens', async () => {
    const item = draw(node({}))
    expect(item.getByRole('link').getAttribute('href')).toBe('/catalog/d1')
    const members = [base, base, base, base]
    const group = draw({
      kind: 'group',
      id: 'g',
      type: 'Kubernetes::Pod',
      members,
      toggle: { isOpen: false, count: 4 },
      ...size,
    })
    await userEvent.click(group.getByRole('button', { name: 'Show 4 Kubernetes::Pod' }))
    expect(group.onToggle).toHaveBeenCalledWith('g', true)
  })
})
