import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeServer } from '@/testing/fake-server.ts'
import { As, renderPage } from '@/testing/render.tsx'
import type { CheckSummary } from './check.ts'
import { HealthPage } from './health-page.tsx'

// Whole pages on a busy machine.
configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 30_000 })

const now = new Date().toISOString()
const check = (name: string, more: Partial<CheckSummary> = {}): CheckSummary => ({
  id: `id-${name}`,
  name,
  type: 'http',
  canary_name: 'shop',
  namespace: 'web',
  status: 'healthy',
  last_runtime: now,
  uptime: { passed: 9, failed: 1 },
  latency: { p95: 120 },
  ...more,
})
const checks = [
  check('basket', { status: 'unhealthy', labels: { app: 'api', critical: 'true' }, latency: { p95: 300 } }),
  check('home', { labels: { app: 'web', critical: 'false' } }),
  check('dns', { canary_name: 'network', namespace: 'infra', type: 'dns', latency: { p95: 5 } }),
]

function show(address: string) {
  const server = fakeServer({
    'GET /api/canary/api/summary': { checks_summary: checks },
    'GET /api/db/checks': [],
    'GET /api/canary/api/graph': { status: null, latency: {}, uptime: {} },
    'GET /api/db/check_statuses': [],
  })
  const view = renderPage(
    <As roles={['admin']}>
      <HealthPage />
    </As>,
    address,
  )
  return { server, ...view }
}
const rows = () => screen.getAllByRole('row').slice(1)

beforeEach(() =>
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} })),
)
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('what the address says', () => {
  test('[HEALTH-02] checkId opens the drawer; closing it removes checkId and sets timeRange to 1h', async () => {
    const { here } = show('/health?checkId=id-home&groupBy=type')
    const drawer = await screen.findByRole('dialog')
    fireEvent.click(within(drawer).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(here()).toBe('/health?groupBy=type&timeRange=1h'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a search that finds nothing says so and can be taken back', async () => {
    const { here } = show('/health?hidePassing=false&query=nothing-like-it&labels={"app:x":1}')
    fireEvent.click(await screen.findByRole('button', { name: 'Clear the filters' }))
    await waitFor(() => expect(here()).toBe('/health?hidePassing=false'))
    expect(rows().length).toBeGreaterThan(0)
  })

  test('[HEALTH-03] layout is a table unless card is asked for', async () => {
    const { here } = show('/health?hidePassing=false')
    expect(await screen.findByRole('table', { name: 'Health checks' })).toBeTruthy()
    fireEvent.click(screen.getByRole('radio', { name: 'Cards' }))
    await waitFor(() => expect(screen.queryByRole('table')).toBeNull())
    expect(here()).toBe('/health?hidePassing=false&layout=card')
    expect(screen.getByRole('button', { name: /basket/ })).toBeTruthy()
  })

  test('[HEALTH-05] the search waits 400 ms before it acts', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { here } = show('/health?hidePassing=false&groupBy=no-group')
    await screen.findByText('basket')
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'dns' } })
    await vi.advanceTimersByTimeAsync(250)
    expect(here()).not.toContain('query')
    await vi.advanceTimersByTimeAsync(250)
    await waitFor(() => expect(here()).toContain('query=dns'))
    await waitFor(() => expect(rows()).toHaveLength(1))
  })

  test('[HEALTH-06] sortBy and sortDesc sort and are written', async () => {
    const { here } = show('/health?hidePassing=false&groupBy=no-group&sortBy=latency&sortDesc=true')
    await screen.findByText('basket')
    expect(rows().map((row) => row.textContent?.match(/basket|home|dns/)?.[0])).toEqual(['basket', 'home', 'dns'])
    fireEvent.click(screen.getByRole('button', { name: /Checks/ }))
    await waitFor(() => expect(here()).toContain('sortBy=name&sortDesc=false'))
    expect(rows().map((row) => row.textContent?.match(/basket|home|dns/)?.[0])).toEqual(['basket', 'dns', 'home'])
  })

  test('[HEALTH-09] tabs are namespaces; a label key and agent_id are possible too', async () => {
    show('/health?hidePassing=false')
    await screen.findByRole('tab', { name: /infra/ })
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent?.replace(/\d+$/, ''))).toEqual([
      'All',
      'infra',
      'web',
    ])
  })

  test('tabs by a label', async () => {
    show('/health?hidePassing=false&tabBy=app')
    await screen.findByRole('tab', { name: /api/ })
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent?.replace(/\d+$/, ''))).toEqual([
      'All',
      'api',
      'none',
      'web',
    ])
  })

  test('[HEALTH-12] Hide Passing is on, and follows the address', async () => {
    const { here } = show('/health')
    await screen.findByText('basket')
    expect(screen.getByText('Filter by Health')).toBeTruthy()
    const hide = screen.getAllByRole('switch', { name: 'Hide Passing' })[0]!
    expect(hide.getAttribute('aria-checked')).toBe('true')
    expect(screen.queryByText('dns')).toBeNull()
    fireEvent.click(hide)
    await waitFor(() => expect(here()).toBe('/health?hidePassing=false'))
    expect((await screen.findAllByText('dns')).length).toBeGreaterThan(0)
  })

  test('[HEALTH-14] a yes-or-no label is excluded, included, and let go by clicking again', async () => {
    const { here } = show('/health?hidePassing=false&groupBy=no-group')
    await screen.findByText('basket')
    const control = within((await screen.findAllByRole('group', { name: 'critical' }))[0]!)
    const [exclude, , include] = control.getAllByRole('button') as [HTMLElement, HTMLElement, HTMLElement]
    fireEvent.click(include)
    await waitFor(() => expect(decodeURIComponent(here())).toContain('labels={"critical":1}'))
    fireEvent.click(exclude)
    await waitFor(() => expect(decodeURIComponent(here())).toContain('labels={"critical":-1}'))
    fireEvent.click(exclude)
    await waitFor(() => expect(here()).not.toContain('labels'))
  })
})

