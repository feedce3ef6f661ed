import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Role } from '@quarterdeck/contract/permissions'
import { type FakeRequest, answer, fakeServer } from '@/testing/fake-server.ts'
import { As, renderRoutes } from '@/testing/render.tsx'
import { HealthPage } from '../health-page.tsx'

// Whole pages on a busy machine.
configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 30_000 })

// There is no canvas here; what the chart draws is in its table too.
vi.mock('@/ui/chart/plot.tsx', () => ({ Plot: () => null }))

const id = '0190aaaa-0000-7000-8000-000000000001'
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const check = {
  id,
  name: 'basket',
  type: 'http',
  namespace: 'web',
  icon: null,
  canary_id: 'canary-1',
  agent_id: 'agent-1',
  labels: { app: 'shop', env: 'prod', region: 'eu', stage: 'live', team: 'blue', tier: 'front' },
  severity: null,
  spec: { url: 'https://basket.example', severity: 'high' },
  description: null,
  status: 'healthy',
  last_runtime: ago(20),
  next_runtime: ago(-1200),
  last_transition_time: ago(7200),
  canaries: { id: 'canary-1', name: 'shop', source: 'UI' },
  agents: { id: 'agent-1', name: 'edge' },
  components: [{ components: { id: 'component-1', name: 'Shop', icon: null } }],
  configs: [{ configs: { id: 'config-1', name: 'basket-pod', type: 'Kubernetes::Pod' } }],
}
const run = (time: string) => ({ check_id: id, time, duration: 120, message: 'ok', error: null, status: true })
const counted = (rows: unknown[], total: number) =>
  new Response(JSON.stringify(rows), { headers: { 'content-range': `0-${rows.length - 1}/${total}` } })

let isShort = false
beforeEach(() => {
  isShort = false
  vi.stubGlobal('matchMedia', () => ({ matches: isShort, addEventListener() {}, removeEventListener() {} }))
})
afterEach(() => vi.unstubAllGlobals())

function show(
  { query = '', role = 'admin' as Role, canary = { source: 'UI' } as object } = {},
  more: Parameters<typeof fakeServer>[0] = {},
) {
  const server = fakeServer({
    'GET /api/canary/api/summary': { checks_summary: [] },
    'GET /api/db/checks': [check],
    'GET /api/db/canaries': [{ id: 'canary-1', name: 'shop', namespace: 'web', spec: {}, ...canary }],
    'GET /api/canary/api/graph': {
      status: [
        { time: ago(600), status: true, duration: 110, passed: 3 },
        { time: ago(540), duration: 90, passed: 1, failed: 2 },
      ],
      latency: { p95: 180, p97: 200, p99: 240 },
      uptime: { passed: 58, failed: 2 },
      step_seconds: 60,
    },
    'GET /api/db/check_statuses': () => counted([run(ago(20)), run(ago(80))], 120),
    'POST /api/canary/run/check/0190aaaa-0000-7000-8000-000000000001': {},
    ...more,
  })
  const view = renderRoutes(
    [
      {
        path: '/health',
        element: (
          <As roles={[role]}>
            <HealthPage />
          </As>
        ),
      },
      { path: '*', element: <p>elsewhere</p> },
    ],
    `/health?checkId=${id}${query}`,
  )
  return { server, ...view }
}
const drawer = async () => within(await screen.findByRole('dialog'))

