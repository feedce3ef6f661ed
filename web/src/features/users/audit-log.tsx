import type { AuditRow } from '@quarterdeck/contract/identity'
import { useQuery } from '@tanstack/react-query'
import { Download, ScrollText, SearchX } from 'lucide-react'
import { buttonClass } from '@/ui/button.tsx'
import { DateTime } from '@/ui/age.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { FilterBar } from '@/ui/filter/filter-bar.tsx'
import { Status } from '@/ui/status.tsx'
import type { Column } from '@/ui/table/column.ts'
import { DataTable } from '@/ui/table/data-table.tsx'
import { TimeRangePicker } from '@/ui/time-range/time-range-picker.tsx'
import { useFilters } from '@/lib/use-filters.ts'
import { auditExport, auditQuery, auditWord, auditWords } from './audit.queries.ts'
import { userFilters } from './users.filters.ts'

const actions = Object.entries(auditWords).map(([value, label]) => ({ value, label }))
const outcomes = [
  { value: 'success', label: 'Success' },
  { value: 'failure', label: 'Failure' },
]

const columns: Column<AuditRow>[] = [
  { id: 'at', header: 'When', size: 170, required: true, cell: (row) => <DateTime value={row.at} /> },
  { id: 'actor', header: 'Who', size: 180, cell: (row) => row.actor_name ?? <span className="text-subtle">–</span> },
  { id: 'action', header: 'What', size: 190, cell: (row) => auditWord(row.action) },
  {
    id: 'object',
    header: 'About',
    size: 220,
    cell: (row) => (
      <span title={[row.object_type, row.object_id].filter(Boolean).join(' ')}>{row.object_name ?? row.object_id}</span>
    ),
  },
  {
    id: 'outcome',
    header: 'Outcome',
    size: 110,
    cell: (row) => <Status health={row.outcome === 'failure' ? 'unhealthy' : 'healthy'}>{row.outcome}</Status>,
  },
  { id: 'ip', header: 'From', size: 130, cell: (row) => <span title={row.user_agent ?? undefined}>{row.ip}</span> },
  {
    id: 'details',
    header: 'Details',
    grow: true,
    minSize: 160,
    cell: (row) => {
      const text = detailsText(row.details)
      return (
        <span className="text-muted" title={text}>
          {text}
        </span>
      )
    },
  },
]

/** `{from: ["viewer"], to: ["admin"]}` → `from viewer, to admin`. */
export function detailsText(details: AuditRow['details']): string {
  const word = (value: unknown) =>
    Array.isArray(value) ? value.join(' ') || 'none' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return Object.entries(details ?? {})
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key} ${word(value)}`)
    .join(', ')
}

/** Who did what: sign-ins and every administrative act. It can only be added to. */
export function AuditLog() {
  const [filters, setFilters] = useFilters(userFilters)
  const list = {
    search: filters.query,
    action: filters.action,
    outcome: filters.outcome,
    range: filters.range,
    pageIndex: filters.pageIndex,
    pageSize: filters.pageSize,
  }
  const { data, error, isFetching, refetch } = useQuery(auditQuery(list))
  const change = (next: Partial<typeof filters>) => setFilters({ pageIndex: 0, ...next })
  const isNarrowed = userFilters.countActive(filters, ['query', 'action', 'outcome', 'range']) > 0
  return (
    <div className="flex h-full flex-col">
      <FilterBar
        className="shrink-0 border-b border-line bg-surface px-4 py-2"
        search={{
          value: filters.query,
          onChange: (query) => change({ query }),
          placeholder: 'Search the audit log',
        }}
        isActive={isNarrowed}
        onClear={() => change({ query: '', action: [], outcome: '', range: undefined })}
        filters={[
          {
            kind: 'many',
            label: 'What',
            options: actions,
            value: filters.action,
            onChange: (action) => change({ action }),
          },
          {
            kind: 'one',
            label: 'Outcome',
            options: outcomes,
            value: filters.outcome,
            onChange: (outcome) => change({ outcome: outcome === 'success' || outcome === 'failure' ? outcome : '' }),
          },
          {
            kind: 'element',
            label: 'Time range',
            element: <TimeRangePicker value={filters.range} onChange={(range) => change({ range })} />,
          },
        ]}
        actions={
          <a href={auditExport(list)} download="audit-log.csv" className={buttonClass()}>
            <Download size={15} aria-hidden /> Export CSV
          </a>
        }
      />
      <div className="min-h-0 flex-1">
        <DataTable
          id="audit"
          label="Audit log"
          columns={columns}
          rows={data?.rows}
          rowId={(row) => row.id}
          error={data ? undefined : error}
          onRetry={() => void refetch()}
          isFetching={isFetching}
          serverSort
          pagination={{
            pageIndex: filters.pageIndex,
            pageSize: filters.pageSize,
            total: data?.total ?? 0,
            onChange: setFilters,
          }}
          empty={
            isNarrowed ? (
              <EmptyState icon={SearchX} title="Nothing in the audit log matches" />
            ) : (
              <EmptyState icon={ScrollText} title="The audit log is empty" />
            )
          }
        />
      </div>
    </div>
  )
}
