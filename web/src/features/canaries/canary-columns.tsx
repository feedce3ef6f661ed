import { Link } from 'react-router'
import { paths } from '@/app/paths.ts'
import { Age } from '@/ui/age.tsx'
import { Avatar } from '@/ui/avatar.tsx'
import { Badge } from '@/ui/badge.tsx'
import { Status, toHealth } from '@/ui/status.tsx'
import type { Column } from '@/ui/table/column.ts'
import { TagList } from '@/ui/tag-list.tsx'
import { type CanaryRow, nilAgent } from './canaries.queries.ts'

const scheduleOf = (row: CanaryRow) => row.schedule ?? (row.interval ? `@every ${row.interval}s` : null)

/** Words of a job's end as people say them: WARNING becomes Warning. */
export const jobWord = (status: string) => status.charAt(0).toUpperCase() + status.slice(1).toLowerCase()

export const canaryColumns: Column<CanaryRow>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: true,
    minSize: 160,
    required: true,
    value: (row) => row.name,
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium">{row.name}</span>
        <AgentLink row={row} />
      </span>
    ),
  },
  {
    id: 'source',
    header: 'Source',
    size: 100,
    value: (row) => row.source,
    cell: (row) => row.source && <span className="truncate text-muted">{row.source}</span>,
  },
  { id: 'schedule', header: 'Schedule', size: 120, value: scheduleOf, cell: scheduleOf },
  {
    id: 'namespace',
    header: 'Namespace',
    size: 120,
    hidden: true,
    value: (r) => r.namespace,
    cell: (r) => r.namespace,
  },
  {
    id: 'job_status',
    header: 'Job Status',
    size: 115,
    value: (row) => row.job_status,
    cell: ({ job_status: status, job_details: details }) =>
      status && (
        <span title={details?.errors?.join('\n')}>
          <Status health={toHealth(status)}>{jobWord(status)}</Status>
        </span>
      ),
  },
  {
    id: 'last_runtime',
    header: 'Last Run',
    size: 100,
    align: 'right',
    value: (row) => row.last_runtime,
    cell: (row) => <Age value={row.last_runtime} />,
  },
  {
    id: 'job_last_failed',
    header: 'Last Failed',
    size: 115,
    align: 'right',
    value: (row) => row.job_last_failed,
    cell: (row) => <Age value={row.job_last_failed} />,
  },
  { id: 'tags', header: 'Tags', size: 180, cell: (row) => <TagList tags={row.labels} max={1} /> },
  {
    id: 'created_at',
    header: 'Created',
    size: 95,
    align: 'right',
    value: (row) => row.created_at,
    cell: (row) => <Age value={row.created_at} />,
  },
  {
    id: 'updated_at',
    header: 'Updated',
    size: 95,
    align: 'right',
    value: (row) => row.updated_at,
    cell: (row) => <Age value={row.updated_at} />,
  },
  {
    id: 'created_by',
    header: 'Created By',
    size: 140,
    value: (row) => row.created_by?.name,
    cell: ({ created_by: person }) =>
      person && (
        <span className="flex min-w-0 items-center gap-2">
          <Avatar name={person.name} src={person.avatar} size={20} />
          <span className="truncate">{person.name}</span>
        </span>
      ),
  },
]

function AgentLink({ row: { agent } }: { row: CanaryRow }) {
  if (!agent?.id || agent.id === nilAgent) return null
  return (
    <Link to={paths.agent(agent.id)} onClick={(event) => event.stopPropagation()} className="shrink-0">
      <Badge tone="accent">{agent.name ?? 'agent'}</Badge>
    </Link>
  )
}
