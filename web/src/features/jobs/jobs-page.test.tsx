import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { As, renderPage } from '@/testing/render.tsx'
import { jobFilters, resourceTypes, runDurations, runMillis } from './jobs.filters.ts'
import { JobsPage } from './jobs-page.tsx'

const run = {
  id: 'j1',
  name: 'TopologyRun',
  agent: { id: 'a1', name: 'edge' },
  resource_id: 't1',
  resource_type: 'topology',
  resource_name: 'shop',
  status: 'FAILED',
  time_start: '2026-01-01T09:00:00Z',
  duration_millis: 5012,
  success_count: 0,
  error_count: 1,
  created_at: '2026-01-01T09:00:05Z',
  details: { errors: ['the cluster did not answer'] },
}
const lists = 'GET /api/db/job_histories'
const names = 'GET /api/db/job_history_names'
const page = (at = '/settings/jobs') =>
  renderPage(
    <As roles={['admin']}>
      <JobsPage />
    </As>,
    at,
  )
const lastQuery = (server: ReturnType<typeof fakeServer>) =>
  server.calls.filter(({ path }) => path === '/api/db/job_histories').at(-1)!.query

test('[JOBS-03] [JOBS-04] without parameters: 50 rows, newest first, no successes, two days', async () => {
  const server = fakeServer({ [lists]: [run] })
  page()
  expect(await screen.findByText('TopologyRun')).toBeTruthy()
  const query = lastQuery(server)
  expect(query.get('limit')).toBe('50')
  expect(query.get('offset')).toBe('0')
  expect(query.get('order')).toBe('created_at.desc')
  expect(query.get('status.filter')).toBe('!SUCCESS')
  const [from, to] = [...query.get('and')!.matchAll(/"([^"]+)"/g)].map((match) => Date.parse(match[1]!))
  expect(to! - from!).toBe(2 * 86_400_000)
  expect(server.calls.some(({ headers }) => headers.Prefer?.includes('count=exact'))).toBe(true)
})

test('the rows are shown while their total is still being counted', async () => {
  let count: (() => void) | undefined
  fakeServer({
    [lists]: async ({ headers }: { headers: Record<string, string> }) => {
      if (headers.Prefer?.includes('count=exact')) await new Promise<void>((resolve) => (count = resolve))
      return [run]
    },
  })
  page()
  expect(await screen.findByText('TopologyRun')).toBeTruthy()
  await waitFor(() => expect(count).toBeDefined())
  expect(screen.getByRole('table', { name: 'Job history' }).getAttribute('aria-busy')).toBe('true')
  count!()
  await waitFor(() => expect(screen.getByRole('table', { name: 'Job history' }).getAttribute('aria-busy')).toBeNull())
  expect(screen.getByText('TopologyRun')).toBeTruthy()
})

test('[JOBS-02] every part of the list stands in the address, and is read from it', () => {
  const address =
    'rangeType=absolute&display=Custom&from=2026-01-01T00%3A00%3A00.000Z&to=2026-01-02T00%3A00%3A00.000Z' +
    '&name=TopologyRun%3A1&sortBy=status&sortOrder=asc&status=FAILED%3A1&runDuration=1m&resource_type=topology%3A1' +
    '&pageIndex=2&pageSize=100'
  const filters = jobFilters.read(address)
  expect(filters).toMatchObject({
    name: { TopologyRun: 1 },
    status: { FAILED: 1 },
    resource_type: { topology: 1 },
    runDuration: '1m',
    sort: { id: 'status', desc: false },
    pageIndex: 2,
    pageSize: 100,
  })
  expect(Object.fromEntries(jobFilters.write(filters))).toEqual(Object.fromEntries(new URLSearchParams(address)))
  expect(jobFilters.read('range=now-7d&timeRange=7d').range).toMatchObject({ type: 'relative', range: '7d' })
  expect(jobFilters.read('rangeType=mapped&display=Yesterday').range).toMatchObject({ display: 'Yesterday' })
})

test('clearing the status filter shows all runs, and the address says so', () => {
  expect(jobFilters.write({ status: {} }).toString()).toBe('status=all')
  expect(jobFilters.read('status=all').status).toEqual({})
  expect(jobFilters.read('').status).toEqual({ SUCCESS: -1 })
})

