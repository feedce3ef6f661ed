import { useQuery } from '@tanstack/react-query'
import { HeartPulse, Plus } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useCan } from '@/api/access.tsx'
import { paths } from '@/app/paths.ts'
import { number, searchParams, text } from '@/lib/search-params.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { Button } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { SearchFilter } from '@/ui/filter/filter-bar.tsx'
import { ColumnsMenu } from '@/ui/table/columns-menu.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import { AddCanaryDialog } from './add-canary-dialog.tsx'
import { canariesQuery, listPageSize } from './canaries.queries.ts'
import { canaryColumns } from './canary-columns.tsx'

const filters = searchParams({ query: text(''), pageIndex: number(0, { min: 0 }) })

export function CanariesPage() {
  const navigate = useNavigate()
  const canWrite = useCan('write', 'canaries')
  const [{ query, pageIndex }, setFilters] = useFilters(filters)
  const [isAdding, setAdding] = useState(false)
  const { data, error, isFetching, refetch } = useQuery(canariesQuery({ search: query, pageIndex }))
  const total = data?.totalEntries ?? data?.data.length ?? 0
  const add = canWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add Health Check
    </Button>
  )
  return (
    <div className="flex h-full flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-surface px-4 py-2">
        <div className="w-full max-w-72">
          <SearchFilter
            value={query}
            onChange={(words) => setFilters({ query: words, pageIndex: 0 })}
            placeholder="Search health checks"
          />
        </div>
        <span className="flex-1" />
        <ColumnsMenu tableId="canaries" columns={canaryColumns} />
        {add}
      </div>
      <div className="min-h-0 flex-1">
        <DataTable
          id="canaries"
          label="Health checks"
          columns={canaryColumns}
          rows={data?.data}
          rowId={(row) => row.id}
          error={data ? undefined : error}
          onRetry={() => void refetch()}
          isFetching={isFetching}
          onRowClick={(row) => void navigate(paths.canary(row.id))}
          pagination={
            total > listPageSize || pageIndex > 0
              ? {
                  pageIndex,
                  pageSize: listPageSize,
                  total,
                  onChange: (page) => setFilters({ pageIndex: page.pageIndex }),
                }
              : undefined
          }
          empty={
            query === '' ? (
              <EmptyState icon={HeartPulse} title="No health checks yet" action={add}>
                A health check asks one of your systems how it is, on a schedule, and keeps what it answered.
              </EmptyState>
            ) : (
              <EmptyState title={`No health check matches “${query}”`} />
            )
          }
        />
      </div>
      {isAdding && <AddCanaryDialog onClose={() => setAdding(false)} />}
    </div>
  )
}