describe('the table', () => {
  test('[HEALTH-15] its columns; all sort but Transition', async () => {
    show('/health?hidePassing=false')
    await screen.findByText('shop')
    const headers = screen.getAllByRole('columnheader')
    expect(headers.map((header) => header.textContent?.trim())).toEqual([
      'Checks',
      'Health',
      'Uptime',
      'Latency',
      'Transition',
    ])
    const sorts = headers.map(
      (header) => within(header).queryByRole('button', { name: header.textContent!.trim() }) !== null,
    )
    expect(sorts).toEqual([true, true, true, true, false])
  })

  test('[HEALTH-16] groups open and close', async () => {
    show('/health?hidePassing=false')
    const group = (await screen.findByText('shop')).closest('tr')!
    expect(screen.queryByText('basket')).toBeNull()
    fireEvent.click(within(group).getByRole('button'))
    expect(screen.getByText('basket')).toBeTruthy()
    fireEvent.click(within(group).getByRole('button'))
    expect(screen.queryByText('basket')).toBeNull()
  })
})

describe('the pivot', () => {
  const headers = () => screen.getAllByRole('columnheader').map((header) => header.textContent?.trim())
  const cells = () =>
    rows().map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent?.trim()),
    )

  test('[HEALTH-07] pivotBy and pivotLabel make columns of a label, pivotCellType says what stands in them', async () => {
    show('/health?hidePassing=false&pivotBy=labels&pivotLabel=app&pivotCellType=uptime')
    await screen.findByRole('table', { name: 'Health checks, pivoted' })
    expect(headers()).toEqual(['Checks', 'api', 'web'])
    expect(cells()).toEqual([['shop', expect.stringContaining('90.00%'), expect.stringContaining('90.00%')]])
  })

  test('[HEALTH-07] by namespace, with latencies; a mark opens its check', async () => {
    const { here } = show('/health?hidePassing=false&pivotBy=namespace&pivotCellType=latency&groupBy=type')
    await screen.findByRole('table', { name: 'Health checks, pivoted' })
    expect(headers()).toEqual(['Checks', 'infra', 'web'])
    expect(cells()).toEqual([
      ['dns', expect.stringContaining('5'), '–'],
      ['http', '–', expect.stringContaining('300')],
    ])
    fireEvent.click(within(rows()[0]!).getByRole('button'))
    await waitFor(() => expect(here()).toContain('checkId=id-dns'))
  })
})

