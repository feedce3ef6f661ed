import type { Role } from '@quarterdeck/contract/permissions'
import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { AccessProvider } from '@/api/access.tsx'
import { referenceServer } from '@/api/capabilities.ts'
import { onReport } from '@/api/report.ts'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { renderRoutes } from '@/testing/render.tsx'
import { toast } from '@/ui/toast.tsx'
import { kindOf, kinds } from './kinds/all.ts'
import { resourceColumns } from './resource-columns.tsx'
import { itemPath, listPath, type ResourceKind } from './resource-kind.ts'
import { ResourceListPage } from './resource-list.tsx'
import { ResourcePage } from './resource-page.tsx'

// Whole pages on a busy machine.
configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 40_000 })
beforeEach(() => onReport(toast.error))

const id = '0190dddd-0000-7000-8000-000000000001'
const stored = {
  id,
  name: 'shop',
  namespace: 'web',
  labels: { team: 'blue' },
  source: 'UI',
  agent_id: '00000000-0000-0000-0000-000000000000',
  spec: { components: [{ name: 'gateway' }] },
  updated_at: '2026-01-01T00:00:00+00:00',
  deleted_at: null,
}
const row = {
  ...stored,
  schedule: '@every 1m',
  created_by: { id: 'p', name: 'Ada Lovelace', avatar: null },
  created_at: new Date(Date.now() - 3600_000).toISOString(),
  last_runtime: null,
  job_name: 'Topology',
  job_status: 'FAILED',
  job_details: { errors: ['no'] },
  job_time_start: new Date(Date.now() - 60_000).toISOString(),
  job_last_failed: new Date(Date.now() - 60_000).toISOString(),
  agent: { id: 'agent-1', name: 'edge', description: null },
}
const topology = kindOf('topologies')!

function open(
  kind: ResourceKind,
  at: 'list' | 'item',
  { role = 'admin' as Role, handlers = {} as Record<string, unknown>, version = '1', row: own = row as object } = {},
) {
  const server = fakeServer({
    [`GET /api/db/${kind.list ?? kind.table}`]: [own],
    [`GET /api/db/${kind.table}`]: at === 'item' ? [stored] : [own],
    'GET /api/db/job_history_latest_status': [],
    'GET /api/db/job_history': [],
    'GET /api/db/job_histories': [],
    [`GET /api/v1/resources/${kind.table}/${id}/about`]: { file: null, uses: [] },
    ...handlers,
  } as Record<string, object>)
  const as = (page: React.ReactNode) => (
    <AccessProvider
      me={{ user: { id: 'person-1', name: 'Ada', email: 'ada@example.test' }, roles: [role] }}
      properties={[]}
      capabilities={{ ...referenceServer, version }}
    >
      {page}
    </AccessProvider>
  )
  const view = renderRoutes(
    [
      { path: listPath(kind), element: as(<ResourceListPage kind={kind} />) },
      { path: `${listPath(kind)}/:id`, element: as(<ResourcePage kind={kind} id={id} at={itemPath(kind, id)} />) },
      { path: '*', element: <p>elsewhere</p> },
    ],
    at === 'list' ? listPath(kind) : itemPath(kind, id),
  )
  return { server, ...view }
}
const headers = () => screen.getAllByRole('columnheader').map((header) => header.textContent?.trim())
const field = (name: RegExp) => screen.getByLabelText(name) as HTMLInputElement