describe('head and figures', () => {
  test('[DRAWER-01] icon, name, namespace, endpoint and agent', async () => {
    show()
    const view = await drawer()
    expect(await view.findByRole('heading', { name: 'basket' })).toBeTruthy()
    for (const words of ['web', 'https://basket.example', 'edge']) expect(view.getByText(words)).toBeTruthy()
    expect(screen.getByRole('dialog').className).toContain('100vw')
  })

  test('a password written into an address is not shown', async () => {
    show({}, { 'GET /api/db/checks': [{ ...check, spec: { url: 'postgres://reader:inner-9921@db.example/x' } }] })
    const view = await drawer()
    expect(await view.findByText('postgres://reader:***@db.example/x')).toBeTruthy()
  })

  test('a check made by a transform says where its definition is', async () => {
    show({}, { 'GET /api/db/checks': [{ ...check, spec: null }] })
    const view = await drawer()
    fireEvent.click(await view.findByRole('tab', { name: 'Spec' }))
    expect(await view.findByText(/Its canary, shop, says how/)).toBeTruthy()
  })

  test('the next run in words of its distance, and what was missed without any lag', async () => {
    show(
      {},
      {
        'GET /api/db/checks': [{ ...check, next_runtime: ago(-3 * 86_400 - 7_200) }],
        'GET /api/canary/api/graph': { status: [], latency: {}, uptime: {}, missed: 1200 },
      },
    )
    const view = await drawer()
    expect(await view.findByText(/^in 3d [12]h$/)).toBeTruthy()
    expect(await view.findByText('1,200 missed')).toBeTruthy()
  })

  test('[DRAWER-02] labels, the surplus behind a popover', async () => {
    show()
    const view = await drawer()
    expect(await view.findByText('shop')).toBeTruthy()
    expect(view.queryByText('front')).toBeNull()
    fireEvent.click(view.getByRole('button', { name: '+2 more' }))
    expect(await screen.findByText('front')).toBeTruthy()
  })

  test('[DRAWER-03] [DRAWER-22] the tiles, of the range chosen', async () => {
    const { server, here } = show({ query: '&timeRange=2d' })
    const view = await drawer()
    expect(await view.findByText('58 passed, 2 failed')).toBeTruthy()
    const text = screen.getByRole('dialog').textContent
    for (const words of ['Uptime96.67%', '180ms/200ms/240ms', 'Severityhigh', 'Transitioned2h ago'])
      expect(text).toContain(words)
    expect(text).toMatch(/Last Run\d+[sm] ago/)
    expect(text).toMatch(/Next Runin \d+m/)
    expect(server.asked('graph')).toEqual([`GET /api/canary/api/graph?check=${id}&count=300&start=2d`])
    const user = userEvent.setup()
    await user.click(view.getByRole('combobox', { name: 'Time Range' }))
    await user.click(await screen.findByRole('option', { name: '1w' }))
    await waitFor(() => expect(here()).toContain('timeRange=1w'))
    await waitFor(() => expect(server.asked('graph').at(-1)).toContain('start=1w'))
  })

  test('[HEALTH-01] timeRange of the address decides what is read; month ranges travel as a moment', async () => {
    const { server } = show({ query: '&timeRange=3mo' })
    await drawer()
    await waitFor(() => expect(server.asked('graph')).toHaveLength(1))
    const start = server.calls.find((call) => call.path.endsWith('graph'))!.query.get('start')!
    expect(Date.now() - Date.parse(start)).toBeGreaterThan(80 * 86_400_000)
    await waitFor(() => expect(server.asked('check_statuses')).toHaveLength(1))
    const time = server.calls.find((call) => call.path.endsWith('check_statuses'))!.query.get('time')!
    expect(Date.now() - Date.parse(time.replace('gt.', ''))).toBeGreaterThan(80 * 86_400_000)
  })

  test('[DRAWER-04] the chart, and the same as a table', async () => {
    show({ query: '&timeRange=1h' })
    const view = await drawer()
    const chart = within(await view.findByRole('figure', { name: 'Health Overview' }))
    expect(await view.findByRole('img', { name: /^Status over time: 6\d runs/ })).toBeTruthy()
    fireEvent.click(chart.getByRole('button', { name: 'Show as table' }))
    const table = within(chart.getByRole('table'))
    expect(table.getByRole('columnheader', { name: 'With failures' })).toBeTruthy()
    expect(table.getByText('110ms')).toBeTruthy()
    expect(table.getByText('90ms')).toBeTruthy()
  })
})

