import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Role } from '@quarterdeck/contract/permissions'
import { beforeEach, expect, test, vi } from 'vitest'
import { onReport } from '@/api/report.ts'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { AccessProvider } from '@/api/access.tsx'
import { referenceServer } from '@/api/capabilities.ts'
import { As, renderRoutes } from '@/testing/render.tsx'
import { toast } from '@/ui/toast.tsx'
import { ComponentConfigLinks } from './component-config-links.tsx'
import { LinkedComponents } from './linked-components.tsx'

configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 40_000 })
beforeEach(() => onReport(toast.error))

const table = '/api/db/config_component_relationships'
const link = (id: string, name: string, selector: string, gone: string | null = null) => ({
  component_id: 'k1',
  config_id: id,
  selector_id: selector,
  deleted_at: null,
  configs: { id, name, type: 'Kubernetes::Pod', config_class: 'Pod', deleted_at: gone },
})
const links = [
  link('c1', 'by-hand', 'manual'),
  link('c2', 'by-rule', 'a1b2c3'),
  link('c3', 'gone', 'a1b2c3', '2026-01-01T00:00:00Z'),
]

function show(role: Role = 'editor', more: Record<string, object> = {}) {
  const server = fakeServer({
    [`GET ${table}`]: links,
    [`DELETE ${table}`]: [links[0]],
    [`POST ${table}`]: () => answer(201, [{}]),
    'GET /api/db/configs': [{ id: 'c9', name: 'web-9', type: 'Kubernetes::Pod', tags: {} }],
    ...more,
  })
  renderRoutes([
    {
      path: '*',
      element: (
        <As roles={[role]}>
          <ComponentConfigLinks componentId="k1" />
        </As>
      ),
    },
  ])
  return server
}

test('[REL-07] [REL-12] the links of a component; those of deleted items when asked for', async () => {
  const server = show()
  const list = within(screen.getByRole('list', { name: 'Linked catalog items' }))
  await list.findByText('by-hand')
  expect(list.queryByText('gone')).toBeNull()
  const asked = server.calls.find((call) => call.path === table)!.query
  expect(asked.get('component_id')).toBe('eq.k1')
  expect(asked.get('configs.order')).toBe('name')
  expect(asked.get('deleted_at')).toBe('is.null')
  await userEvent.click(screen.getByRole('switch', { name: 'Hide deleted' }))
  await list.findByText('gone')
  expect(list.getByText('deleted')).toBeTruthy()
  expect(
    server.calls
      .filter((call) => call.path === table)
      .at(-1)!
      .query.has('deleted_at'),
  ).toBe(false)
})

test('[REL-08] [REL-09] only links made by hand can be taken away', async () => {
  const server = show()
  await screen.findByText('by-rule')
  expect(screen.queryByRole('button', { name: 'Unlink by-rule' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Unlink by-hand' }))
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Unlink' }))
  expect(await screen.findByText('Deleted config link successfully')).toBeTruthy()
  const { query } = server.calls.find((call) => call.method === 'DELETE')!
  expect(Object.fromEntries(query)).toEqual({ component_id: 'eq.k1', config_id: 'eq.c1', selector_id: 'eq.manual' })
})

test('[REL-09] what the server says against it is shown', async () => {
  show('editor', { [`DELETE ${table}`]: answer(409, { message: 'It is evidence of an incident' }) })
  await userEvent.click(await screen.findByRole('button', { name: 'Unlink by-hand' }))
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Unlink' }))
  expect(await screen.findByText(/It is evidence of an incident/)).toBeTruthy()
  expect(screen.queryByText('Deleted config link successfully')).toBeNull()
})

test('an item is found and linked', async () => {
  const server = show()
  await userEvent.click(await screen.findByRole('button', { name: 'Link to Catalog' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Link to Catalog' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Link' }))
  expect(await dialog.findByText('This field is required')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: /Catalog item/ }))
  await userEvent.click(await screen.findByRole('option', { name: /web-9/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Link' }))
  expect(await screen.findByText('config link successful')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.calls.find((call) => call.method === 'POST')!.body).toEqual({
    component_id: 'k1',
    config_id: 'c9',
    selector_id: 'manual',
  })
  expect(server.calls.find((call) => call.path === '/api/db/configs')!.query.get('limit')).toBe('50')
})

test('who may not write links nothing', async () => {
  show('viewer')
  await screen.findByText('by-hand')
  expect(screen.queryByRole('button', { name: 'Link to Catalog' })).toBeNull()
  expect(screen.queryByRole('button', { name: /Unlink/ })).toBeNull()
})

test.each([
  ['[REL-12] the components of an item, once there is a topology', ['topology'], 1],
  ['nothing is asked before', [], 0],
])('%s', async (_title, areas, count) => {
  const shop = { id: 'k1', name: 'shop', icon: null, type: 'Application' }
  const server = fakeServer({ [`GET ${table}`]: [{ ...links[0], configs: undefined, components: shop }] })
  renderRoutes([
    {
      path: '*',
      element: (
        <AccessProvider
          me={{ user: { id: 'p', name: 'Ada', email: 'ada@example.test' }, roles: ['viewer'] }}
          properties={[]}
          capabilities={{ ...referenceServer, areas }}
        >
          <LinkedComponents configId="c1" />
        </AccessProvider>
      ),
    },
  ])
  if (count > 0) expect((await screen.findByRole('link')).getAttribute('href')).toBe('/topology/k1')
  expect(server.calls.map((call) => call.query.get('config_id'))).toEqual(count > 0 ? ['eq.c1'] : [])
})