describe('lists', () => {
  test('[SETG-04] which columns are hidden until they are chosen, or not there at all', () => {
    const shownOf = (table: string) =>
      resourceColumns(kindOf(table)!)
        .filter(({ hidden }) => !hidden)
        .map(({ header }) => header)
    const jobs = ['Job Status', 'Last Run', 'Last Failed']
    const ends = ['Created', 'Updated', 'Created By']
    expect(shownOf('topologies')).toEqual(['Name', 'Source', 'Namespace', ...jobs, 'Tags', ...ends])
    expect(resourceColumns(topology).find(({ header }) => header === 'Schedule')?.hidden).toBe(true)
    expect(shownOf('logging_backends')).toEqual(['Name', 'Source', ...jobs, 'Tags', ...ends])
    expect(shownOf('incident_rules')).toEqual(['Name', 'Source', ...jobs, ...ends])
    expect(shownOf('config_scrapers')).toEqual(['Name', 'Source', ...jobs, 'Tags', ...ends])
    expect(shownOf('notifications')).toEqual(['Name', 'Events', 'Source', ...ends])
    expect(shownOf('properties')).toEqual(['Name', 'Value', ...ends])
  })

  test('[SETG-27] [SETG-28] a row with its job, agent and tags; only living ones are asked for', async () => {
    const { server, here } = open(topology, 'list')
    const table = within(await screen.findByRole('table', { name: 'Topologies' }))
    const line = within((await table.findByText('shop')).closest('tr')!)
    for (const text of ['UI', 'web', 'Failed', 'Ada Lovelace']) expect(line.getByText(text)).toBeTruthy()
    expect(line.getByText('team')).toBeTruthy()
    expect(line.getByRole('link', { name: 'edge' }).getAttribute('href')).toBe('/settings/agents?id=agent-1')
    expect(headers()).not.toContain('Schedule')
    expect(decodeURIComponent(server.asked('topologies_with_status')[0]!)).toBe(
      'GET /api/db/topologies_with_status?select=*,created_by(id,name,avatar),agent:agent_id(id,name,description)' +
        '&deleted_at=is.null&order=created_at.desc&limit=100',
    )
    await userEvent.click(table.getByText('shop'))
    expect(here()).toBe(`/settings/topologies/${id}`)
  })

  test('tables without a view of their jobs get them from the history', async () => {
    const { job_status: _, job_time_start: __, job_last_failed: ___, ...plain } = row
    const { server } = open(kindOf('incident_rules')!, 'list', {
      row: plain,
      handlers: {
        'GET /api/db/job_history_latest_status': [
          { resource_id: id, name: 'IncidentRules', status: 'WARNING', details: null, time_start: row.job_time_start },
        ],
      },
    })
    expect(await screen.findByText('Warning')).toBeTruthy()
    expect(decodeURIComponent(server.asked('latest_status')[0]!)).toContain(
      `resource_id=in.(${id})&resource_type=eq.incident_rule`,
    )
  })

  test('[RBAC-17] who may not write the table gets no add button', async () => {
    for (const kind of kinds) {
      const view = open(kind, 'list', { role: 'viewer' })
      await screen.findByRole('table', { name: kind.title })
      expect(screen.queryByRole('button', { name: `Add ${kind.name}` })).toBeNull()
      view.unmount()
    }
  })

  test('columns sort on the server', async () => {
    const { server } = open(topology, 'list')
    await screen.findByText('shop')
    await userEvent.click(screen.getByRole('button', { name: 'Name' }))
    await waitFor(() => expect(server.asked('topologies_with_status').at(-1)).toContain('order=name.asc.nullslast'))
  })
})

