import { offeredKinds } from '@quarterdeck/contract/connections/index'
import { useQuery } from '@tanstack/react-query'
import { Cable, Plus, RefreshCw } from 'lucide-react'
import { useCan } from '@/api/access.tsx'
import { number, optional, searchParams, sorting, text } from '@/lib/search-params.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { Button } from '@/ui/button.tsx'
import { Drawer } from '@/ui/drawer.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { FilterBar } from '@/ui/filter/filter-bar.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ColumnsMenu } from '@/ui/table/columns-menu.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import { connectionColumns } from './connection-columns.tsx'
import { EditConnection, NewConnection } from './connection-form.tsx'
import { connectionQuery, connectionsQuery, listPageSize } from './connections.queries.ts'
import { TypePicker } from './type-picker.tsx'

const filters = searchParams({
  query: text(''),
  sort: sorting({ id: 'created_at', desc: true }),
  pageIndex: number(0, { min: 0 }),
  /** The one that is open. */
  id: optional(),
  /** A new one: its type, or `choose` while that is not known. */
  add: optional(),
})
const choose = 'choose'

/** Addresses and credentials that checks, scrapers, playbooks and notifications use by name. */
export function ConnectionsPage() {
  const canWrite = useCan('write', 'connections')
  const [{ query, sort, pageIndex, id, add }, setFilters] = useFilters(filters)
  const { data, error, isFetching, refetch } = useQuery(connectionsQuery({ search: query, sort, pageIndex }))
  const total = data?.totalEntries ?? data?.data.length ?? 0
  const close = () => setFilters({ id: undefined, add: undefined })
  const addButton = canWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setFilters({ add: choose }, { push: true })}>
      Add Connection
    </Button>
  )
  const isKnown = offeredKinds.some(({ type }) => type === add)
  return (
    <div className="flex h-full flex-col">
      <FilterBar
        className="shrink-0 border-b border-line bg-surface px-4 py-2"
        search={{
          value: query,
          onChange: (words) => setFilters({ query: words, pageIndex: 0 }),
          placeholder: 'Search connections',
        }}
        actions={
          <>
            <IconButton icon={RefreshCw} label="Refresh" onClick={() => void refetch()} />
            <ColumnsMenu tableId="connections" columns={connectionColumns} />
            {addButton}
          </>
        }
      />
      <div className="min-h-0 flex-1">
        <DataTable
          id="connections"
          label="Connections"
          columns={connectionColumns}
          rows={data?.data}
          rowId={(row) => row.id}
          error={data ? undefined : error}
          onRetry={() => void refetch()}
          isFetching={isFetching}
          serverSort
          sort={sort}
          onSortChange={(next) => setFilters({ sort: next, pageIndex: 0 })}
          onRowClick={(row) => setFilters({ id: row.id }, { push: true })}
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
              <EmptyState icon={Cable} title="No connections yet" action={addButton}>
                A connection keeps an address and its credentials in one place, so that checks, scrapers, playbooks and
                notifications can use it by name.
              </EmptyState>
            ) : (
              <EmptyState title={`No connection matches “${query}”`} />
            )
          }
        />
      </div>
      {id !== undefined && <Edit key={id} id={id} onClose={close} />}
      {canWrite && id === undefined && add !== undefined && !isKnown && (
        <TypePicker onPick={(type) => setFilters({ add: type }, { push: true })} onClose={close} />
      )}
      {canWrite && id === undefined && isKnown && (
        <NewConnection key={add} type={add!} onBack={() => setFilters({ add: choose })} onClose={close} />
      )}
    </div>
  )
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

function Edit({ id, onClose }: { id: string; onClose: () => void }) {
  const isId = uuid.test(id)
  const { data, error, refetch } = useQuery({ ...connectionQuery(id), enabled: isId })
  if (data) return <EditConnection key={data.updated_at} connection={data} onClose={onClose} />
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title="Connection">
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data === null || !isId ? (
        <EmptyState title="This connection is not there">It may have been deleted.</EmptyState>
      ) : (
        <SkeletonLines lines={8} />
      )}
    </Drawer>
  )
}
