import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { jobWord } from '@/entities/job-history/job.ts'
import { plural } from '@/lib/format.ts'
import { Age } from '@/ui/age.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { Duration } from '@/ui/figures.tsx'
import { JsonView } from '@/ui/json-view.tsx'
import { ListPage } from '@/ui/list/list-page.tsx'
import { useOwnList } from '@/ui/list/use-list.ts'
import { Status, toHealth } from '@/ui/status.tsx'
import type { Column } from '@/ui/table/column.ts'
import { type JobRun, jobRunsQuery } from './canaries.queries.ts'

const columns: Column<JobRun>[] = [
  { id: 'time_start', header: 'Started', size: 90, required: true, cell: (run) => <Age value={run.time_start} /> },
  { id: 'name', header: 'Job', size: 180, cell: (run) => run.name },
  {
    id: 'status',
    header: 'Status',
    size: 120,
    cell: (run) => <Status health={toHealth(run.status)}>{jobWord(run.status)}</Status>,
  },
  {
    id: 'duration_millis',
    header: 'Duration',
    size: 100,
    align: 'right',
    cell: (run) => <Duration ms={run.duration_millis} />,
  },
  { id: 'success_count', header: 'Success', size: 90, align: 'right', cell: (run) => run.success_count },
  { id: 'error_count', header: 'Errors', size: 80, align: 'right', cell: (run) => run.error_count },
  {
    id: 'details',
    header: 'Details',
    grow: true,
    minSize: 160,
    cell: (run) => <span className="truncate text-muted">{run.details?.errors?.[0]}</span>,
  },
]

/** What the engine did with this canary: read, planned, refused. */
export function JobHistoryTab({ id }: { id: string }) {
  const list = useOwnList(50)
  const { pageIndex, pageSize } = list.values
  const runs = useQuery(jobRunsQuery(id, { pageIndex, pageSize }))
  const [opened, setOpened] = useState<JobRun>()
  return (
    <ListPage
      id="canary-jobs"
      label="Job history"
      noun="run"
      list={list}
      query={runs}
      rows={runs.data?.data}
      total={runs.data?.totalEntries}
      columns={columns}
      rowId={(run) => run.id}
      onRowClick={setOpened}
      tools={[]}
      empty={<EmptyState title="Nothing recorded yet" />}
    >
      {opened && <JobDetails run={opened} onClose={() => setOpened(undefined)} />}
    </ListPage>
  )
}

function JobDetails({ run, onClose }: { run: JobRun; onClose: () => void }) {
  const { errors, ...rest } = run.details ?? {}
  const hasMore = Object.keys(rest).length > 0
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={run.name} description={jobWord(run.status)}>
      {!errors?.length && !hasMore && <EmptyState title="No details found" />}
      {errors && errors.length > 0 && (
        <>
          <h3 className="mb-1 text-sm font-semibold">{plural(errors.length, 'error')}</h3>
          <ul className="flex flex-col gap-1 text-sm text-bad-text">
            {errors.map((error, index) => (
              <li key={index} className="break-words">
                {error}
              </li>
            ))}
          </ul>
        </>
      )}
      {hasMore && <JsonView value={rest} className="mt-3" />}
    </Dialog>
  )
}