describe('adding', () => {
  test('[SETG-22] [SETG-23] the name is marked required, and Save of a topology waits for a valid form', async () => {
    const { server } = open(topology, 'list', { handlers: { 'POST /api/db/topologies': () => answer(201, [stored]) } })
    await userEvent.click(await screen.findByRole('button', { name: 'Add Topology' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add Topology' }))
    const name = dialog.getByLabelText(/^Name\b/) as HTMLInputElement
    expect(name.getAttribute('aria-required')).toBe('true')
    expect((dialog.getByLabelText(/^Namespace/) as HTMLInputElement).value).toBe('default')
    expect(dialog.getByText('Labels')).toBeTruthy()
    const save = () => dialog.getByRole('button', { name: 'Save' }) as HTMLButtonElement
    await waitFor(() => expect(save().disabled).toBe(true))
    await userEvent.type(name, 'shop')
    // The spec is still empty.
    expect(save().disabled).toBe(true)
    expect(server.asked('POST')).toEqual([])
  })

  test('[SETG-23] the fields of each kind', () => {
    const fieldsOf = (table: string) =>
      kindOf(table)!
        .fields({ isNew: true, readOnly: false })
        .flatMap((each) => (each.kind === 'section' ? [] : each.name))
    expect(fieldsOf('incident_rules')).toEqual(['name', 'spec'])
    expect(fieldsOf('config_scrapers')).toEqual(['name', 'source', 'spec'])
    expect(fieldsOf('topologies')).toEqual(['name', 'namespace', 'labels', 'spec'])
    expect(fieldsOf('logging_backends')).toEqual(['name', 'labels', 'spec'])
  })

  test('a property is saved by its name; what the server refuses stands in the form', async () => {
    const property = kindOf('properties')!
    const { server } = open(property, 'list', {
      handlers: { 'POST /api/db/properties': answer(409, { message: 'There is a property called a.b already' }) },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Add Property' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add Property' }))
    await userEvent.type(dialog.getByLabelText(/^Name\b/), 'a.b')
    await userEvent.type(dialog.getByLabelText(/^Value/), '5')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('There is a property called a.b already')).toBeTruthy()
    expect(server.calls.find(({ method }) => method === 'POST')!.body).toEqual({
      name: 'a.b',
      value: '5',
      created_by: 'person-1',
    })
  })
})

describe('one of them', () => {
  test('name and namespace are locked; Update saves over what was read and returns to the list', async () => {
    const { server, here } = open(topology, 'item', { handlers: { 'PATCH /api/db/topologies': [stored] } })
    await screen.findByRole('tab', { name: 'Spec' })
    expect(field(/^Name\b/).readOnly).toBe(true)
    expect(field(/^Namespace/).readOnly).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Update' }))
    await waitFor(() => expect(here()).toBe('/settings/topologies'))
    const patch = server.calls.find(({ method }) => method === 'PATCH')!
    expect(patch.query.get('id')).toBe(`eq.${id}`)
    expect(patch.query.get('updated_at')).toBe(`eq.${stored.updated_at}`)
    expect(patch.body).toEqual({ name: 'shop', namespace: 'web', labels: { team: 'blue' }, spec: stored.spec })
  })

  test('what was entered is still there after a look at another tab, and asked about before it is lost', async () => {
    const { router } = open(topology, 'item', { handlers: { 'GET /api/db/job_histories': [] } })
    const label = await screen.findByDisplayValue('blue')
    await userEvent.clear(label)
    await userEvent.type(label, 'red')
    await userEvent.click(screen.getByRole('tab', { name: 'Job History' }))
    expect(await screen.findByText('No runs recorded')).toBeTruthy()
    await userEvent.click(screen.getByRole('tab', { name: 'Spec' }))
    expect(screen.getByDisplayValue('red')).toBeTruthy()
    void router.navigate('/settings/topologies')
    expect(await screen.findByRole('alertdialog', { name: 'Discard changes?' })).toBeTruthy()
  })

  test('who goes on editing after a conflict is asked before leaving', async () => {
    const theirs = { ...stored, spec: { components: [] }, updated_at: '2026-01-02T00:00:00+00:00' }
    const { server, router } = open(topology, 'item', { handlers: { 'PATCH /api/db/topologies': [] } })
    const label = await screen.findByDisplayValue('blue')
    await userEvent.type(label, 's')
    server.handlers['GET /api/db/topologies'] = [theirs]
    await userEvent.click(screen.getByRole('button', { name: 'Update' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    void router.navigate('/settings/topologies')
    expect(await screen.findByRole('alertdialog', { name: 'Discard changes?' })).toBeTruthy()
  })

  test('the second of two people who edit it is asked', async () => {
    const theirs = { ...stored, spec: { components: [] }, updated_at: '2026-01-02T00:00:00+00:00' }
    const { server, here } = open(topology, 'item', { handlers: { 'PATCH /api/db/topologies': [] } })
    await screen.findByRole('tab', { name: 'Spec' })
    server.handlers['GET /api/db/topologies'] = [theirs]
    await userEvent.click(screen.getByRole('button', { name: 'Update' }))
    expect(await screen.findByRole('dialog', { name: 'Somebody else changed shop' })).toBeTruthy()
    expect(here()).toBe(`/settings/topologies/${id}`)
  })

  test('[RBAC-11] [RBAC-17] who may not write it gets neither Update nor Delete', async () => {
    for (const table of ['topologies', 'logging_backends', 'incident_rules', 'config_scrapers']) {
      const view = open(kindOf(table)!, 'item', { role: 'viewer' })
      expect(await screen.findByLabelText(/^Name\b/)).toBeTruthy()
      expect(screen.queryByRole('button', { name: /^(Update|Save|Delete)$/ })).toBeNull()
      view.unmount()
    }
    open(topology, 'item', { role: 'editor' })
    expect(await screen.findByRole('button', { name: 'Delete' })).toBeTruthy()
  })

  test('what comes from a file says from which, and cannot be changed here', async () => {
    open(topology, 'item', {
      handlers: {
        'GET /api/db/topologies': [{ ...stored, source: 'ConfigFile' }],
        [`GET /api/v1/resources/topologies/${id}/about`]: { file: 'team/shop.yaml', uses: [] },
      },
    })
    expect(await screen.findByText('Defined in the file team/shop.yaml; change it there.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Update' })).toBeNull()
  })

  test('what an agent sent is changed there', async () => {
    open(topology, 'item', {
      version: '',
      handlers: { 'GET /api/db/topologies': [{ ...stored, agent_id: '0190dddd-0000-7000-8000-00000000000a' }] },
    })
    expect((await screen.findByRole('link', { name: 'an agent' })).getAttribute('href')).toBe(
      '/settings/agents?id=0190dddd-0000-7000-8000-00000000000a',
    )
    expect(screen.queryByRole('button', { name: 'Update' })).toBeNull()
  })

  test('a property is keyed by its name and really deleted', async () => {
    const property = { ...kindOf('properties')!, key: 'name' as const }
    const { server, here } = open(property, 'item', {
      handlers: {
        'GET /api/db/properties': [{ name: 'a.b', value: '5', updated_at: null, deleted_at: null }],
        'DELETE /api/db/properties': [],
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(here()).toBe('/settings/properties'))
    expect(server.asked('DELETE')).toEqual(['DELETE /api/db/properties?name=eq.a.b'])
  })

  test('a notification keeps one recipient', async () => {
    const notification = kindOf('notifications')!
    const values = notification.valuesOf({ ...stored, events: ['check.failed'], person_id: 'p', team_id: null })
    expect(values.recipient).toBe('person')
    const services = [
      { name: 'slack', connection: 'connection://default/slack' },
      { name: 'mail', connection: 'connection://default/mail' },
    ]
    const several = notification.valuesOf({ ...stored, events: ['check.failed'], custom_services: services })
    expect(notification.toRow(several)).toMatchObject({ custom_services: services })
    expect(notification.toRow({ ...values, recipient: 'team', team_id: 't' })).toMatchObject({
      person_id: null,
      team_id: 't',
      custom_services: null,
    })
  })
})
