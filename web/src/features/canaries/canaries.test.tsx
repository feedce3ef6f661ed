import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Role } from '@quarterdeck/contract/permissions'
import type { ReactNode } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { As, renderRoutes } from '@/testing/render.tsx'
import { CanariesPage } from './canaries-page.tsx'
import { CanaryPage } from './canary-page.tsx'

// Whole pages on a busy machine.
configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 40_000 })

const id = '0190bbbb-0000-7000-8000-000000000001'
const row = {
  id,
  name: 'shop',
  namespace: 'web',
  source: 'UI',
  schedule: '@every 1m',
  interval: null,
  labels: { team: 'blue' },
  created_by: { id: 'p', name: 'Ada', avatar: null },
  created_at: new Date(Date.now() - 3600_000).toISOString(),
  last_runtime: new Date().toISOString(),
  job_status: 'FAILED',
  job_details: { errors: ['no'] },
  job_last_failed: new Date(Date.now() - 7200_000).toISOString(),
  agent: { id: 'agent-1', name: 'edge' },
}
const stored = {
  id,
  name: 'shop',
  namespace: 'web',
  labels: { team: 'blue' },
  source: 'UI',
  agent_id: '00000000-0000-0000-0000-000000000000',
  created_by: 'p',
  created_at: row.created_at,
  updated_at: row.created_at,
  spec: { schedule: '@every 1m', http: [{ name: 'home', url: 'http://old', templateBody: true }], extra: { kept: 1 } },
}

function show(address: string, { role = 'admin' as Role, canary = stored as object | null, ...more } = {}) {
  const server = fakeServer({
    'GET /api/db/canaries_with_status': [row],
    'GET /api/db/canaries': canary ? [canary] : [],
    'POST /api/db/canaries': () => answer(201, [stored]),
    'PATCH /api/db/canaries': [stored],
    'GET /api/db/job_histories': [],
    ...more,
  })
  const as = (page: ReactNode) => <As roles={[role]}>{page}</As>
  const view = renderRoutes(
    [
      { path: '/settings/canaries', element: as(<CanariesPage />) },
      { path: '/settings/canaries/:id', element: as(<CanaryPage />) },
      { path: '*', element: <p>elsewhere</p> },
    ],
    address,
  )
  return { server, ...view }
}

describe('the list', () => {
  test('[SETG-24] the call, and a row leads to its page', async () => {
    const { server, here } = show('/settings/canaries')
    const table = within(await screen.findByRole('table', { name: 'Health checks' }))
    fireEvent.click(await table.findByText('shop'))
    await waitFor(() => expect(here()).toBe(`/settings/canaries/${id}`))
    expect(Object.fromEntries(server.calls[0]!.query)).toEqual({
      select: '*,created_by(id,name,avatar)',
      deleted_at: 'is.null',
      order: 'created_at.desc',
      limit: '100',
    })
  })

  test('[SETG-03] its columns, without the namespace, with a link to the agent', async () => {
    show('/settings/canaries')
    const table = within(await screen.findByRole('table', { name: 'Health checks' }))
    await table.findByText('shop')
    expect(table.getAllByRole('columnheader').map((header) => header.textContent?.trim())).toEqual(
      'Name,Source,Schedule,Job Status,Last Run,Last Failed,Tags,Created,Updated,Created By'.split(','),
    )
    expect(table.getByRole('link', { name: 'edge' }).getAttribute('href')).toBe('/settings/agents?id=agent-1')
  })

  test('only who may write can add', async () => {
    show('/settings/canaries', { role: 'viewer' })
    await screen.findByText('shop')
    expect(screen.queryByRole('button', { name: 'Add Health Check' })).toBeNull()
  })
})

