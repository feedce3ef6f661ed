import type { CatalogChange } from '@quarterdeck/contract/catalog-read'
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { As, renderPage } from '@/testing/render.tsx'
import { ChangeList } from './change-list.tsx'
import { ChangesPage } from './changes-page.tsx'

// Whole pages on a busy machine.
configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 30_000 })

const configId = '018f0000-0000-7000-8000-000000000001'
const person = '00000000-0000-4000-8000-000000000009'
const change = (id: string, more: Partial<CatalogChange> = {}): CatalogChange => ({
  id,
  config_id: configId,
  name: 'web-1',
  type: 'Kubernetes::Pod',
  tags: { namespace: 'shop' },
  change_type: 'diff',
  severity: 'high',
  source: 'kubernetes',
  summary: 'spec.replicas',
  created_by: null,
  external_created_by: 'eva@example.test',
  created_at: new Date(Date.now() - 300_000).toISOString(),
  first_observed: new Date(Date.now() - 3_600_000 * 3).toISOString(),
  count: 4,
  ...more,
})
const detail = {
  ...change('c1'),
  diff: '--- before\n+++ after\n@@ -1,2 +1,2 @@\n spec:\n-  replicas: 1\n+  replicas: 2\n',
  patches: { spec: { replicas: 1 } },
  details: { reason: 'scaled' },
  created_by: person,
  config: { id: configId, name: 'web-1', type: 'Kubernetes::Pod', config_class: 'Pod' },
}

function show(address: string, page = <ChangesPage />, details: object[] = [detail]) {
  const server = fakeServer({
    'POST /api/catalog/changes': { total: 450, changes: [change('c1'), change('c2', { severity: 'info' })] },
    'GET /api/db/config_changes': details,
    'GET /api/db/people': [{ id: person, name: 'Ada', email: null, avatar: null }],
    'GET /api/db/config_types': [{ type: 'Kubernetes::Pod' }],
    'GET /api/db/change_types': [{ change_type: 'diff' }],
    'GET /api/db/config_tags': [{ key: 'namespace', value: 'shop' }],
    [`GET /api/v1/catalog/changes/c1/versions`]: {
      before: { spec: { replicas: 1 } },
      after: { spec: { replicas: 2 } },
      complete: false,
      reason: 'Older changes are no longer kept.',
    },
  })
  return { server, ...renderPage(<As roles={['admin']}>{page}</As>, address) }
}
const bodies = (server: ReturnType<typeof fakeServer>) =>
  server.calls.filter(({ path }) => path === '/api/catalog/changes').map(({ body }) => body as Record<string, unknown>)
const first = async () => (await screen.findAllByRole('row'))[1]!

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
})
afterEach(() => vi.unstubAllGlobals())

describe('the list of changes', () => {
  test('[CHG-09] shows what happened to what, when, how often and by whom', async () => {
    show('/catalog/changes')
    await screen.findAllByText('spec.replicas')
    expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual([
      'Last seen',
      'Type',
      'Name',
      'Change Type',
      'Severity',
      'Summary',
      'Created By',
      'Source',
      'Tags',
      'First observed',
    ])
    const row = await first()
    for (const text of ['Kubernetes::Pod', 'web-1', 'diff', 'High', 'spec.replicas', 'eva@example.test', 'kubernetes'])
      expect(row.textContent).toContain(text)
    expect(row.textContent).toMatch(/^5m/)
    expect(row.textContent).toContain('shop')
    expect(row.textContent).toContain('3h')
    expect(within(row).getByText('4')).toBeTruthy()
  })

  test('[CHG-01] [CHG-03] pages of 200, from 1, of two days; the page is kept in the address', async () => {
    const { server, here } = show('/catalog/changes')
    await screen.findAllByText('spec.replicas')
    expect(bodies(server)[0]).toMatchObject({ page: 1, page_size: 200, from: 'now-2d', to: 'now', recursive: 'none' })
    await userEvent.click(screen.getByRole('button', { name: /next/i }))
    await waitFor(() => expect(here()).toBe('/catalog/changes?page=2'))
    await waitFor(() => expect(bodies(server).at(-1)).toMatchObject({ page: 2 }))
  })

  test('[CHG-07] a cell offers Include and Exclude', async () => {
    const { server, here } = show('/catalog/changes?page=2')
    await screen.findAllByText('spec.replicas')
    await userEvent.click(within(await first()).getByRole('button', { name: 'Exclude diff' }))
    await waitFor(() => expect(here()).toBe('/catalog/changes?changeType=diff%3A-1'))
    await waitFor(() => expect(bodies(server).at(-1)).toMatchObject({ type: '!diff', page: 1 }))
    await userEvent.click(within(await first()).getByRole('button', { name: 'Include kubernetes' }))
    await waitFor(() => expect(bodies(server).at(-1)).toMatchObject({ source: 'kubernetes' }))
    await userEvent.click(within(await first()).getByRole('button', { name: 'Include Kubernetes::Pod' }))
    await waitFor(() => expect(here()).toContain('configTypes=Kubernetes__Pod%3A1'))
    await userEvent.click(within(await first()).getByRole('button', { name: 'Include web-1' }))
    await waitFor(() => expect(bodies(server).at(-1)).toMatchObject({ id: configId }))
  })

  test('[CHG-08] what is filtered stands in chips that can be removed; four or more become counts', async () => {
    const { here } = show('/catalog/changes?changeType=diff:1&source=a:-1&severity=info:-1&summary=1:1,2:1,3:1,4:1')
    const chips = await screen.findByRole('list', { name: 'Active filters' })
    expect(
      within(chips)
        .getAllByRole('listitem')
        .map((chip) => chip.textContent),
    ).toEqual(['Change Type:diff', 'Severity:infoexcluded', 'Summary:4 included', 'Source:aexcluded'])
    await userEvent.click(within(chips).getByRole('button', { name: 'Remove Source a' }))
    await waitFor(() => expect(here()).not.toContain('source'))
    await userEvent.click(within(chips).getByRole('button', { name: 'Remove Summary 4 included' }))
    await waitFor(() => expect(here()).not.toContain('summary'))
  })

  test('[CHG-02] the bar has type, change type, severity, tags and time', async () => {
    const { server } = show('/catalog/changes')
    const bar = within(await screen.findByRole('search', { name: 'Filters' }))
    for (const name of ['Config Type', 'Change Type', 'Severity', 'Tags', /Time range: Last 2 days/])
      expect(bar.getByRole('button', { name })).toBeTruthy()
    await userEvent.click(bar.getByRole('button', { name: 'Severity' }))
    await userEvent.click(await screen.findByRole('option', { name: /High/ }))
    await waitFor(() => expect(bodies(server).at(-1)).toMatchObject({ severity: 'high' }))
  })

  test('[CHG-12] a failure says that something went wrong', async () => {
    const { server } = show('/catalog/changes')
    await screen.findAllByText('spec.replicas')
    server.handlers['POST /api/catalog/changes'] = () => answer(500, { message: 'Internal Server Error' })
    await userEvent.click(within(await first()).getByRole('button', { name: 'Exclude diff' }))
    expect(await screen.findByText('Something went wrong')).toBeTruthy()
  })
})

