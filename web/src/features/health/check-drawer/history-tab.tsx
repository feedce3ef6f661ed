import type { HealthRange } from '@quarterdeck/contract/time-range'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Age } from '@/ui/age.tsx'
import { Combobox } from '@/ui/combobox.tsx'
import { Millis } from '@/ui/figures.tsx'
import { Segmented } from '@/ui/segmented.tsx'
import type { Column } from '@/ui/table/column.ts'
import { DataTable } from '@/ui/table/data-table.tsx'
import { type CheckRun, historyQuery } from './check.queries.ts'
import {
  durationChoices,
  parseDurationFilter,
  type StatusChoice,
  statusChoices,
  statusFilter,
} from './duration-filter.ts'
import { RunDialog, RunStatus } from './run-dialog.tsx'

const columns: Column<CheckRun>[] = [
  { id: 'time', header: 'Age', size: 90, required: true, cell: (run) => <Age value={run.time} /> },
  {
    id: 'status',
    header: 'Status',
    size: 120,
    cell: (run) => <RunStatus run={run} />,
  },
  { id: 'duration', header: 'Duration', size: 100, align: 'right', cell: (run) => <Millis ms={run.duration} /> },
  {
    id: 'message',
    header: 'Message',
    grow: true,
    minSize: 160,
    cell: (run) => (
      <span className="truncate" title={[run.message, run.error].filter(Boolean).join('\n')}>
        {run.message} {run.error && <span className="text-bad-text">{run.error}</span>}
      </span>
    ),
  },
]

/** The single runs of a check, newest first. */
export function HistoryTab({ id, range }: { id: string; range: HealthRange }) {
  const [status, setStatus] = useState<StatusChoice>('All')
  const [duration, setDuration] = useState('All')
  const [page, setPage] = useState({ pageIndex: 0, pageSize: 50 })
  const [opened, setOpened] = useState<CheckRun>()
  const parsed = parseDurationFilter(duration)
  const firstPage = () => setPage((current) => ({ ...current, pageIndex: 0 }))
  const { data, error, isFetching, refetch } = useQuery({
    ...historyQuery(id, { range, status: statusFilter(status), duration: parsed.ok ? parsed.ms : undefined, ...page }),
    enabled: parsed.ok,
  })
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 py-2">
        <Segmented
          aria-label="Status"
          value={status}
          options={statusChoices.map((value) => ({ value, label: value }))}
          onChange={(value) => {
            setStatus(value)
            firstPage()
          }}
        />
        <div className="w-44">
          <Combobox
            aria-label="Duration"
            value={duration}
            creatable
            clearable={false}
            options={['All', ...durationChoices].map((value) => ({
              value,
              label: value === 'All' ? 'Any duration' : `${value} or longer`,
            }))}
            onChange={(value) => {
              setDuration(value ?? 'All')
              firstPage()
            }}
          />
        </div>
        {!parsed.ok && (
          <p role="alert" className="text-sm text-bad-text">
            {parsed.message}
          </p>
        )}
      </div>
      <DataTable
        id="check-history"
        label="Runs"
        columns={columns}
        rows={data?.data}
        rowId={(run) => run.time}
        error={data ? undefined : error}
        onRetry={() => void refetch()}
        isFetching={isFetching}
        serverSort
        onRowClick={setOpened}
        pagination={{ ...page, total: data?.totalEntries ?? 0, onChange: setPage }}
      />
      {opened && <RunDialog run={opened} onClose={() => setOpened(undefined)} />}
    </div>
  )
}