test('[JOBS-05] resource types and run durations are fixed lists', () => {
  expect(resourceTypes.map(({ value }) => value)).toEqual(['canary', 'topology', 'config_scraper'])
  expect(runDurations.length).toBeGreaterThan(5)
  expect(runDurations.every(({ value }) => runMillis(value)! >= 1000)).toBe(true)
  expect(runMillis('1m')).toBe(60_000)
  expect(runMillis('constructor')).toBeUndefined()
})

test('[JOBS-01] [JOBS-06] [JOBS-12] filters reach the server', async () => {
  const server = fakeServer({ [lists]: [run], [names]: [{ name: 'CleanupQueue' }, { name: 'TopologyRun' }] })
  const view = page('/settings/jobs?pageIndex=3&status=all')
  const bar = screen.getByRole('search')
  for (const name of [/Job name/, /Resource type/, /Status/, /Run duration/, /Time range/])
    expect(within(bar).getByRole('button', { name })).toBeTruthy()
  expect(server.asked('job_history_names')).toEqual([])

  await userEvent.click(within(bar).getByRole('button', { name: 'Job name' }))
  await screen.findByText('CleanupQueue')
  expect(server.asked('job_history_names')).toEqual(['GET /api/db/job_history_names?order=name.asc'])
  await userEvent.click(screen.getByText('CleanupQueue'))
  await waitFor(() => expect(lastQuery(server).get('name.filter')).toBe('CleanupQueue'))
  expect(lastQuery(server).get('offset')).toBe('0')
  expect(view.here()).not.toContain('pageIndex')
  await userEvent.keyboard('{Escape}')

  await userEvent.click(within(bar).getByRole('button', { name: 'Status' }))
  const options = await screen.findByRole('listbox')
  expect(
    within(options)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Running', 'Success', 'Warning', 'Failed'])
  await userEvent.click(within(options).getByText('Failed').parentElement!.querySelector('[data-sign="-1"]')!)
  await waitFor(() => expect(lastQuery(server).get('status.filter')).toBe('!FAILED'))
  await userEvent.keyboard('{Escape}')

  await userEvent.click(within(bar).getByRole('button', { name: 'Run duration' }))
  await userEvent.click(await screen.findByText('over 5 minutes'))
  await waitFor(() => expect(lastQuery(server).get('duration_millis')).toBe('gte.300000'))
  expect(view.here()).toContain('runDuration=5m')
}, 20_000)

test('[JOBS-01] [JOBS-10] a run shows its fields, links to its resource and agent, and opens its details', async () => {
  fakeServer({ [lists]: [run] })
  page()
  const row = (await screen.findByText('TopologyRun')).closest('tr')!
  for (const text of ['topology', 'shop', 'Failed', '5s', '0', '1', 'the cluster did not answer'])
    expect(within(row).getByText(text)).toBeTruthy()
  expect(within(row).getByRole('link', { name: 'shop' }).getAttribute('href')).toBe('/settings/topologies/t1')
  expect(within(row).getByRole('link', { name: 'edge' }).getAttribute('href')).toBe('/settings/agents?id=a1')
  await userEvent.click(within(row).getByText('TopologyRun'))
  expect(await screen.findByRole('dialog', { name: 'TopologyRun: shop' })).toBeTruthy()
})

test('a header click sorts on the server', async () => {
  const server = fakeServer({ [lists]: [run] })
  const view = page()
  await userEvent.click(await screen.findByRole('button', { name: /^Duration/ }))
  await waitFor(() => expect(lastQuery(server).get('order')).toBe('duration_millis.asc'))
  expect(view.here()).toContain('sortBy=duration_millis&sortOrder=asc')
})

test('[JOBS-13] a list that cannot be loaded says why, and can be tried again', async () => {
  const server = fakeServer({ [lists]: answer(500, { message: 'The database is away' }) })
  page()
  expect(within(await screen.findByRole('alert')).getAllByText(/The database is away/).length).toBeGreaterThan(0)
  server.handlers[lists] = [run]
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('TopologyRun')).toBeTruthy()
})
