import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ConfigDetail } from '@/entities/config/config.ts'
import { fakeServer } from '@/testing/fake-server.ts'
import { As, renderRoutes } from '@/testing/render.tsx'
import { ConfigChecksPage } from './config-checks-tab.tsx'
import { ConfigDocumentPage } from './config-tab.tsx'

// Whole pages on a busy machine.
configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 30_000 })

const id = '018f0000-0000-7000-8000-000000000001'
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const item = (more: Partial<ConfigDetail> = {}): ConfigDetail => ({
  id,
  name: 'web-1',
  type: 'Kubernetes::Pod',
  config_class: 'Pod',
  status: 'Running',
  health: 'healthy',
  labels: { app: 'web' },
  tags: { namespace: 'shop' },
  agent_id: null,
  description: 'The shop itself',
  created_at: '2024-08-01T00:00:00Z',
  updated_at: '2024-08-20T00:00:00Z',
  deleted_at: null,
  delete_reason: null,
  last_scraped_time: minutesAgo(90),
  config: { kind: 'Pod', spec: { replicas: 2 }, apiVersion: 'v1' },
  properties: Array.from({ length: 8 }, (_, n) => ({ name: `property-${n}`, text: `value-${n}` })),
  cost_per_minute: 0.1,
  cost_total_1d: 2,
  cost_total_7d: 9,
  cost_total_30d: 30,
  config_scrapers: { id: 'scraper-1', name: 'kubernetes' },
  summary: { changes: 12, analysis: 3, relationships: 7, playbook_runs: 1, checks: 2 },
  ...more,
})

function show(found: ConfigDetail[] = [item()], at = `/catalog/${id}`) {
  const server = fakeServer({
    'GET /api/db/config_detail': found,
    'GET /api/db/check_config_relationships': [
      { checks: { id: 'check-1', name: 'front page', type: 'http', status: 'unhealthy', deleted_at: null } },
      { checks: { id: 'check-1', name: 'front page', type: 'http', status: 'unhealthy', deleted_at: null } },
      { checks: null },
    ],
  })
  const page = (element: React.ReactNode) => (
    <As roles={['admin']}>
      <main id="main">{element}</main>
    </As>
  )
  return {
    server,
    ...renderRoutes(
      [
        { path: '/catalog/:id', element: page(<ConfigDocumentPage />) },
        { path: '/catalog/:id/checks', element: page(<ConfigChecksPage />) },
        { path: '*', element: null },
      ],
      at,
    ),
  }
}

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
})
afterEach(() => vi.unstubAllGlobals())

