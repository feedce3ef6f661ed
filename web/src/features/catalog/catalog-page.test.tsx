import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ConfigItem } from '@/entities/config/config.ts'
import { fakeServer } from '@/testing/fake-server.ts'
import { As, renderPage } from '@/testing/render.tsx'
import { CatalogPage } from './catalog-page.tsx'

// Whole pages on a busy machine.
configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 30_000 })

const item = (name: string, more: Partial<ConfigItem> = {}): ConfigItem => ({
  id: `00000000-0000-4000-8000-${name.padStart(12, '0')}`,
  name,
  type: 'Kubernetes::Pod',
  config_class: 'Pod',
  status: 'Running',
  health: 'healthy',
  labels: {},
  tags: { namespace: 'shop' },
  created_at: new Date().toISOString(),
  updated_at: null,
  deleted_at: null,
  changes: null,
  analysis: null,
  ...more,
})
const items = [
  item('1', {
    changes: [
      { change_type: 'diff', severity: 'info', total: 1200 },
      { change_type: 'Pulled', severity: 'info', total: 300 },
    ],
    analysis: [
      { analyzer: 'trivy', analysis_type: 'security', severity: 'high' },
      { analyzer: 'cost-report', analysis_type: 'cost', severity: 'info' },
      { analyzer: 'linter', analysis_type: 'other', severity: 'info' },
    ],
    cost_total_1d: 3,
    cost_total_30d: 30,
  }),
  item('2', { health: 'unhealthy', status: 'Failed', deleted_at: '2024-08-01T00:00:00Z' }),
]
const summary = [
  {
    type: 'Kubernetes::Node',
    count: 2,
    health: { healthy: 1, warning: 1 },
    changes: 3,
    analysis: null,
    cost_total_30d: null,
  },
  {
    type: 'Kubernetes::Pod',
    count: 42,
    health: { healthy: 40, unhealthy: 2 },
    changes: 1310,
    analysis: { security: 4, cost: 1 },
    cost_total_30d: 12.5,
    created_at: '2024-08-01T00:00:00Z',
    updated_at: '2024-08-29T00:00:00Z',
  },
]

function show(address: string, groups: object[] = summary, found: object[] = items) {
  const server = fakeServer({
    'POST /api/catalog/summary': groups,
    'GET /api/db/configs': found,
    'GET /api/db/config_types': [{ type: 'Kubernetes::Node' }, { type: 'Kubernetes::Pod' }],
    'GET /api/db/config_statuses': [{ status: 'Running' }],
    'GET /api/db/config_tags': [{ key: 'namespace', value: 'shop' }],
    'GET /api/db/config_labels': [{ key: 'app', value: 'web' }],
  })
  const view = renderPage(
    <As roles={['admin']}>
      <CatalogPage />
    </As>,
    address,
  )
  return { server, ...view }
}
const row = (text: RegExp | string) => screen.findByRole('row', { name: text })
const asked = (server: ReturnType<typeof fakeServer>, path: string) =>
  server.calls.filter((call) => call.path.startsWith(path))