describe('tabs', () => {
  test('[DRAWER-05] History, Spec and Relationships with a count', async () => {
    show()
    const view = await drawer()
    await view.findByRole('tab', { name: 'History' })
    expect(view.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['History', 'Spec', 'Relationships2'])
  })

  test('[DRAWER-05] on a short screen the chart is a tab', async () => {
    isShort = true
    show()
    const view = await drawer()
    await view.findByRole('tab', { name: 'Graph' })
    expect(view.queryByRole('figure', { name: 'Health Overview' })).toBeNull()
    fireEvent.click(view.getByRole('tab', { name: 'Graph' }))
    expect(await view.findByRole('figure', { name: 'Health Overview' })).toBeTruthy()
  })

  test('[DRAWER-06] the spec as YAML, to copy', async () => {
    show()
    const view = await drawer()
    fireEvent.click(await view.findByRole('tab', { name: 'Spec' }))
    expect(await view.findByText(/url: https:\/\/basket\.example/)).toBeTruthy()
    expect(view.getByRole('button', { name: /copy/i })).toBeTruthy()
  })

  test.each([
    ['basket-pod', '/catalog/config-1'],
    ['Shop', '/topology/component-1'],
  ])('[DRAWER-07] a click on %s goes to %s', async (name, address) => {
    const { here } = show()
    const view = await drawer()
    fireEvent.click(await view.findByRole('tab', { name: /Relationships/ }))
    const table = within(await view.findByRole('table', { name: 'Related items' }))
    expect(table.getAllByRole('columnheader').map((header) => header.textContent)).toEqual(['Name', 'Type'])
    fireEvent.click(table.getByText(name))
    await waitFor(() => expect(here()).toBe(address))
  })
})

