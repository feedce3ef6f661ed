import type { Role } from '@quarterdeck/contract/permissions'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { AccessProvider } from '@/api/access.tsx'
import { referenceServer } from '@/api/capabilities.ts'
import { fakeServer } from '@/testing/fake-server.ts'
import { As, renderPage } from '@/testing/render.tsx'
import { mergeJobs } from './job-list.queries.ts'
import { JobListPage } from './job-list-page.tsx'
import { JobsPage } from './jobs-page.tsx'

const scheduled = (more: object) => ({
  id: 'CleanupQueue',
  name: 'CleanupQueue',
  resource_type: null,
  schedule: '@every 24h',
  next_run_at: '2026-01-02T00:00:00Z',
  last_run_at: null,
  ...more,
})
const statistics = (more: object) => ({
  name: 'CleanupQueue',
  runs: 12,
  success: 9,
  warning: 1,
  failed: 2,
  running: 0,
  other: 0,
  average_millis: 1500,
  p95_millis: 4000,
  longest_millis: 9000,
  last_status: 'FAILED',
  last_run_at: '2026-01-01T00:00:00Z',
  last_failed_at: '2026-01-01T00:00:00Z',
  last_error: 'the queue is gone',
  ...more,
})
const jobs = 'GET /api/v1/jobs'
const figures = 'GET /api/v1/jobs/statistics'

const open = (role: Role = 'admin') =>
  renderPage(
    <As roles={[role]}>
      <JobListPage />
    </As>,
    '/settings/jobs/statistics',
  )

test('every job with its schedule and how its runs went; what only the history knows comes too', async () => {
  fakeServer({
    [jobs]: [scheduled({}), scheduled({ id: 'Topology', name: 'Topology', resource_type: 'topology', schedule: null })],
    [figures]: [statistics({}), statistics({ name: 'Gone', last_status: 'SUCCESS' })],
  })
  open()
  const table = within(await screen.findByRole('table', { name: 'Jobs' }))
  const line = within((await table.findByText('CleanupQueue')).closest('tr')!)
  for (const text of ['Failed', '@every 24h', '12', '2', 'the queue is gone']) expect(line.getByText(text)).toBeTruthy()
  expect(line.getByRole('link', { name: 'CleanupQueue' }).getAttribute('href')).toMatch(
    /^\/settings\/jobs\?name=CleanupQueue%3A1&status=all/,
  )
  expect(table.getByText('per topology')).toBeTruthy()
  // Neither a job of single resources nor one that is no more can be run from here.
  expect(table.getAllByRole('button', { name: /^Run .* now$/ })).toHaveLength(1)
  expect(table.getByText('Gone')).toBeTruthy()
})

test('an administrator runs one now; others do not see the button', async () => {
  const server = fakeServer({
    [jobs]: [scheduled({ id: 'a/b' })],
    [figures]: [],
    'POST /api/v1/jobs/a%2Fb/run': { queued: true },
  })
  const view = open()
  await userEvent.click(await screen.findByRole('button', { name: 'Run CleanupQueue now' }))
  expect(await screen.findByText('CleanupQueue starts now')).toBeTruthy()
  expect(server.asked('POST')).toEqual(['POST /api/v1/jobs/a%2Fb/run'])
  await waitFor(() => expect(server.asked(figures).length).toBeGreaterThan(1))
  view.unmount()
  open('editor')
  await screen.findByText('CleanupQueue')
  expect(screen.queryByRole('button', { name: /^Run / })).toBeNull()
})

test('two jobs of one name are two lines', () => {
  const lines = mergeJobs([scheduled({ id: 'a' }), scheduled({ id: 'b' })], [statistics({})])
  expect(lines.map(({ key, runs }) => [key, runs])).toEqual([
    ['a', 12],
    ['b', 12],
  ])
})

test('the history leads to the figures, where the server has them', async () => {
  fakeServer({ 'GET /api/db/job_histories': [] })
  const page = (version: string) => (
    <AccessProvider
      me={{ user: { id: 'p', name: 'Ada', email: 'a@example.test' }, roles: ['viewer'] }}
      properties={[]}
      capabilities={{ ...referenceServer, version }}
    >
      <JobsPage />
    </AccessProvider>
  )
  const view = renderPage(page('1'), '/settings/jobs')
  expect((await screen.findByRole('link', { name: 'Statistics' })).getAttribute('href')).toBe(
    '/settings/jobs/statistics',
  )
  view.unmount()
  renderPage(page(''), '/settings/jobs')
  await screen.findByRole('table', { name: 'Job history' })
  expect(screen.queryByRole('link', { name: 'Statistics' })).toBeNull()
})