const headers = () => screen.getAllByRole('columnheader').map((cell) => cell.textContent)

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the summary', () => {
  test('[CAT-11] without a type, label or text: groups with counts, health, insights, cost and times', async () => {
    const { server } = show('/catalog')
    const pods = await row(/Kubernetes::Pod/)
    expect(headers()).toEqual(['Name', 'Health', 'Changes', 'Analysis', 'Cost (30d)', 'Created', 'Updated'])
    expect(within(pods).getByRole('img', { name: '2 unhealthy, 40 healthy' })).toBeTruthy()
    expect(within(pods).getByRole('link', { name: '4 insights about security' }).getAttribute('href')).toBe(
      '/catalog/insights?configType=Kubernetes%3A%3APod&type=security',
    )
    expect(pods.textContent).toContain('$13')
    expect(within(pods).getByRole('button', { name: 'Pin Kubernetes::Pod' })).toBeTruthy()
    expect(asked(server, '/api/db/configs')).toEqual([])
  })

  test('[CAT-21] the health bar: unhealthy red, warning orange, healthy green, the rest grey', async () => {
    show('/catalog?groupBy=type')
    const bar = within(await row(/Kubernetes::Node/)).getByRole('img', { name: '1 warning, 1 healthy' })
    expect([...bar.children].map((part) => part.className.match(/bg-(\w+)/)?.[1])).toEqual(['warn', 'ok'])
    const pods = within(await row(/Kubernetes::Pod/)).getByRole('img', { name: '2 unhealthy, 40 healthy' })
    expect([...pods.children].map((part) => part.className.match(/bg-(\w+)/)?.[1])).toEqual(['bad', 'ok'])
  })

  test('[CAT-12] a click on a line narrows the list to its type and clears the groups', async () => {
    const { here } = show('/catalog?groupBy=type&health=healthy:1')
    fireEvent.click(await row(/Kubernetes::Pod/))
    await waitFor(() => expect(here()).toBe('/catalog?health=healthy%3A1&configType=Kubernetes%3A%3APod'))
    expect(await screen.findByRole('table', { name: 'Catalog items' })).toBeTruthy()
  })

  test('[CAT-12] a line of a tag sets labels; one without the tag leaves out every value of it', async () => {
    const rows = [
      { type: 'Kubernetes::Pod', namespace: 'shop', count: 3, health: null },
      { type: 'Kubernetes::Pod', namespace: null, count: 2, health: null },
    ]
    const tagged = show('/catalog?groupBy=namespace__tag,type', rows)
    fireEvent.click((await screen.findAllByRole('row', { name: /Kubernetes::Pod/ }))[0]!)
    await waitFor(() =>
      expect(decodeURIComponent(tagged.here())).toBe('/catalog?configType=Kubernetes::Pod&labels=namespace__:__shop'),
    )
    tagged.unmount()
    const untagged = show('/catalog?groupBy=namespace__tag,type', rows)
    fireEvent.click((await screen.findAllByRole('row', { name: /Kubernetes::Pod/ }))[1]!)
    await waitFor(() =>
      expect(decodeURIComponent(untagged.here())).toBe('/catalog?configType=Kubernetes::Pod&tags=namespace____shop:-1'),
    )
  })

  test('[CAT-18] types are pinned to the top and unpinned', async () => {
    show('/catalog?groupBy=type')
    fireEvent.click(await screen.findByRole('button', { name: 'Pin Kubernetes::Pod' }))
    await waitFor(() => expect(screen.getAllByRole('row')[1]!.textContent).toContain('Kubernetes::Pod'))
    fireEvent.click(screen.getByRole('button', { name: 'Unpin Kubernetes::Pod' }))
    await waitFor(() => expect(screen.getAllByRole('row')[1]!.textContent).toContain('Kubernetes::Node'))
  })

  test('status, health and tags alone narrow the summary', async () => {
    const { server } = show('/catalog?status=Running:1&health=healthy:-1&tags=namespace____shop:1')
    await row(/Kubernetes::Pod/)
    expect(asked(server, '/api/catalog/summary')[0]!.body).toMatchObject({
      status: 'Running',
      health: '!healthy',
      tag_selector: 'namespace=shop',
    })
  })
})