test('[HEALTH-13] every label has a list of its values, and choosing one filters', async () => {
  const user = userEvent.setup()
  const { here } = show('/health?hidePassing=false&groupBy=no-group')
  await screen.findByText('basket')
  const panel = within(screen.getByRole('complementary', { name: 'Filters' }))
  expect(panel.getByText('Filter by Label')).toBeTruthy()
  expect(await panel.findByRole('group', { name: 'critical' })).toBeTruthy()
  await user.click(panel.getByRole('button', { name: /^app/ }))
  await user.click(await screen.findByRole('option', { name: 'api' }))
  await waitFor(() => expect(decodeURIComponent(here())).toContain('labels={"app:api":1}'))
  await waitFor(() => expect(screen.queryByText('home')).toBeNull())
  expect(screen.getByText('basket')).toBeTruthy()
})

test('[HEALTH-19] [HEALTH-20] the counts; the rate that is chosen is kept under healthPageRefreshRate', async () => {
  const user = userEvent.setup()
  show('/health?timeRange=15m')
  expect(await screen.findByLabelText('2 pass, 1 fail, 0 unknown')).toBeTruthy()
  await user.click(screen.getByRole('combobox', { name: 'Refresh' }))
  const offered = (await screen.findAllByRole('option')).map((option) => option.textContent)
  expect(offered).toEqual(['None', '15s', '30s', '60s', '2m', '3m', '5m', '10m', '15m'])
  await user.click(screen.getByRole('option', { name: '30s' }))
  await waitFor(() => expect(localStorage.getItem('healthPageRefreshRate')).toBe('"30s"'))
})

test('[HEALTH-27] the arrangement is kept under healthSettings and comes back on arrival without parameters', async () => {
  const user = userEvent.setup()
  const first = show('/health')
  await screen.findByText('basket')
  await user.click(screen.getByRole('radio', { name: 'Cards' }))
  await waitFor(() => expect(JSON.parse(localStorage.getItem('healthSettings')!)).toMatchObject({ layout: 'card' }))
  first.unmount()
  const again = show('/health')
  await waitFor(() => expect(again.here()).toBe('/health?layout=card'))
  again.unmount()
  const linked = show('/health?groupBy=type')
  await screen.findByText('basket')
  expect(linked.here()).toBe('/health?groupBy=type')
})

test('[HEALTH-23] the dashboard is read again at its interval and gives up the request still on its way', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  localStorage.setItem('healthPageRefreshRate', '"15s"')
  const signals: AbortSignal[] = []
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => {
    signals.push(init.signal!)
    if (signals.length === 1) return Promise.resolve(new Response(JSON.stringify({ checks_summary: checks })))
    return new Promise((_resolve, reject) => {
      init.signal!.addEventListener('abort', () => reject(init.signal!.reason as Error))
    })
  })
  renderPage(
    <As roles={['admin']}>
      <HealthPage />
    </As>,
    '/health?timeRange=15m',
  )
  await screen.findByText('basket')
  await vi.advanceTimersByTimeAsync(15_000)
  expect(signals).toHaveLength(2)
  expect(signals[1]!.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(signals).toHaveLength(3)
  expect(signals[1]!.aborted).toBe(true)
})
