import { relativeRange } from '@quarterdeck/contract/time-range'
import { Play } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '@/app/paths.ts'
import { JobStatus } from '@/entities/job-history/job-status.tsx'
import { Age } from '@/ui/age.tsx'
import { Duration } from '@/ui/figures.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import type { Column } from '@/ui/table/column.ts'
import type { JobLine } from './job-list.queries.ts'
import { jobFilters } from './jobs.filters.ts'

/** The history, narrowed to one job. */
const runsOf = (name: string) =>
  `${paths.jobs}?${jobFilters.write({ name: { [name]: 1 }, status: {}, range: relativeRange('30d') }, new URLSearchParams()).toString()}`

const count = (
  id: 'runs' | 'success' | 'warning' | 'failed',
  header: string,
  { tone, hidden }: { tone?: string; hidden?: boolean } = {},
): Column<JobLine> => ({
  id,
  header,
  hidden,
  size: hidden ? 95 : 85,
  align: 'right',
  value: (job) => job[id],
  cell: (job) => <span className={job[id] ? tone : 'text-subtle'}>{job[id]}</span>,
})
const took = (
  id: 'average_millis' | 'p95_millis' | 'longest_millis',
  header: string,
  hint: string,
): Column<JobLine> => ({
  id,
  header,
  hint,
  size: 95,
  align: 'right',
  value: (job) => job[id],
  cell: (job) => <Duration ms={job[id]} />,
})

/** Columns of the jobs; the last one runs a job, for who may. */
export function jobListColumns(run: ((job: { id: string; name: string }) => void) | undefined): Column<JobLine>[] {
  return [
    {
      id: 'name',
      header: 'Job',
      grow: true,
      minSize: 200,
      required: true,
      value: (job) => job.name,
      cell: (job) => (
        <Link
          to={runsOf(job.name)}
          title={`Runs of ${job.name}`}
          className="min-w-0 truncate font-medium text-accent-text hover:underline"
        >
          {job.name}
        </Link>
      ),
    },
    {
      id: 'last_status',
      header: 'Status',
      size: 105,
      value: (job) => job.last_status,
      cell: (job) => <JobStatus status={job.last_status} />,
    },
    {
      id: 'last_run_at',
      header: 'Last Run',
      size: 95,
      align: 'right',
      value: (job) => job.last_run_at,
      cell: (job) => <Age value={job.last_run_at} />,
    },
    {
      id: 'schedule',
      header: 'Schedule',
      size: 120,
      value: (job) => job.schedule,
      cell: (job) =>
        job.schedule ?? <span className="text-subtle">{job.resource_type && `per ${job.resource_type}`}</span>,
    },
    {
      id: 'next_run_at',
      header: 'Next Run',
      size: 105,
      align: 'right',
      value: (job) => job.next_run_at,
      cell: (job) => <Age value={job.next_run_at} />,
    },
    count('runs', 'Runs'),
    count('success', 'Success', { hidden: true }),
    count('warning', 'Warning', { tone: 'text-warn-text', hidden: true }),
    count('failed', 'Failed', { tone: 'text-bad-text' }),
    took('average_millis', 'Average', 'Mean duration of the last 200 runs'),
    took('p95_millis', 'p95', '95 of 100 of the last 200 runs were faster'),
    { ...took('longest_millis', 'Longest', 'Slowest of the last 200 runs'), hidden: true },
    {
      id: 'last_error',
      header: 'Last Error',
      size: 150,
      value: (job) => job.last_failed_at,
      cell: (job) =>
        job.last_failed_at && (
          <span className="flex min-w-0 gap-2" title={job.last_error ?? undefined}>
            <Age value={job.last_failed_at} />
            <span className="truncate text-muted">{job.last_error}</span>
          </span>
        ),
    },
    ...(run
      ? [
          {
            id: 'run',
            header: 'Run',
            size: 60,
            required: true,
            cell: ({ id, name, resource_type: type, schedule }: JobLine) =>
              id !== undefined &&
              // Jobs of single resources are run from their page.
              (schedule || !type) && (
                <IconButton icon={Play} label={`Run ${name} now`} onClick={() => run({ id, name })} />
              ),
          },
        ]
      : []),
  ]
}
