import { AgentBadge } from '@/entities/agent-badge.tsx'
import { JobStatus } from '@/entities/job-history/job-status.tsx'
import { PersonAvatar } from '@/entities/person-avatar.tsx'
import { Age } from '@/ui/age.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import type { Column } from '@/ui/table/column.ts'
import { type Integration, integrationTypes, typeOf } from './integration.ts'

const age = (id: 'job_time_start' | 'created_at' | 'updated_at', header: string): Column<Integration> => ({
  id,
  header,
  size: 110,
  align: 'right',
  cell: (row) => <Age value={row[id]} />,
})

export const integrationColumns: Column<Integration>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: true,
    minSize: 200,
    required: true,
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-2">
        <Icon name={integrationTypes[typeOf(row)]?.icon} fallback={row.integration_type} />
        <span className="truncate font-medium" title={row.name}>
          {row.name}
        </span>
        <AgentBadge agent={row.agent?.id && row.agent.name ? { id: row.agent.id, name: row.agent.name } : null} />
      </span>
    ),
  },
  {
    id: 'integration_type',
    header: 'Type',
    size: 150,
    cell: (row) => integrationTypes[typeOf(row)]?.label ?? row.integration_type,
  },
  {
    id: 'namespace',
    header: 'Namespace',
    size: 130,
    cell: (row) => <span className="truncate text-muted">{row.namespace}</span>,
  },
  {
    id: 'source',
    header: 'Source',
    size: 120,
    cell: (row) => <span className="truncate text-muted">{row.source}</span>,
  },
  {
    id: 'job_status',
    header: 'Job Status',
    size: 120,
    cell: (row) => (
      <span title={[row.job_name, ...(row.job_details?.errors ?? [])].filter(Boolean).join('\n') || undefined}>
        <JobStatus status={row.job_status} />
      </span>
    ),
  },
  age('job_time_start', 'Last Run'),
  age('created_at', 'Created'),
  age('updated_at', 'Updated'),
  {
    id: 'created_by',
    header: 'Created By',
    size: 160,
    cell: (row) =>
      row.created_by &&
      row.creator_name && (
        <PersonAvatar
          person={{ id: row.created_by, name: row.creator_name, avatar: row.creator_avatar }}
          size={20}
          withName
        />
      ),
  },
]
