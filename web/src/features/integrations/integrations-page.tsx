import { useQuery } from '@tanstack/react-query'
import { Plug, Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useCan } from '@/api/access.tsx'
import { paths } from '@/app/paths.ts'
import { number, searchParams, text } from '@/lib/search-params.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { Button } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { FilterBar } from '@/ui/filter/filter-bar.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import { ColumnsMenu } from '@/ui/table/columns-menu.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import { AddIntegrationDialog } from './add-integration-dialog.tsx'
import { integrationTypes, typeOf } from './integration.ts'
import { integrationColumns } from './integration-columns.tsx'
import { integrationsQuery } from './integrations.queries.ts'

const filters = searchParams({
  query: text(''),
  type: text(''),
  pageIndex: number(0, { min: 0 }),
  pageSize: number(50, { min: 1, max: 1000 }),
})
const typeOptions = Object.entries(integrationTypes).map(([value, { label }]) => ({ value, label }))

/** Everything that brings data in from other systems. */
export function IntegrationsPage() {
  const navigate = useNavigate()
  const canWrite = useCan('write', 'integrations')
  const [{ query, type, pageIndex, pageSize }, setFilters] = useFilters(filters)
  const [isAdding, setAdding] = useState(false)
  const { data, error, isFetching, refetch } = useQuery(integrationsQuery({ search: query, type, pageIndex, pageSize }))
  const isNarrowed = query !== '' || type !== ''
  const add = canWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add Integration
    </Button>
  )
  return (
    <div className="flex h-full flex-col">
      <FilterBar
        className="shrink-0 border-b border-line bg-surface px-4 py-2"
        search={{
          value: query,
          onChange: (words) => setFilters({ query: words, pageIndex: 0 }),
          placeholder: 'Search integrations',
        }}
        filters={[
          {
            kind: 'one',
            label: 'Type',
            options: typeOptions,
            value: type,
            onChange: (next) => setFilters({ type: next ?? '', pageIndex: 0 }),
          },
        ]}
        isActive={isNarrowed}
        onClear={() => setFilters({ query: '', type: '', pageIndex: 0 })}
        actions={
          <>
            <IconButton icon={RefreshCw} label="Refresh" onClick={() => void refetch()} />
            <ColumnsMenu tableId="integrations" columns={integrationColumns} />
            {add}
          </>
        }
      />
      <div className="min-h-0 flex-1">
        <DataTable
          id="integrations"
          label="Integrations"
          columns={integrationColumns}
          rows={data?.data}
          rowId={(row) => row.id}
          error={data ? undefined : error}
          onRetry={() => void refetch()}
          isFetching={isFetching}
          serverSort
          // Opening one is for editing it.
          onRowClick={canWrite ? (row) => void navigate(paths.integration(typeOf(row), row.id)) : undefined}
          pagination={{
            pageIndex,
            pageSize,
            total: data?.totalEntries ?? data?.data.length ?? 0,
            onChange: (page) => setFilters(page),
          }}
          empty={
            isNarrowed ? (
              <EmptyState title="No integration matches these filters" />
            ) : (
              <EmptyState icon={Plug} title="No integrations yet" action={add}>
                An integration brings data in: a scraper fills the catalog, a topology makes components, a log backend
                says where log lines are.
              </EmptyState>
            )
          }
        />
      </div>
      {isAdding && <AddIntegrationDialog onClose={() => setAdding(false)} />}
    </div>
  )
}
