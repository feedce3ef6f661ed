import { Age } from '@/ui/age.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import type { Column } from '@/ui/table/column.ts'
import { TagList } from '@/ui/tag-list.tsx'
import { AgentBadge } from '../agent-badge.tsx'
import { JobStatus } from '../job-history/job-status.tsx'
import { PersonAvatar } from '../person-avatar.tsx'
import { nameOf, type ResourceColumn, type ResourceKind, type ResourceRow } from './resource-kind.ts'

type Definition = Omit<Column<ResourceRow>, 'id' | 'hidden' | 'cell'> & {
  /** The column of the table, where it differs. */
  id?: string
  cell: (row: ResourceRow, kind: ResourceKind) => React.ReactNode
}

const age = (header: string, read: (row: ResourceRow) => string | null | undefined, id?: string): Definition => ({
  id,
  header,
  size: header.length > 8 ? 110 : 95,
  align: 'right',
  cell: (row) => <Age value={read(row)} />,
})

const definitions: Record<ResourceColumn, Definition> = {
  name: {
    header: 'Name',
    grow: true,
    minSize: 160,
    required: true,
    cell: (row, kind) => (
      <span className="flex min-w-0 items-center gap-2">
        <Icon name={row.icon ?? kind.iconOf?.(row)} fallback={kind.icon} />
        <span className="truncate font-medium" title={nameOf(kind, row)}>
          {nameOf(kind, row)}
        </span>
        <AgentBadge agent={row.agent?.id && row.agent.name ? { id: row.agent.id, name: row.agent.name } : null} />
      </span>
    ),
  },
  source: {
    header: 'Source',
    size: 95,
    cell: (row) => <span className="truncate text-muted">{row.source}</span>,
  },
  schedule: {
    header: 'Schedule',
    size: 120,
    cell: (row) => row.schedule ?? (typeof row.interval === 'string' ? `@every ${row.interval}s` : null),
  },
  namespace: { header: 'Namespace', size: 120, cell: (row) => <span className="truncate">{row.namespace}</span> },
  job_status: {
    header: 'Job Status',
    size: 110,
    cell: (row) => (
      <span title={row.job_details?.errors?.join('\n')}>
        <JobStatus status={row.job_status} />
      </span>
    ),
  },
  last_run: age('Last Run', (row) => row.last_runtime ?? row.job_time_start, 'job_time_start'),
  job_last_failed: age('Last Failed', (row) => row.job_last_failed),
  tags: { header: 'Tags', size: 176, cell: (row) => <TagList tags={row.labels} max={1} /> },
  created_at: age('Created', (row) => row.created_at),
  updated_at: age('Updated', (row) => row.updated_at),
  created_by: {
    header: 'Created By',
    size: 140,
    cell: (row) => <PersonAvatar person={row.created_by} size={20} withName />,
  },
}

/** In the order in which lists show them. */
const order = Object.keys(definitions) as ResourceColumn[]
/** What only a view of the jobs, or nobody, can sort by. */
const ofJobs = new Set<ResourceColumn>(['job_status', 'last_run', 'job_last_failed'])
const neverSorted = new Set<ResourceColumn>(['tags', 'created_by'])

/** The columns of a table's list, some of them hidden until they are chosen. */
export function resourceColumns(kind: ResourceKind): Column<ResourceRow>[] {
  const columns = order
    .filter((column) => !kind.without?.includes(column))
    .map((column): Column<ResourceRow> => {
      const { cell, id = column, ...rest } = definitions[column]
      const isName = column === 'name'
      return {
        ...rest,
        id: isName ? (kind.nameColumn ?? 'name') : column === 'last_run' ? (kind.runColumn ?? id) : id,
        hidden: kind.hidden.includes(column),
        sortable: !neverSorted.has(column) && (kind.list !== undefined || !ofJobs.has(column)),
        cell: (row) => cell(row, kind),
      }
    })
  const extra = (kind.extra ?? []).map(({ id, header, size = 160, value }): Column<ResourceRow> => ({
    id,
    header,
    size,
    sortable: true,
    cell: (row) => (
      <span className="truncate" title={value(row) ?? undefined}>
        {value(row)}
      </span>
    ),
  }))
  return [...columns.slice(0, 1), ...extra, ...columns.slice(1)]
}
