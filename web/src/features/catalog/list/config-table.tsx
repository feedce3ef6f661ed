import { SearchX } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useQueryClient } from '@tanstack/react-query'
import { paths } from '@/app/paths.ts'
import type { ConfigItem } from '@/entities/config/config.ts'
import { configDetailQuery } from '@/entities/config/config.queries.ts'
import { useStable } from '@/lib/use-stable.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import type { CatalogFilters } from '../catalog.filters.ts'
import { configColumns } from './config-columns.tsx'
import { listFilters } from './config-list.queries.ts'
import { useConfigList } from './use-config-list.ts'

export const configTableId = 'catalog'
const rowHeight = 37
// A requirement (CAT-22), as is the height.
const overscan = 20
const intentMs = 120

interface Props {
  filters: CatalogFilters
  withDeleted: boolean
  onSort: (sort: CatalogFilters['sort']) => void
  onTag: (key: string, value: string) => void
}

/** Every item that matches, however many there are: only what is in sight is read and drawn. */
export function ConfigTable({ filters, withDeleted, onSort, onTag }: Props) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { sort } = filters
  const list = useMemo(
    () => ({ filters: listFilters(filters), sort: filters.sort, withDeleted }),
    [filters, withDeleted],
  )
  const { rows, sparse, error, isFetching, refetch } = useConfigList(list)
  const filterTag = useStable(onTag)
  const columns = useMemo(() => configColumns(filterTag), [filterTag])
  const intent = useRef<ReturnType<typeof setTimeout>>(undefined)
  return (
    <DataTable<ConfigItem>
      id={configTableId}
      label="Catalog items"
      columns={columns}
      rows={rows}
      sparse={sparse}
      rowId={(item) => item.id}
      serverSort
      sort={sort}
      onSortChange={onSort}
      error={rows ? undefined : error}
      onRetry={refetch}
      isFetching={isFetching}
      rowClassName={(item) => (item.deleted_at ? 'text-subtle opacity-70' : undefined)}
      onRowClick={(item, { newTab }) =>
        newTab ? window.open(paths.config(item.id), '_blank', 'noopener') : void navigate(paths.config(item.id))
      }
      onRowIntent={(item) => {
        // A pointer that only passes by asks for nothing.
        clearTimeout(intent.current)
        intent.current = setTimeout(() => void queries.prefetchQuery(configDetailQuery(item.id)), intentMs)
      }}
      rowHeight={rowHeight}
      overscan={overscan}
      empty={<EmptyState icon={SearchX} title="No item matches these filters" />}
    />
  )
}