describe('the list of items', () => {
  test('[CAT-13] with a type it is a list; a click opens the item', async () => {
    const { here } = show('/catalog?configType=Kubernetes::Pod')
    fireEvent.click(await row(/Running/))
    await waitFor(() => expect(here()).toBe(`/catalog/${items[0]!.id}`))
  })

  test('[CAT-14] columns of the list; Changed is hidden until it is chosen', async () => {
    show('/catalog?search=x')
    await row(/Running/)
    expect(headers()).toEqual([
      'Name',
      'Type',
      'Status',
      'Changes',
      'Tags',
      'Analysis',
      'Cost',
      'Created',
      'Updated',
      'Deleted At',
    ])
    fireEvent.click(screen.getByRole('button', { name: /columns/i }))
    fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Changed' }))
    await waitFor(() => expect(headers()).toContain('Changed'))
  })

  test('[CAT-15] [CAT-16] [CAT-19] health with status, analyzers, counts and costs', async () => {
    show('/catalog?search=x')
    const first = await row(/Running/)
    expect(first.textContent).toContain('trivy+2 more')
    expect(within(first).getByText('1k+').getAttribute('data-hot')).toBe('true')
    expect(within(first).getByText(/200\.0%|2\.0x/)).toBeTruthy()
    expect(first.textContent).toContain('$3.00')
    const gone = await row(/Failed/)
    expect(within(gone).getByText('deleted').className).toContain('bad')
    expect(gone.className).toContain('opacity')
  })

  test('[CAT-03] [CAT-06] [CAT-25] type, status, health, labels and text are asked of the server', async () => {
    const { server } = show(
      '/catalog?configType=Kubernetes::Pod&status=Running:-1,Failed:-1&health=unhealthy:1&labels=app__:__web&tags=a____b:-1',
    )
    await row(/Running/)
    const query = asked(server, '/api/db/configs').at(-1)!.query
    expect(query.get('type')).toBe('eq.Kubernetes::Pod')
    expect(query.get('status.filter')).toBe('!Running,!Failed')
    expect(query.get('health.filter')).toBe('unhealthy')
    expect(query.getAll('or')[0]).toBe(String.raw`(labels.cs."{\"app\":\"web\"}",tags.cs."{\"app\":\"web\"}")`)
    expect(query.getAll('or')[1]).toBe(String.raw`(tags.is.null,tags.not.cs."{\"a\":\"b\"}")`)
    expect(query.get('deleted_at')).toBe('is.null')
  })

  test('[CAT-25] options come from the lists of types, statuses, labels and tags, read when a filter is opened', async () => {
    const { server } = show('/catalog?search=x')
    await row(/Running/)
    const bar = within(screen.getByRole('search', { name: 'Filters' }))
    for (const [name, relation, option] of [
      ['Type', 'config_types', /Kubernetes::Node/],
      ['Status', 'config_statuses', /Running/],
      ['Labels', 'config_labels', /app: web/],
      ['Tags', 'config_tags', /namespace: shop/],
    ] as const) {
      expect(asked(server, `/api/db/${relation}`)).toEqual([])
      await userEvent.click(bar.getByRole('button', { name }))
      expect(await screen.findByRole('option', { name: option })).toBeTruthy()
      await userEvent.keyboard('{Escape}')
      await waitFor(() => expect(screen.queryByRole('option')).toBeNull())
    }
  })

  test('[CAT-05] the search waits 400 ms', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { here } = show('/catalog')
    await row(/Kubernetes::Pod/)
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'redis' } })
    await vi.advanceTimersByTimeAsync(250)
    expect(here()).toBe('/catalog')
    await vi.advanceTimersByTimeAsync(250)
    await waitFor(() => expect(here()).toBe('/catalog?search=redis'))
  })

  test('[CAT-20] Hide Deleted Catalog is on at first, and remembered as yes or no', async () => {
    const { server } = show('/catalog?search=x')
    await row(/Running/)
    fireEvent.click(screen.getByRole('button', { name: 'Preferences' }))
    const toggle = await screen.findByRole('switch', { name: 'Hide Deleted Catalog' })
    expect(toggle.getAttribute('aria-checked')).toBe('true')
    const before = asked(server, '/api/db/configs').length
    await userEvent.click(toggle)
    await waitFor(() => expect(asked(server, '/api/db/configs').length).toBeGreaterThan(before))
    const query = asked(server, '/api/db/configs').at(-1)!.query
    expect(query.get('deleted_at')).toBeNull()
    expect(localStorage.getItem('hideDeletedConfigs')).toContain('no')
  })

  test('[CAT-22] rows are 37 pixels high, and 20 are drawn beyond those in sight', async () => {
    const { container } = show(
      '/catalog?search=x',
      summary,
      Array.from({ length: 200 }, (_, n) => item(`i${n}`)),
    )
    await screen.findByRole('row', { name: /\bi0\b/ })
    const rows = container.querySelectorAll<HTMLElement>('tr[data-index]')
    expect(rows[0]!.style.height).toBe('37px')
    // A box of 700 px shows 18 rows and one or two that are cut.
    expect(rows.length).toBeGreaterThanOrEqual(38)
    expect(rows.length).toBeLessThanOrEqual(41)
  })
})
