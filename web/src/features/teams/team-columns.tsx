import { JobStatus } from '@/entities/job-history/job-status.tsx'
import { PersonAvatar } from '@/entities/person-avatar.tsx'
import { Age } from '@/ui/age.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import type { Column } from '@/ui/table/column.ts'
import type { TeamRow } from './teams.queries.ts'

const age = (
  id: 'job_time_start' | 'job_last_failed' | 'created_at' | 'updated_at',
  header: string,
): Column<TeamRow> => ({
  id,
  header,
  size: 115,
  align: 'right',
  sortable: true,
  cell: (team) => <Age value={team[id]} />,
})

export const teamColumns: Column<TeamRow>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: true,
    minSize: 200,
    required: true,
    sortable: true,
    cell: (team) => (
      <span className="flex min-w-0 items-center gap-2">
        <Icon name={team.icon} fallback="team" />
        <span className="truncate font-medium">{team.name}</span>
      </span>
    ),
  },
  {
    id: 'source',
    header: 'Source',
    size: 130,
    sortable: true,
    cell: (team) => <span className="text-muted">{team.source}</span>,
  },
  {
    id: 'job_status',
    header: 'Job Status',
    size: 120,
    sortable: true,
    cell: (team) => (
      <span title={team.job_details?.errors?.join('\n')}>
        <JobStatus status={team.job_status} />
      </span>
    ),
  },
  age('job_time_start', 'Last Run'),
  age('job_last_failed', 'Last Failed'),
  age('created_at', 'Created'),
  age('updated_at', 'Updated'),
  {
    id: 'created_by',
    header: 'Created By',
    size: 170,
    cell: (team) => <PersonAvatar person={team.created_by} size={20} withName />,
  },
]
