import type { TryScraperResult } from '@quarterdeck/contract/catalog'
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Role } from '@quarterdeck/contract/permissions'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { AccessProvider } from '@/api/access.tsx'
import { referenceServer } from '@/api/capabilities.ts'
import { onReport } from '@/api/report.ts'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { renderRoutes } from '@/testing/render.tsx'
import { toast } from '@/ui/toast.tsx'
import {
  CatalogScraperPage,
  CatalogScrapersPage,
  ScraperSettingsListPage,
  ScraperSettingsPage,
} from './scraper-pages.tsx'

// Whole pages on a busy machine.
configure({ asyncUtilTimeout: 10_000 })
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => onReport(toast.error))

const id = '0190cccc-0000-7000-8000-000000000001'
const spec = {
  schedule: '@every 1h',
  sql: [{ connection: 'connection://db', query: 'select 1', type: 'A::B', id: '$.id', extra: 1 }],
}
const stored = {
  id,
  name: 'racks',
  source: 'UI',
  agent_id: '00000000-0000-0000-0000-000000000000',
  created_by: 'p',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  deleted_at: null,
  spec,
}
const row = {
  ...stored,
  created_by: { id: 'p', name: 'Ada', avatar: null },
  job_status: 'SUCCESS',
  job_name: 'Scraper',
  job_details: null,
  job_time_start: '2026-01-01T01:00:00Z',
  job_last_failed: null,
}
const tried: TryScraperResult = {
  created: [
    {
      id: '0190cccc-0000-7000-8000-00000000000a',
      external_id: 'a',
      type: 'A::B',
      config_class: 'B',
      name: 'rack-a',
      status: null,
      health: null,
      description: null,
      labels: {},
      tags: { room: '1' },
      config: { units: 42 },
    },
  ],
  changed: [
    {
      id: '0190cccc-0000-7000-8000-00000000000b',
      external_id: 'b',
      type: 'A::B',
      config_class: 'B',
      name: 'rack-b',
      status: null,
      health: null,
      description: null,
      labels: {},
      tags: {},
      summary: 'units',
      diff: '--- before\n+++ after\n@@ -1 +1 @@\n-units: 1\n+units: 2',
    },
  ],
  deleted: [{ id: '0190cccc-0000-7000-8000-00000000000c', external_id: 'c', type: 'A::B', name: 'rack-c' }],
  unchanged: 7,
  changes: [],
  insights: [],
  relationships: 3,
  errors: [{ item: 'rack-d', message: 'has no id' }],
  totals: { created: 1, changed: 1, deleted: 1, changes: 0, insights: 0, errors: 1 },
  duration_ms: 120,
}

function As({ role, children }: { role: Role; children: ReactNode }) {
  return (
    <AccessProvider
      me={{ user: { id: 'person-1', name: 'Ada', email: 'ada@example.test' }, roles: [role] }}
      properties={[]}
      capabilities={{ ...referenceServer, auth: 'builtin', version: '1' }}
    >
      {children}
    </AccessProvider>
  )
}

function show(
  at: string,
  {
    role = 'editor' as Role,
    one = stored as object,
    ...more
  }: Record<string, unknown> & { role?: Role; one?: object } = {},
) {
  const server = fakeServer({
    'GET /api/db/config_scrapers_with_status': [row],
    'GET /api/db/config_scrapers': [one],
    'POST /api/db/config_scrapers': () => answer(201, [stored]),
    'PATCH /api/db/config_scrapers': [stored],
    'GET /api/db/job_histories': [],
    'POST /api/v1/scrapers/try': tried,
    ...(more as Record<string, object>),
  })
  const as = (page: ReactNode) => <As role={role}>{page}</As>
  const view = renderRoutes(
    [
      { path: '/catalog/scrapers', element: as(<CatalogScrapersPage />) },
      { path: '/catalog/scrapers/:id', element: as(<CatalogScraperPage />) },
      { path: '/settings/config_scrapers', element: as(<ScraperSettingsListPage />) },
      { path: '/settings/config_scrapers/:id', element: as(<ScraperSettingsPage />) },
      { path: '*', element: <p>elsewhere</p> },
    ],
    at,
  )
  return { server, ...view }
}