describe('around every page of an item', () => {
  test('[CDET-10] one call brings the item and its counts, which stand on the tabs', async () => {
    const { server } = show()
    const tabs = await screen.findByRole('navigation', { name: 'About this item' })
    await within(tabs).findByText('12')
    expect(
      within(tabs)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Config', 'Changes12', 'Insights3', 'Relationships7', 'Checks2'])
    const calls = server.calls.filter(({ path }) => path === '/api/db/config_detail')
    expect(calls).toHaveLength(1)
    expect([calls[0]!.query.get('id'), calls[0]!.query.get('select')]).toEqual([
      `eq.${id}`,
      '*,config_scrapers(id,name)',
    ])
  })

  test('[CDET-11] [CAT-27] the details: type, status, scraper, properties, tags, labels and costs', async () => {
    show()
    const side = await screen.findByRole('complementary', { name: 'Details' })
    await within(side).findByText('The shop itself')
    for (const text of ['Kubernetes::Pod', 'Running', 'shop', 'web', '$30', '$2.00', 'value-5'])
      expect(side.textContent).toContain(text)
    expect(within(side).getByRole('link', { name: 'kubernetes' }).getAttribute('href')).toBe(
      '/catalog/scrapers/scraper-1',
    )
    expect(side.textContent).not.toContain('value-6')
    await userEvent.click(within(side).getByRole('button', { name: 'show more ...' }))
    expect(side.textContent).toContain('value-7')
  })

  test('[CDET-06] the details close with Escape, with a click beside them, and by their button; and come back', async () => {
    show()
    const isOpen = () => screen.queryByRole('complementary', { name: 'Details' }) !== null
    await screen.findByText('The shop itself')
    fireEvent.keyDown(document.body, { key: 'Escape' })
    await waitFor(() => expect(isOpen()).toBe(false))
    await userEvent.click(screen.getByRole('button', { name: 'Show details' }))
    expect(isOpen()).toBe(true)
    await userEvent.click(screen.getByText('The shop itself'))
    expect(isOpen()).toBe(true)
    await userEvent.click(screen.getByRole('navigation', { name: 'About this item' }))
    await waitFor(() => expect(isOpen()).toBe(false))
    await userEvent.click(screen.getByRole('button', { name: 'Show details' }))
    await userEvent.click(screen.getByRole('button', { name: 'Hide details' }))
    await waitFor(() => expect(isOpen()).toBe(false))
  })

  test('a late scrape and a notable cost are said, red for up', async () => {
    show()
    expect((await screen.findByText(/Last scraped/, { selector: 'span' })).textContent).toContain('1h')
    const badge = screen.getAllByText('100.0%')[0]!
    expect(badge.className).toContain('bad')
  })

  test('less cost is green', async () => {
    show([item({ cost_total_1d: 0.5 })])
    expect((await screen.findAllByText('50.0%'))[0]!.className).toContain('ok')
  })

  test('a little difference of cost and a fresh scrape say nothing', async () => {
    show([item({ cost_total_1d: 1.1, last_scraped_time: minutesAgo(5) })])
    await screen.findByText('The shop itself')
    expect(screen.queryByText(/%$/)).toBeNull()
    expect(screen.queryByText(/Last scraped/, { selector: '.bg-warn-soft' })).toBeNull()
  })

  test('[CDET-09] an item that is not there says "Details not found"', async () => {
    show([])
    expect(await screen.findByText('Details not found')).toBeTruthy()
  })

  test('an address that is no id asks nothing', async () => {
    const { server } = show([], '/catalog/nonsense')
    expect(await screen.findByText('Details not found')).toBeTruthy()
    expect(server.calls).toEqual([])
  })
})

describe('the document', () => {
  const lines = async () => {
    await waitFor(() => expect(document.querySelectorAll('.cm-line').length).toBeGreaterThan(3))
    return [...document.querySelectorAll('.cm-line')].map((line) => line.textContent)
  }

  test('[CDET-03] as YAML or JSON, with line numbers', async () => {
    const { here } = show()
    expect(await lines()).toEqual(['apiVersion: v1', 'kind: Pod', 'spec:', '  replicas: 2', ''])
    expect([...document.querySelectorAll('.cm-lineNumbers .cm-gutterElement')].map((n) => n.textContent)).toContain('4')
    await userEvent.click(screen.getByRole('radio', { name: 'JSON' }))
    await waitFor(async () => expect((await lines())[0]).toBe('{'))
    expect(here()).toBe(`/catalog/${id}?format=json`)
  })

  test('a document that came as text is shown as it came', async () => {
    show([item({ config: { content: 'a: 1\n# kept\nb: 2\nc: 3', format: 'yaml' } })])
    expect(await lines()).toEqual(['a: 1', '# kept', 'b: 2', 'c: 3'])
    expect(screen.queryByRole('radio', { name: 'JSON' })).toBeNull()
  })

  test('[CDET-04] chosen lines come from the address and go there', async () => {
    const { here } = show([item()], `/catalog/${id}?selected=L2-L3`)
    await lines()
    await waitFor(() =>
      expect([...document.querySelectorAll('.cm-chosenLine')].map((line) => line.textContent)).toEqual([
        'kind: Pod',
        'spec:',
      ]),
    )
    expect(screen.getByText('Lines 2–3 selected')).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'JSON' }))
    await waitFor(() => expect(here()).toBe(`/catalog/${id}?format=json`))
  })
})

test('checks about an item, each once, open in health', async () => {
  const { here } = show([item()], `/catalog/${id}/checks`)
  const rows = await screen.findAllByRole('row', { name: /front page/ })
  expect(rows).toHaveLength(1)
  expect(rows[0]!.textContent).toContain('unhealthy')
  fireEvent.click(rows[0]!)
  await waitFor(() => expect(here()).toBe('/health?checkId=check-1'))
})
