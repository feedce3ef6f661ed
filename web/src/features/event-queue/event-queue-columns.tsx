import { Age } from '@/ui/age.tsx'
import { formatNumber } from '@/lib/format.ts'
import type { Column } from '@/ui/table/column.ts'
import type { EventSummary } from './event-queue.queries.ts'

/** The failed count and the error open what failed; the rest of the row does too. */
export const eventQueueColumns = (open: (row: EventSummary) => void): Column<EventSummary>[] => [
  {
    id: 'name',
    header: 'Name',
    size: 230,
    required: true,
    value: (row) => row.name,
    cell: (row) => <span className="font-medium">{row.name}</span>,
  },
  {
    id: 'pending',
    header: 'Pending',
    size: 90,
    align: 'right',
    value: (row) => row.pending,
    cell: (row) => formatNumber(row.pending),
  },
  {
    id: 'failed',
    header: 'Failed',
    size: 90,
    align: 'right',
    value: (row) => row.failed,
    cell: (row) =>
      row.failed > 0 ? (
        <button
          type="button"
          aria-label={`${row.failed} failed events of ${row.name}`}
          onClick={() => open(row)}
          className="rounded-sm font-medium text-bad-text hover:underline"
        >
          {formatNumber(row.failed)}
        </button>
      ) : (
        0
      ),
  },
  {
    id: 'average_attempts',
    header: 'Average attempts',
    size: 160,
    align: 'right',
    value: (row) => row.average_attempts,
    cell: (row) => row.average_attempts,
  },
  {
    id: 'first_failure',
    header: 'First failure',
    size: 110,
    align: 'right',
    value: (row) => row.first_failure,
    cell: (row) => <Age value={row.first_failure} />,
  },
  {
    id: 'last_failure',
    header: 'Last failure',
    size: 110,
    align: 'right',
    value: (row) => row.last_failure,
    // The server tells the last try of any event; without a failed one it was no failure.
    cell: (row) => row.failed > 0 && <Age value={row.last_failure} />,
  },
  {
    id: 'most_common_error',
    header: 'Most common error',
    grow: true,
    minSize: 220,
    value: (row) => row.most_common_error,
    cell: (row) =>
      row.most_common_error && (
        <button
          type="button"
          title={row.most_common_error}
          onClick={() => open(row)}
          className="max-w-full truncate rounded-sm text-left text-muted hover:text-fg hover:underline"
        >
          {row.most_common_error}
        </button>
      ),
  },
]
