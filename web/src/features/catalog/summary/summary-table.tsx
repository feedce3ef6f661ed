import { useQuery } from '@tanstack/react-query'
import { SearchX, SquareLibrary } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useCan } from '@/api/access.tsx'
import { paths } from '@/app/paths.ts'
import { useStable } from '@/lib/use-stable.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import type { CatalogFilters } from '../catalog.filters.ts'
import { summaryQuery } from '../catalog.queries.ts'
import { useFavourites } from '../preferences.ts'
import { summaryColumns } from './summary-columns.tsx'
import { type SummaryNode, summaryTree } from './summary-tree.ts'

// Sorting must not take what is pinned from its place.
const isNotPinned = (node: SummaryNode) => !node.isFavourite

interface Props {
  filters: CatalogFilters
  withDeleted: boolean
  isNarrowed: boolean
  onSort: (sort: CatalogFilters['sort']) => void
  /** Narrows the page to the items of a line. */
  onOpen: (node: SummaryNode) => void
}

/** The catalog by groups: how many there are, how they are, what happened to them. */
export function SummaryTable({ filters, withDeleted, isNarrowed, onSort, onOpen }: Props) {
  const [favourites, toggle] = useFavourites()
  const { data, error, isFetching, refetch } = useQuery(summaryQuery(filters, withDeleted))
  const nodes = useMemo(
    () => data && summaryTree(data, filters.groupBy, favourites),
    [data, filters.groupBy, favourites],
  )
  const onToggle = useStable(toggle)
  const columns = useMemo(() => summaryColumns(onToggle), [onToggle])
  return (
    <DataTable<SummaryNode>
      id="catalog-summary"
      label="Catalog by group"
      columns={columns}
      rows={nodes}
      rowId={(node) => node.key}
      subRows={(node) => node.children}
      defaultExpanded
      sort={columns.some(({ id }) => id === filters.sort?.id) ? filters.sort : undefined}
      onSortChange={onSort}
      sortLast={isNotPinned}
      error={data ? undefined : error}
      onRetry={() => void refetch()}
      isFetching={isFetching}
      onRowClick={onOpen}
      rowHeight={37}
      overscan={20}
      empty={isNarrowed ? <EmptyState icon={SearchX} title="No item matches these filters" /> : <NoItems />}
    />
  )
}

function NoItems() {
  const canAdd = useCan('write', 'config_scrapers')
  return (
    <EmptyState icon={SquareLibrary} title="Nothing in the catalog yet">
      Scrapers read your clusters, clouds and files and keep what they find here, with every change.{' '}
      {canAdd && (
        <Link className="text-accent-text underline" to={paths.scrapers}>
          Add a scraper
        </Link>
      )}
    </EmptyState>
  )
}
