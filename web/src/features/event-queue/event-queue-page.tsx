import { useQuery } from '@tanstack/react-query'
import { Inbox, RefreshCw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatNumber } from '@/lib/format.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import { type EventSummary, eventQueueQuery } from './event-queue.queries.ts'
import { eventQueueColumns } from './event-queue-columns.tsx'
import { FailedEventsDialog } from './failed-events-dialog.tsx'

const sum = (rows: readonly EventSummary[], of: (row: EventSummary) => number) =>
  rows.reduce((total, row) => total + of(row), 0)

/** Events that wait to be handled, by name, and those that failed. */
export function EventQueuePage() {
  const { data: rows, error, isFetching, refetch } = useQuery(eventQueueQuery)
  const [opened, setOpened] = useState<EventSummary>()
  const columns = useMemo(() => eventQueueColumns(setOpened), [])
  return (
    <div className="flex h-full flex-col">
      <div className="flex min-h-12 shrink-0 items-center gap-2 border-b border-line bg-surface px-4 py-2 text-sm text-muted">
        {rows && (
          <span>
            {formatNumber(sum(rows, (row) => row.pending))} pending, {formatNumber(sum(rows, (row) => row.failed))}{' '}
            failed
          </span>
        )}
        <span className="flex-1" />
        <IconButton icon={RefreshCw} label="Refresh" onClick={() => void refetch()} />
      </div>
      <div className="min-h-0 flex-1">
        <DataTable
          id="event-queue"
          label="Event queue"
          columns={columns}
          rows={rows}
          rowId={(row) => row.name}
          error={rows ? undefined : error}
          onRetry={() => void refetch()}
          isFetching={isFetching}
          onRowClick={(row) => (row.failed > 0 || row.most_common_error) && setOpened(row)}
          rowClassName={(row) => (row.failed > 0 ? undefined : 'cursor-default')}
          empty={
            <EmptyState icon={Inbox} title="The queue is empty">
              Everything that happened has been handled. Events that wait or fail appear here.
            </EmptyState>
          }
        />
      </div>
      {opened && <FailedEventsDialog summary={opened} onClose={() => setOpened(undefined)} />}
    </div>
  )
}
