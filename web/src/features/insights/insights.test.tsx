import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { onReport } from '@/api/report.ts'
import { analysisTypes, insightSeverities } from '@/entities/insight/insight.ts'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { As, renderRoutes } from '@/testing/render.tsx'
import { toast } from '@/ui/toast.tsx'
import { narrowed, pageOf, sorted } from './component-insights.ts'
import { insightFilters } from './insights.filters.ts'
import { ConfigInsightsTab } from './insights-tab.tsx'
import { InsightsPage } from './insights-page.tsx'

// Whole pages on a busy machine.
configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 40_000 })
beforeEach(() => onReport(toast.error))

const config = { id: 'c1', name: 'web-1', config_class: 'Pod', type: 'Kubernetes::Pod' }
const insight = {
  id: 'i1',
  config_id: 'c1',
  analyzer: 'open-port',
  analysis_type: 'security',
  severity: 'critical',
  status: 'open',
  message: '<p>Port <b>22</b> is open</p><script>window.hit = 1</script>',
  analysis: { rule: { id: 'net-1' } },
  source: 'scanner',
  first_observed: '2026-01-02T00:00:00Z',
  last_observed: '2026-01-03T00:00:00Z',
  config,
}
const list = 'GET /api/db/config_analysis_items'

function show(at: string, more: Record<string, unknown> = {}) {
  const server = fakeServer({
    [list]: [insight],
    'GET /api/db/config_analysis': [insight],
    'GET /api/db/config_analysis_analyzers': [{ analyzer: 'cost-check' }, { analyzer: 'open-port' }],
    'GET /api/db/config_types': [{ type: 'Kubernetes::Pod' }],
    'GET /api/db/component_names': [{ id: 'k1', name: 'shop', type: 'Application', icon: null }],
    ...more,
  } as Record<string, object>)
  const view = renderRoutes(
    [
      {
        path: '/catalog/insights',
        element: (
          <As roles={['viewer']}>
            <InsightsPage />
          </As>
        ),
      },
      {
        path: '/catalog/:id/insights',
        element: (
          <As roles={['viewer']}>
            <ConfigInsightsTab configId="c1" />
          </As>
        ),
      },
      { path: '*', element: <p>elsewhere</p> },
    ],
    at,
  )
  const lastQuery = () => Object.fromEntries(server.calls.filter((call) => `GET ${call.path}` === list).at(-1)!.query)
  return { server, lastQuery, ...view }
}

test('[INS-02] every parameter is read from the address and written to it', () => {
  const address =
    'status=open&severity=high&type=cost&configType=Kubernetes%3A%3APod&analyzer=a&component=k1&pageSize=20&pageIndex=2' +
    '&sortBy=last_observed&sortOrder=asc'
  const filters = insightFilters.read(address)
  expect(filters).toEqual({
    status: 'open',
    severity: 'high',
    type: 'cost',
    configType: 'Kubernetes::Pod',
    analyzer: 'a',
    component: 'k1',
    pageSize: 20,
    pageIndex: 2,
    sort: { id: 'last_observed', desc: false },
    insight: undefined,
  })
  expect(Object.fromEntries(insightFilters.write(filters))).toEqual(Object.fromEntries(new URLSearchParams(address)))
  expect(insightFilters.defaults.pageSize).toBe(50)
  expect(insightFilters.read('severity=all&component=All')).toMatchObject({ severity: '', component: '' })
})