describe('the lists', () => {
  test('[SCR-01] [SCR-03] the scrapers of the catalog, each linking to its page there', async () => {
    const { server, here } = show('/catalog/scrapers?configType=A')
    expect(screen.getByRole('link', { name: 'Insights' }).getAttribute('href')).toBe('/catalog/insights?configType=A')
    expect(screen.getByRole('link', { name: 'Scrapers' }).getAttribute('href')).toBe('/catalog/scrapers')
    fireEvent.click(await screen.findByText('racks'))
    await waitFor(() => expect(here()).toBe(`/catalog/scrapers/${id}`))
    expect(Object.fromEntries(server.calls[0]!.query)).toMatchObject({
      select: '*,created_by(id,name,avatar)',
      deleted_at: 'is.null',
      order: 'created_at.desc',
      limit: '100',
    })
  })

  test('[SETG-04] in settings: schedule and namespace are not among the first columns', async () => {
    const { here } = show('/settings/config_scrapers')
    const table = within(await screen.findByRole('table', { name: 'Catalog Scrapers' }))
    const name = await table.findByText('racks')
    expect(table.getAllByRole('columnheader').map((header) => header.textContent?.trim())).toEqual(
      'Name,Source,Job Status,Last Run,Last Failed,Tags,Created,Updated,Created By'.split(','),
    )
    fireEvent.click(name)
    await waitFor(() => expect(here()).toBe(`/settings/config_scrapers/${id}`))
  })

  test('who may not write adds nothing', async () => {
    show('/catalog/scrapers', { role: 'viewer' })
    await screen.findByText('racks')
    expect(screen.queryByRole('button', { name: 'Add Catalog Scraper' })).toBeNull()
  })
})

