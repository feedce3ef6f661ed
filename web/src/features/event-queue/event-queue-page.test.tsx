import type { Role } from '@quarterdeck/contract/permissions'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { AccessProvider } from '@/api/access.tsx'
import { referenceServer } from '@/api/capabilities.ts'
import { onReport } from '@/api/report.ts'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { renderPage } from '@/testing/render.tsx'
import { toast } from '@/ui/toast.tsx'
import { EventQueuePage } from './event-queue-page.tsx'

const long = `smtp: connection refused\n${'at mail.example.test:587 '.repeat(20)}`.trim()
const rows = [
  {
    name: 'notification.send',
    pending: 3,
    failed: 1,
    average_attempts: 1.33,
    first_failure: '2026-01-01T00:00:00Z',
    last_failure: '2026-01-02T00:00:00Z',
    most_common_error: long,
  },
  {
    name: 'config.updated',
    pending: 40,
    failed: 0,
    average_attempts: 0,
    first_failure: null,
    last_failure: null,
    most_common_error: null,
  },
]
const failed = [
  {
    id: 'e1',
    name: 'notification.send',
    properties: { notification_id: 'n1' },
    error: 'refused',
    attempts: 4,
    created_at: '2026-01-01T00:00:00Z',
    last_attempt: '2026-01-02T00:00:00Z',
    dead_letter: true,
  },
]
beforeEach(() => onReport(toast.error))

const summary = 'GET /api/db/event_queue_summary'
const page = (roles: Role[], version = '1.0.0') =>
  renderPage(
    <AccessProvider
      me={{ user: { id: 'p1', name: 'Ada', email: 'ada@example.test' }, roles }}
      properties={[]}
      capabilities={{ ...referenceServer, version }}
    >
      <EventQueuePage />
    </AccessProvider>,
    '/settings/event-queue-status',
  )

test('[EVQ-01] [EVQ-03] one uncached GET shows the summary of every name', async () => {
  const server = fakeServer({ [summary]: rows })
  const view = page(['viewer'])
  const row = (await screen.findByText('notification.send')).closest('tr')!
  for (const text of ['3', '1', '1.33']) expect(within(row).getByText(text)).toBeTruthy()
  expect(within(row).getByRole('button', { name: /connection refused/ })).toBeTruthy()
  expect(within(row).getAllByText((_text, node) => node?.tagName === 'TIME')).toHaveLength(2)
  expect([...screen.getAllByRole('columnheader')].map((header) => header.textContent?.trim())).toEqual([
    'Name',
    'Pending',
    'Failed',
    'Average attempts',
    'First failure',
    'Last failure',
    'Most common error',
  ])
  expect(server.asked()).toEqual(['GET /api/db/event_queue_summary?order=last_failure.desc'])
  const { queries } = view
  view.unmount()
  await waitFor(() => expect(queries.getQueryData(['event-queue', 'summary'])).toBeUndefined())
})

test('[EVQ-02] the most common error opens in full', async () => {
  fakeServer({ [summary]: rows, 'GET /api/db/event_queue': failed })
  page(['editor'])
  await userEvent.click(await screen.findByRole('button', { name: /connection refused/ }))
  const dialog = await screen.findByRole('dialog', { name: 'notification.send' })
  expect(within(dialog).getByText((_text, node) => node?.tagName === 'PRE' && node.textContent === long)).toBeTruthy()
  await within(dialog).findByText('refused')
  expect(within(dialog).queryByRole('button', { name: /Retry|Discard/ })).toBeNull()
})

test('an administrator queues failed events again, one or all', async () => {
  const server = fakeServer({
    [summary]: rows,
    'GET /api/db/event_queue': failed,
    'POST /api/v1/event-queue/e1/retry': { name: 'notification.send' },
    'POST /api/v1/event-queue/retry': { count: 7 },
  })
  page(['admin'])
  await userEvent.click(await screen.findByRole('button', { name: '1 failed events of notification.send' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Retry this event' }))
  expect(await screen.findByText('1 event of notification.send queued again')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Retry all' }))
  expect(await screen.findByText('7 events of notification.send queued again')).toBeTruthy()
  expect(server.calls.find(({ path }) => path.endsWith('/event-queue/retry'))!.body).toEqual({
    name: 'notification.send',
  })
})

test('discarding asks first, and a refusal is told', async () => {
  const server = fakeServer({
    [summary]: rows,
    'GET /api/db/event_queue': failed,
    'DELETE /api/v1/event-queue': answer(403, { message: 'Only administrators may do this' }),
  })
  page(['admin'])
  await userEvent.click(await screen.findByRole('button', { name: '1 failed events of notification.send' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Discard all' }))
  expect(server.asked('DELETE')).toEqual([])
  const question = await screen.findByRole('alertdialog')
  await userEvent.click(within(question).getByRole('button', { name: 'Discard' }))
  expect(await screen.findByText('Only administrators may do this')).toBeTruthy()
  server.handlers['DELETE /api/v1/event-queue'] = { count: 1 }
  await userEvent.click(within(question).getByRole('button', { name: 'Discard' }))
  expect(await screen.findByText('1 event of notification.send discarded')).toBeTruthy()
  expect(server.asked('DELETE')[0]).toBe('DELETE /api/v1/event-queue?name=notification.send')
})

test('a server without these calls gets no buttons; an empty queue says so; a failure can be tried again', async () => {
  const server = fakeServer({ [summary]: rows, 'GET /api/db/event_queue': failed })
  const view = page(['admin'], '')
  await userEvent.click(await screen.findByRole('button', { name: '1 failed events of notification.send' }))
  await screen.findByText('refused')
  expect(screen.queryByRole('button', { name: 'Retry all' })).toBeNull()
  view.unmount()
  server.handlers[summary] = []
  const empty = page(['viewer'])
  expect(await screen.findByText('The queue is empty')).toBeTruthy()
  empty.unmount()
  server.handlers[summary] = answer(500, { message: 'The database is away' })
  page(['viewer'])
  expect((await screen.findByRole('alert')).textContent).toContain('The database is away')
})

test('names with failures stand first, in the order of the server otherwise', async () => {
  fakeServer({ [summary]: [{ ...rows[1], name: 'b' }, { ...rows[1], name: 'a' }, rows[0]] })
  page(['viewer'])
  await screen.findByText('notification.send')
  const names = screen.getAllByRole('row').map((row) => row.querySelector('td')?.textContent)
  expect(names).toEqual([undefined, 'notification.send', 'b', 'a'])
})