describe('the page', () => {
  test('[INS-03] without parameters: 50, the newest first', async () => {
    const { lastQuery } = show('/catalog/insights')
    expect(await screen.findByText('open-port')).toBeTruthy()
    expect(lastQuery()).toMatchObject({ limit: '50', offset: '0', order: 'first_observed.desc' })
  })

  test('[INS-01] [INS-08] [INS-09] [INS-13] filters offer their values and reach the server', async () => {
    const user = userEvent.setup()
    const { lastQuery, server, here } = show('/catalog/insights?pageIndex=3')
    const bar = within(screen.getByRole('search'))
    const options = async (name: string | RegExp) => {
      await user.click(bar.getByRole('button', { name }))
      const box = within(await screen.findByRole('listbox'))
      return {
        all: () => box.getAllByRole('option').map((each) => each.textContent),
        pick: (text: string) => user.click(box.getByText(text)),
      }
    }
    const types = await options('Type')
    expect(types.all()).toHaveLength(analysisTypes.length)
    expect(types.all()).toContain('Technical debt')
    await types.pick('Technical debt')
    await waitFor(() => expect(lastQuery()).toMatchObject({ analysis_type: 'eq.technical_debt', offset: '0' }))
    const severities = await options('Severity')
    expect(severities.all().map((text) => text!.toLowerCase())).toEqual([...insightSeverities])
    await severities.pick('Blocker')
    await waitFor(() => expect(lastQuery().severity).toBe('eq.blocker'))
    expect(server.asked('config_analysis_analyzers')).toEqual([])
    await user.click(bar.getByRole('button', { name: 'Analyzer' }))
    await user.click(await screen.findByRole('option', { name: 'cost-check' }))
    await waitFor(() => expect(lastQuery().analyzer).toBe('eq.cost-check'))
    expect(server.asked('config_analysis_analyzers')).toEqual([
      'GET /api/db/config_analysis_analyzers?order=analyzer.asc',
    ])
    await user.click(bar.getByRole('button', { name: 'Component' }))
    await screen.findByRole('option', { name: /shop/ })
    expect(here()).toBe('/catalog/insights?type=technical_debt&severity=blocker&analyzer=cost-check')
  })

  test('[INS-12] the question of the catalog, and of one item', async () => {
    const page = show('/catalog/insights?status=open&severity=HIGH&type=cost&analyzer=a&configType=Kubernetes%3A%3APod')
    await screen.findByText('open-port')
    expect(page.lastQuery()).toMatchObject({
      status: 'eq.open',
      severity: 'eq.high',
      analysis_type: 'eq.cost',
      analyzer: 'eq.a',
      config_type: 'eq.Kubernetes::Pod',
    })
    page.unmount()
    const tab = show('/catalog/c1/insights?severity=low')
    await screen.findByText('open-port')
    expect(tab.lastQuery()).toMatchObject({ config_id: 'eq.c1', severity: 'eq.low', limit: '50' })
    expect(tab.server.calls.at(-1)!.headers.Prefer).toContain('count=exact')
    expect(screen.queryByRole('button', { name: 'Component' })).toBeNull()
  })

  test('[INS-04] the analysis is cut at 500 characters', async () => {
    show('/catalog/insights', { [list]: [{ ...insight, message: `<p>${'x'.repeat(900)}</p>` }] })
    const cell = await screen.findByText(/^x+…$/)
    expect([...cell.textContent!]).toHaveLength(500)
  })

  test('[INS-05] a failure is told by a toast, once, and can be tried again', async () => {
    const { server } = show('/catalog/insights', { [list]: answer(500, { message: 'The database is away' }) })
    expect(await screen.findByText(/The database is away/)).toBeTruthy()
    expect(screen.getAllByText(/The database is away/)).toHaveLength(1)
    server.handlers[list] = [insight]
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('open-port')).toBeTruthy()
  })

  test('[INS-10] a row opens its details, which stand in the address', async () => {
    const { here, server } = show('/catalog/insights')
    await userEvent.click(await screen.findByText('open-port'))
    const dialog = within(await screen.findByRole('dialog', { name: 'open-port' }))
    for (const text of ['Security', 'Critical', 'Open', 'scanner', '22', 'web-1'])
      expect(await dialog.findByText(text)).toBeTruthy()
    expect(dialog.getByText(/net-1/)).toBeTruthy()
    expect((window as { hit?: number }).hit).toBeUndefined()
    expect(here()).toBe('/catalog/insights?insight=i1')
    const asked = server.calls.find((call) => call.path === '/api/db/config_analysis')!.query
    expect(asked.get('id')).toBe('eq.i1')
    for (const column of 'id,source,analyzer,analysis_type,message,severity,status,analysis,first_observed,last_observed,config_id'.split(
      ',',
    ))
      expect(asked.get('select')!.split(',')).toContain(column)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(here()).toBe('/catalog/insights'))
  })
})

describe('a component', () => {
  const found = Array.from({ length: 60 }, (_, i) => ({
    ...insight,
    config: undefined,
    id: `i${i}`,
    config_id: i % 2 ? 'c1' : 'c2',
    analyzer: `rule-${i}`,
    severity: i % 2 ? 'High' : 'low',
    first_observed: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString(),
  }))
  const answers = {
    'GET /api/db/rpc/lookup_analysis_by_component': found,
    'GET /api/db/configs': [config, { ...config, id: 'c2', name: 'db-1', type: 'AWS::RDS' }],
  }

  test('[INS-06] [INS-07] its analyses are fetched, filtered here, and joined with their items', async () => {
    const { server } = show('/catalog/insights?component=k1&severity=high', answers)
    expect(await screen.findByText('rule-59')).toBeTruthy()
    expect(screen.queryByText('rule-58')).toBeNull()
    expect(screen.getAllByRole('link', { name: /web-1/ })).toHaveLength(30)
    expect(server.calls.find((call) => call.path.endsWith('lookup_analysis_by_component'))!.query.get('id')).toBe('k1')
    expect(server.calls.find((call) => call.path === '/api/db/configs')!.query.get('id')).toBe('in.(c2,c1)')
    expect(server.asked('config_analysis_items')).toEqual([])
  })

  test('filters, order and pages of what was read', () => {
    const joined = found.map((each) => ({ ...each, config: { ...config, id: each.config_id } }))
    expect(narrowed(joined, { severity: 'HIGH' })).toHaveLength(30)
    expect(narrowed(joined, { analyzer: 'rule-3', type: 'security', status: 'open' })).toHaveLength(1)
    expect(narrowed(joined, { configType: 'AWS::RDS' })).toHaveLength(0)
    expect(sorted(joined, undefined)[0]!.id).toBe('i59')
    expect(sorted(joined, { id: 'first_observed', desc: false })[0]!.id).toBe('i0')
    expect(
      sorted([{ ...joined[0]!, last_observed: null }, joined[1]!], { id: 'last_observed', desc: false })[0]!.id,
    ).toBe('i1')
    expect(pageOf(joined, { pageIndex: 1, pageSize: 50 })).toMatchObject({ totalEntries: 60, data: { length: 10 } })
  })
})