describe('adding', () => {
  test('[SETG-10] [SETG-20] [SETG-21] kind, form, save', async () => {
    const user = userEvent.setup()
    const { server } = show('/settings/canaries')
    await user.click(await screen.findByRole('button', { name: 'Add Health Check' }))
    await user.click(await screen.findByRole('button', { name: 'TCP' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add TCP' }))
    expect((dialog.getByLabelText(/^Namespace/) as HTMLInputElement).value).toBe('default')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect((await dialog.findAllByText('This field is required')).length).toBe(3)
    const [canaryName] = dialog.getAllByLabelText(/^Name\b/)
    await user.type(canaryName!, 'db')
    await user.type(dialog.getByLabelText(/^URL/), 'db.local')
    expect(await dialog.findByText('Enter host:port')).toBeTruthy()
    await user.type(dialog.getByLabelText(/^URL/), ':5432')
    await user.type(dialog.getByLabelText('Max response time'), '-1')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('Must be at least 0')).toBeTruthy()
    await user.clear(dialog.getByLabelText('Max response time'))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.calls.find((call) => call.method === 'POST')!.body).toEqual({
      name: 'db',
      namespace: 'default',
      labels: {},
      source: 'UI',
      created_by: 'person-1',
      spec: { schedule: '@every 1m', tcp: [{ name: 'db', endpoint: 'db.local:5432' }] },
    })
  })
})

describe('one of them', () => {
  test('[SETG-05] [SETG-08] [SETG-09] [SETG-25] name and namespace are locked; Update sends the row and returns to the list', async () => {
    const user = userEvent.setup()
    const { server, here } = show(`/settings/canaries/${id}`)
    const url = (await screen.findByLabelText(/^URL/)) as HTMLInputElement
    const [name] = screen.getAllByLabelText(/^Name\b/) as HTMLInputElement[]
    expect(name!.readOnly).toBe(true)
    expect((screen.getByLabelText(/^Namespace/) as HTMLInputElement).readOnly).toBe(true)
    await user.clear(url)
    await user.type(url, 'http://new')
    await user.click(screen.getByRole('button', { name: 'Update' }))
    await waitFor(() => expect(here()).toBe('/settings/canaries'))
    const patch = server.calls.find((call) => call.method === 'PATCH')!
    expect(patch.query.get('id')).toBe(`eq.${id}`)
    expect(patch.query.get('updated_at')).toBe(`eq.${stored.updated_at}`)
    expect(patch.body).toEqual({
      name: 'shop',
      namespace: 'web',
      labels: { team: 'blue' },
      spec: { ...stored.spec, http: [{ name: 'home', url: 'http://new', templateBody: true }] },
    })
  })

  test('[SETG-26] deleting asks, marks it deleted and returns to the list', async () => {
    const user = userEvent.setup()
    const { server, here } = show(`/settings/canaries/${id}`)
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(here()).toBe('/settings/canaries'))
    expect(server.calls.find((call) => call.method === 'PATCH')!.body).toEqual({ deleted_at: 'now()' })
  })

  test('[SETG-07] tabs Spec and Job History', async () => {
    const { server } = show(`/settings/canaries/${id}`)
    await screen.findByRole('tab', { name: 'Spec' })
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Spec', 'Job History'])
    fireEvent.click(screen.getByRole('tab', { name: 'Job History' }))
    await screen.findByRole('table', { name: 'Job history' })
    await waitFor(() => expect(server.asked('job_histories')[0]).toContain(`resource_id=eq.${id}`))
  })

  test('[SETG-06] one that is gone', async () => {
    show(`/settings/canaries/${id}`, { canary: null })
    expect(await screen.findByText('No resources found')).toBeTruthy()
  })

  test('[SETG-06] a run without details', async () => {
    const run = {
      id: 'j',
      name: 'SyncCanary',
      status: 'SUCCESS',
      time_start: row.created_at,
      duration_millis: 5,
      details: null,
    }
    show(`/settings/canaries/${id}`, { 'GET /api/db/job_histories': [run] } as object)
    fireEvent.click(await screen.findByRole('tab', { name: 'Job History' }))
    fireEvent.click(await screen.findByText('SyncCanary'))
    expect(await screen.findByText('No details found')).toBeTruthy()
  })

  test('made elsewhere it can be read, not changed', async () => {
    show(`/settings/canaries/${id}`, { canary: { ...stored, source: 'file' } })
    expect(await screen.findByText('Defined in file; change it there.')).toBeTruthy()
    for (const name of ['Update', 'Delete']) expect(screen.queryByRole('button', { name })).toBeNull()
  })
})