describe('adding', () => {
  test('[SETG-10] [SETG-23] [SCR-10] a kind, its form, and what is saved', async () => {
    const user = userEvent.setup()
    const { server } = show('/settings/config_scrapers')
    await user.click(await screen.findByRole('button', { name: 'Add Catalog Scraper' }))
    await user.click(await screen.findByRole('button', { name: 'GitHub Actions' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add GitHub Actions Scraper' }))
    await dialog.findByLabelText(/^Owner/)
    expect((dialog.getByLabelText('Source') as HTMLInputElement).readOnly).toBe(true)
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect((await dialog.findAllByText('This field is required')).length).toBe(3)
    await user.type(dialog.getByLabelText(/^Name\b/), 'builds')
    await user.type(dialog.getByLabelText(/^Owner/), 'acme')
    await user.type(dialog.getByLabelText(/^Repository/), 'shop')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.calls.find((call) => call.method === 'POST')!.body).toEqual({
      name: 'builds',
      source: 'UI',
      created_by: 'person-1',
      spec: { schedule: '@every 60m', githubActions: [{ owner: 'acme', repository: 'shop' }] },
    })
  })

  test('[SCR-05] [SCR-10] retention rules are rows, a rule about changes needs its name', async () => {
    const user = userEvent.setup()
    const { server } = show('/settings/config_scrapers')
    await user.click(await screen.findByRole('button', { name: 'Add Catalog Scraper' }))
    await user.click(await screen.findByRole('button', { name: 'GitHub Actions' }))
    const dialog = within(await screen.findByRole('dialog', { name: /^Add GitHub/ }))
    await user.type(await dialog.findByLabelText(/^Owner/), 'acme')
    await user.type(dialog.getByLabelText(/^Repository/), 'shop')
    await user.type(dialog.getByLabelText(/^Name\b/), 'builds')
    await user.click(dialog.getByRole('button', { name: 'Retention' }))
    await user.click(await dialog.findByRole('button', { name: 'Add rule' }))
    const rule = within(dialog.getByRole('group', { name: 'Changes' }))
    await user.type(rule.getByLabelText('Count'), '20')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await rule.findByText('This field is required')).toBeTruthy()
    await user.type(rule.getByLabelText(/^Name/), 'diff')
    await user.click(dialog.getByRole('button', { name: 'Add type' }))
    const type = within(dialog.getByRole('group', { name: 'Types' }))
    await user.type(type.getByLabelText('Deleted age'), '7d')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((server.calls.find((call) => call.method === 'POST')!.body as typeof stored).spec).toMatchObject({
      retention: { changes: [{ name: 'diff', count: 20 }], types: [{ deletedAge: '7d' }] },
    })
  })
})

describe('one of them', () => {
  test('[SCR-02] [SCR-03] tabs Spec and Job History', async () => {
    const { server } = show(`/catalog/scrapers/${id}`)
    await screen.findByRole('tab', { name: 'Spec' })
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Spec', 'Job History'])
    fireEvent.click(screen.getByRole('tab', { name: 'Job History' }))
    await screen.findByRole('table', { name: 'Job history' })
    await waitFor(() => expect(server.asked('job_histories')[0]).toContain(`resource_id=eq.${id}`))
  })

  test('its form keeps what it does not know, and Update leads back to the list', async () => {
    const user = userEvent.setup()
    const { server, here } = show(`/settings/config_scrapers/${id}`)
    const type = await screen.findByLabelText(/^Type/)
    expect((screen.getByLabelText(/^Name/, { selector: '[readonly]' }) as HTMLInputElement).value).toBe('racks')
    await user.clear(type)
    await user.type(type, 'A::C')
    await user.click(screen.getByRole('button', { name: 'Update' }))
    await waitFor(() => expect(here()).toBe('/settings/config_scrapers'))
    const { body } = server.calls.find((call) => call.method === 'PATCH')!
    expect((body as typeof stored).spec).toEqual({ ...spec, sql: [{ ...spec.sql[0], type: 'A::C' }] })
  })

  test('a try saves nothing and tells what would be created, changed and deleted', async () => {
    const user = userEvent.setup()
    const { server } = show(`/settings/config_scrapers/${id}`)
    await user.click(await screen.findByRole('button', { name: 'Try it' }))
    const result = within(screen.getByRole('region', { name: 'Try it' }))
    await result.findByText('would be created')
    for (const text of ['rack-a', 'rack-b', 'rack-c', '7 unchanged', '3 relationships', 'has no id'])
      expect(result.getByText(text)).toBeTruthy()
    const changed = within(result.getByRole('article', { name: 'rack-b' }))
    await user.click(changed.getByRole('button', { name: 'Show' }))
    expect(changed.getByText('+units: 2')).toBeTruthy()
    expect(server.calls.find((call) => call.path === '/api/v1/scrapers/try')!.body).toEqual({ spec, id, name: 'racks' })
    expect(server.calls.some((call) => call.method === 'PATCH')).toBe(false)
  })

  test('run now answers with what it did', async () => {
    show(`/catalog/scrapers/${id}`, {
      [`POST /api/config/run/${id}`]: {
        status: 'SUCCESS',
        success_count: 3,
        error_count: 0,
        details: { scrape_summary: { 'A::B': { added: 2, updated: 1, unchanged: 4 } } },
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Run now' }))
    expect(await screen.findByText('racks: 2 items added, 1 updated, 4 unchanged')).toBeTruthy()
  })

  test('a run that failed says why', async () => {
    show(`/catalog/scrapers/${id}`, {
      [`POST /api/config/run/${id}`]: {
        status: 'FAILED',
        success_count: 0,
        error_count: 1,
        details: { errors: ['the database did not answer'] },
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Run now' }))
    expect(await screen.findByText(/racks failed: the database did not answer/)).toBeTruthy()
  })

  test('who may only read sees the spec, without buttons', async () => {
    show(`/catalog/scrapers/${id}`, { role: 'viewer' })
    await screen.findByRole('tab', { name: 'Spec' })
    await screen.findAllByText('@every 1h')
    for (const name of ['Run now', 'Try it', 'Update', 'Delete'])
      expect(screen.queryByRole('button', { name })).toBeNull()
  })
})
