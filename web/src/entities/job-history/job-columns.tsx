import { Link } from 'react-router'
import { Age } from '@/ui/age.tsx'
import { Duration } from '@/ui/figures.tsx'
import type { Column } from '@/ui/table/column.ts'
import { AgentBadge } from '../agent-badge.tsx'
import { type Job, resourcePath } from './job.ts'
import { JobStatus } from './job-status.tsx'

const linkClass = 'min-w-0 truncate text-accent-text hover:underline'

/** Columns of a list of runs; inside the tab of one resource the two about it are left out. */
export const jobColumns: Column<Job>[] = [
  {
    id: 'time_start',
    header: 'Started',
    size: 90,
    sortable: true,
    required: true,
    cell: (job) => <Age value={job.time_start ?? job.created_at} />,
  },
  {
    id: 'name',
    header: 'Job',
    size: 205,
    sortable: true,
    cell: (job) => (
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium" title={job.name ?? undefined}>
          {job.name}
        </span>
        <AgentBadge agent={job.agent?.id && job.agent.name ? { id: job.agent.id, name: job.agent.name } : null} />
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    size: 110,
    sortable: true,
    cell: (job) => <JobStatus status={job.status} />,
  },
  {
    id: 'resource_type',
    header: 'Resource type',
    size: 135,
    sortable: true,
    cell: (job) => <span className="truncate text-muted">{job.resource_type}</span>,
  },
  { id: 'resource_name', header: 'Resource', size: 200, sortable: true, cell: (job) => <ResourceLink job={job} /> },
  {
    id: 'duration_millis',
    header: 'Duration',
    size: 100,
    align: 'right',
    sortable: true,
    cell: (job) => <Duration ms={job.duration_millis} />,
  },
  {
    id: 'success_count',
    header: 'Success',
    size: 90,
    align: 'right',
    sortable: true,
    cell: (job) => job.success_count,
  },
  {
    id: 'error_count',
    header: 'Errors',
    size: 80,
    align: 'right',
    sortable: true,
    cell: (job) => <span className={job.error_count ? 'text-bad-text' : undefined}>{job.error_count}</span>,
  },
  {
    id: 'details',
    header: 'Details',
    grow: true,
    minSize: 160,
    cell: (job) => (
      <span className="truncate text-muted" title={job.details?.errors?.[0]}>
        {job.details?.errors?.[0]}
      </span>
    ),
  },
]

const aboutResource = new Set(['resource_type', 'resource_name'])
export const resourceJobColumns = jobColumns.filter(({ id }) => !aboutResource.has(id))

function ResourceLink({ job }: { job: Job }) {
  const to = resourcePath(job)
  const name = job.resource_name ?? job.resource_id
  if (!to) return <span className="truncate">{name}</span>
  return (
    <Link to={to} title={name ?? undefined} className={linkClass}>
      {name}
    </Link>
  )
}
