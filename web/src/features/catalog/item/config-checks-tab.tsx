import { queryOptions, useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { useNavigate } from 'react-router'
import { from } from '@/api/data-api.ts'
import { paths } from '@/app/paths.ts'
import { ConfigFrame } from '@/entities/config/config-frame.tsx'
import { configKeys } from '@/entities/config/config.queries.ts'
import { Age } from '@/ui/age.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import { Status } from '@/ui/status.tsx'
import type { Column } from '@/ui/table/column.ts'
import { DataTable } from '@/ui/table/data-table.tsx'

interface LinkedCheck {
  id: string
  name: string
  type: string
  icon: string | null
  namespace: string | null
  status: string | null
  severity: string | null
  last_runtime: string | null
  last_transition_time: string | null
  deleted_at: string | null
}

const checksQuery = (configId: string) =>
  queryOptions({
    queryKey: [...configKeys.all, 'checks', configId],
    queryFn: async ({ signal }) => {
      const links = await from<{ checks: LinkedCheck | null }>('check_config_relationships')
        .select('checks(id,name,type,icon,namespace,status,severity,last_runtime,last_transition_time,deleted_at)')
        .eq('config_id', configId)
        .isNull('deleted_at')
        .rows({ signal })
      // A check may be linked by several selectors.
      const checks = links.flatMap((link) => (link.checks && !link.checks.deleted_at ? [link.checks] : []))
      return [...new Map(checks.map((check) => [check.id, check])).values()]
    },
    meta: { relations: ['check_config_relationships', 'checks'], quiet: true },
  })

const columns: Column<LinkedCheck>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: true,
    minSize: 220,
    required: true,
    value: (check) => check.name,
    cell: (check) => (
      <span className="flex min-w-0 items-center gap-2">
        <Icon name={check.icon} fallback={check.type} />
        <span className="truncate">{check.name}</span>
      </span>
    ),
  },
  { id: 'type', header: 'Type', size: 140, value: (check) => check.type, cell: (check) => check.type },
  {
    id: 'namespace',
    header: 'Namespace',
    size: 160,
    value: (check) => check.namespace,
    cell: (check) => check.namespace,
  },
  {
    id: 'status',
    header: 'Health',
    size: 130,
    value: (check) => check.status,
    cell: (check) => <Status status={check.status} />,
  },
  {
    id: 'last_runtime',
    header: 'Last run',
    size: 110,
    align: 'right',
    value: (check) => check.last_runtime && new Date(check.last_runtime),
    cell: (check) => <Age value={check.last_runtime} />,
  },
  {
    id: 'last_transition_time',
    header: 'Transition',
    size: 110,
    align: 'right',
    value: (check) => check.last_transition_time && new Date(check.last_transition_time),
    cell: (check) => <Age value={check.last_transition_time} />,
  },
]

/** The page of an item that shows the health checks about it. */
export function ConfigChecksPage() {
  return <ConfigFrame>{(item) => <LinkedChecks key={item.id} configId={item.id} />}</ConfigFrame>
}

function LinkedChecks({ configId }: { configId: string }) {
  const navigate = useNavigate()
  const { data, error, isFetching, refetch } = useQuery(checksQuery(configId))
  return (
    <DataTable
      id="config-checks"
      label="Health checks of this item"
      columns={columns}
      rows={data}
      rowId={(check) => check.id}
      error={data ? undefined : error}
      onRetry={() => void refetch()}
      isFetching={isFetching}
      onRowClick={(check, { newTab }) =>
        newTab ? window.open(paths.check(check.id), '_blank', 'noopener') : void navigate(paths.check(check.id))
      }
      empty={
        <EmptyState icon={Activity} title="No checks about this item">
          A health check that names this item in its relationships is listed here.
        </EmptyState>
      }
    />
  )
}