describe('changes of one item', () => {
  test('[CHG-04] [CHG-05] upstream and downstream are switched one by one, and deleted items shown on request', async () => {
    const { server, here } = show(`/catalog/${configId}/changes`, <ChangeList configId={configId} />)
    await screen.findAllByText('spec.replicas')
    expect(bodies(server)[0]).toMatchObject({
      id: configId,
      recursive: 'downstream',
      depth: 5,
      include_deleted_configs: false,
    })
    await userEvent.click(screen.getByRole('button', { name: 'Upstream' }))
    await waitFor(() => expect(bodies(server).at(-1)).toMatchObject({ recursive: 'all' }))
    expect(here()).toContain('type_filter=all')
    await userEvent.click(screen.getByRole('button', { name: 'Downstream' }))
    await waitFor(() => expect(bodies(server).at(-1)).toMatchObject({ recursive: 'upstream' }))
    await userEvent.click(screen.getByRole('button', { name: 'Upstream' }))
    await waitFor(() => expect(bodies(server).at(-1)).toMatchObject({ recursive: 'none' }))
    await userEvent.click(screen.getByRole('switch', { name: 'Hide deleted' }))
    await waitFor(() => expect(bodies(server).at(-1)).toMatchObject({ include_deleted_configs: true }))
  })
})

describe('one change', () => {
  test('[CHG-06] a row opens the details, read by change and item, with the person who made it', async () => {
    const { server, here } = show('/catalog/changes')
    await screen.findAllByText('spec.replicas')
    fireEvent.click(await first())
    const dialog = await screen.findByRole('dialog', { name: 'diff' })
    expect(here()).toBe('/catalog/changes?changeId=c1')
    expect(await within(dialog).findByText('Ada')).toBeTruthy()
    const { query } = server.calls.find(({ path }) => path === '/api/db/config_changes')!
    expect([query.get('id'), query.get('config_id')]).toEqual(['eq.c1', `eq.${configId}`])
    expect(server.calls.some(({ path, query: q }) => path === '/api/db/people' && q.get('id') === `eq.${person}`)).toBe(
      true,
    )
    expect(
      within(dialog)
        .getAllByRole('tab')
        .map((tab) => tab.textContent),
    ).toEqual(['Diff', 'Before and after', 'Patches', 'Details'])
    await userEvent.click(within(dialog).getByRole('tab', { name: 'Details' }))
    expect(await within(dialog).findByText('"scaled"')).toBeTruthy()
    await userEvent.click(within(dialog).getByRole('tab', { name: 'Before and after' }))
    expect((await within(dialog).findByRole('note')).textContent).toContain('Older changes are no longer kept.')
    expect(within(dialog).getByRole('radio', { name: 'Side by side' })).toBeTruthy()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(here()).toBe('/catalog/changes'))
  })

  test('a change that is gone says so', async () => {
    show('/catalog/changes?changeId=c9', <ChangesPage />, [])
    expect(await screen.findByText('Change not found')).toBeTruthy()
  })
})
