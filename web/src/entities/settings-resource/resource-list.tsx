import { useQuery } from '@tanstack/react-query'
import { Plus, RefreshCw } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useCan } from '@/api/access.tsx'
import { number, searchParams, sorting, text } from '@/lib/search-params.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { Button } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { FilterBar } from '@/ui/filter/filter-bar.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import { ColumnsMenu } from '@/ui/table/columns-menu.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import { AddResourceDialog } from './add-resource-dialog.tsx'
import { resourceColumns } from './resource-columns.tsx'
import { itemPath, keyOf, type ResourceKind } from './resource-kind.ts'
import { listPageSize, resourcesQuery } from './resource.queries.ts'

const filters = searchParams({
  query: text(''),
  sort: sorting({ id: 'created_at', desc: true }),
  pageIndex: number(0, { min: 0 }),
})

export interface ResourceListProps {
  kind: ResourceKind
  /** The way to add one, where that is more than its form. */
  addDialog?: (onClose: () => void) => ReactNode
}

/** Every definition of one kind, a page at a time. */
export function ResourceListPage({ kind, addDialog }: ResourceListProps) {
  const navigate = useNavigate()
  const canWrite = useCan('write', kind.resource)
  const [{ query, sort, pageIndex }, setFilters] = useFilters(filters)
  const [isAdding, setAdding] = useState(false)
  const columns = useMemo(() => resourceColumns(kind), [kind])
  const sortable = useMemo(() => columns.filter((column) => column.sortable).map(({ id }) => id), [columns])
  const { data, error, isFetching, refetch } = useQuery(
    resourcesQuery(kind, { search: query, sort, pageIndex }, sortable),
  )
  const total = data?.totalEntries ?? data?.data.length ?? 0
  const close = () => setAdding(false)
  const add = canWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add {kind.name}
    </Button>
  )
  return (
    <div className="flex h-full flex-col">
      <FilterBar
        className="shrink-0 border-b border-line bg-surface px-4 py-2"
        search={{
          value: query,
          onChange: (words) => setFilters({ query: words, pageIndex: 0 }),
          placeholder: `Search ${kind.title.toLowerCase()}`,
        }}
        actions={
          <>
            <IconButton icon={RefreshCw} label="Refresh" onClick={() => void refetch()} />
            <ColumnsMenu tableId={kind.table} columns={columns} />
            {add}
          </>
        }
      />
      <div className="min-h-0 flex-1">
        <DataTable
          id={kind.table}
          label={kind.title}
          columns={columns}
          rows={data?.data}
          rowId={(row) => keyOf(kind, row)}
          error={data ? undefined : error}
          onRetry={() => void refetch()}
          isFetching={isFetching}
          serverSort
          sort={sort}
          onSortChange={(next) => setFilters({ sort: next, pageIndex: 0 })}
          onRowClick={(row) => void navigate(itemPath(kind, keyOf(kind, row)))}
          pagination={
            total > listPageSize || pageIndex > 0
              ? {
                  pageIndex,
                  pageSize: listPageSize,
                  total,
                  sizes: [listPageSize],
                  onChange: (page) => setFilters({ pageIndex: page.pageIndex }),
                }
              : undefined
          }
          empty={
            query === '' ? (
              <EmptyState title={`No ${kind.title.toLowerCase()} yet`} action={add}>
                {kind.about}
              </EmptyState>
            ) : (
              <EmptyState title={`No ${kind.noun} matches “${query}”`} />
            )
          }
        />
      </div>
      {isAdding && (addDialog?.(close) ?? <AddResourceDialog kind={kind} onClose={close} />)}
    </div>
  )
}