describe('one run', () => {
  const failed = {
    ...run(ago(60)),
    status: false,
    message: 'half of it',
    error: 'first line\nsecond line',
    details: { exitCode: 3, stdout: 'half of it' },
  }
  test('is shown in full with the files it left', async () => {
    const { server } = show(undefined, {
      'GET /api/db/check_statuses': () => counted([failed], 1),
      'GET /api/db/artifacts': [{ id: 'file-1', filename: 'report.xml', size: 2048 }],
    })
    const view = await drawer()
    fireEvent.click(await view.findByText(/second line/))
    const dialog = within(await screen.findByRole('dialog', { name: 'Run' }))
    expect(dialog.getByText('Unhealthy')).toBeTruthy()
    expect(dialog.getByText(/first line/).textContent).toBe('first line\nsecond line')
    expect(dialog.getByText('exitCode:')).toBeTruthy()
    const link = await dialog.findByRole('link', { name: /report\.xml/ })
    expect(link.getAttribute('href')).toBe('/api/artifacts/download/file-1')
    expect(decodeURIComponent(server.asked('/db/artifacts')[0]!)).toContain(
      `check_id=eq.${id}&check_time=eq.${failed.time}`,
    )
  })
  test('whoever may not read files sees the run without them, and no complaint', async () => {
    show(undefined, {
      'GET /api/db/check_statuses': () => counted([failed], 1),
      'GET /api/db/artifacts': () => answer(403, { message: 'no' }),
    })
    const view = await drawer()
    fireEvent.click(await view.findByText(/second line/))
    const dialog = within(await screen.findByRole('dialog', { name: 'Run' }))
    expect(dialog.getByText('Message')).toBeTruthy()
    expect(dialog.queryByText('Files')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('foot', () => {
  test('[DRAWER-08] [DRAWER-23] an edit link for what was made here', async () => {
    const { server } = show()
    const view = await drawer()
    expect((await view.findByRole('link', { name: 'Edit' })).getAttribute('href')).toBe('/settings/canaries/canary-1')
    expect(decodeURIComponent(server.asked('/db/canaries')[0]!)).toBe(
      'GET /api/db/canaries?id=eq.canary-1&select=id,source,spec,name,namespace',
    )
  })

  test('[DRAWER-08] the source for what was made elsewhere', async () => {
    show({ canary: { source: 'kubernetes/0190' } })
    const view = await drawer()
    expect(await view.findByText(/Defined in a Kubernetes resource \(web\/shop\)/)).toBeTruthy()
    expect(view.queryByRole('link', { name: 'Edit' })).toBeNull()
  })

  test('Run Now is not there for viewers', async () => {
    show({ role: 'viewer' })
    const view = await drawer()
    await view.findByRole('link', { name: 'Edit' })
    expect(view.queryByRole('button', { name: 'Run Now' })).toBeNull()
  })
})

describe('history', () => {
  const asked = (server: { calls: FakeRequest[] }) =>
    server.calls.filter((call) => call.path === '/api/db/check_statuses')

  test('[DRAWER-12] [DRAWER-14] [DRAWER-17] [DRAWER-20] pages of 50, filters that begin at the first page', async () => {
    const { server } = show({ query: '&timeRange=1h' })
    const view = await drawer()
    const table = within(await view.findByRole('table', { name: 'Runs' }))
    expect((await table.findAllByText('Healthy')).length).toBe(2)
    expect(table.getAllByText('ok').length).toBe(2)
    const [first] = asked(server)
    expect(first!.headers.Prefer).toContain('count=exact')
    expect(Object.fromEntries(first!.query)).toEqual({
      check_id: `eq.${id}`,
      time: expect.stringMatching(/^gt\.\d{4}-/),
      order: 'time.desc',
      limit: '50',
      offset: '0',
    })
    expect(view.getByText(/of 120/)).toBeTruthy()
    fireEvent.click(view.getByRole('button', { name: /next/i }))
    await waitFor(() => expect(asked(server).at(-1)!.query.get('offset')).toBe('50'))
    expect(
      within(view.getByRole('radiogroup', { name: 'Status' }))
        .getAllByRole('radio')
        .map((each) => each.textContent),
    ).toEqual(['All', 'Healthy', 'Unhealthy'])
    fireEvent.click(view.getByRole('radio', { name: 'Unhealthy' }))
    await waitFor(() => expect(asked(server).at(-1)!.query.get('status')).toBe('eq.0'))
    expect(asked(server).at(-1)!.query.get('offset')).toBe('0')
    fireEvent.click(view.getByRole('button', { name: 'Duration' }))
    fireEvent.click(await screen.findByRole('option', { name: '5s or longer' }))
    await waitFor(() => expect(asked(server).at(-1)!.query.get('duration')).toBe('gte.5000'))
  })

  test('[DRAWER-18] what is younger than 10 s is not read again', async () => {
    const { server } = show({ query: '&timeRange=1h' })
    const view = await drawer()
    await view.findByRole('table', { name: 'Runs' })
    await waitFor(() => expect(asked(server)).toHaveLength(1))
    fireEvent.click(view.getByRole('tab', { name: 'Spec' }))
    fireEvent.click(view.getByRole('tab', { name: 'History' }))
    await view.findByRole('table', { name: 'Runs' })
    expect(asked(server)).toHaveLength(1)
  })

  test('[DRAWER-19] a failure is said in a toast', async () => {
    show({}, { 'GET /api/db/check_statuses': () => answer(500, { message: 'The history is away' }) })
    await drawer()
    expect((await screen.findAllByText('The history is away')).length).toBeGreaterThan(0)
    expect(await screen.findByRole('alert')).toBeTruthy()
  })

  test('[DRAWER-21] the check with what it is about, in one call', async () => {
    const { server } = show()
    await drawer()
    await waitFor(() => expect(server.asked('/db/checks')).toHaveLength(1))
    expect(new URLSearchParams(server.asked('/db/checks')[0]!.split('?')[1]).get('select')).toBe(
      '*,canaries!checks_canary_id_fkey(id,name,source),agents!checks_agent_id_fkey(id, name),components:check_component_relationships(components(id,name,icon)),configs:check_config_relationships(configs(id,name,type))',
    )
  })
})
