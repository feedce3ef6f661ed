import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatNumber } from '@/lib/format.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ListPage } from '@/ui/list/list-page.tsx'
import { type EventSummary, eventQueueQuery } from './event-queue.queries.ts'
import { eventQueueColumns } from './event-queue-columns.tsx'
import { FailedEventsDialog } from './failed-events-dialog.tsx'

const sum = (rows: readonly EventSummary[], of: (row: EventSummary) => number) =>
  formatNumber(rows.reduce((total, row) => total + of(row), 0))

/** Events that wait to be handled, by name, and those that failed. */
export function EventQueuePage() {
  const queue = useQuery(eventQueueQuery)
  const rows = queue.data
  const [opened, setOpened] = useState<EventSummary>()
  const columns = useMemo(() => eventQueueColumns(setOpened), [])
  return (
    <ListPage
      id="event-queue"
      label="Event queue"
      noun="event"
      query={queue}
      rows={rows}
      isLocal
      columns={columns}
      rowId={(row) => row.name}
      onRowClick={(row) => (row.failed > 0 || row.most_common_error) && setOpened(row)}
      rowClassName={(row) => (row.failed > 0 ? undefined : 'cursor-default')}
      summary={rows && `${sum(rows, (row) => row.pending)} pending, ${sum(rows, (row) => row.failed)} failed`}
      tools={['refresh']}
      empty={
        <EmptyState icon={Inbox} title="The queue is empty">
          Everything that happened has been handled. Events that wait or fail appear here.
        </EmptyState>
      }
    >
      {opened && <FailedEventsDialog summary={opened} onClose={() => setOpened(undefined)} />}
    </ListPage>
  )
}
