import { RefreshCw, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { formatNumber } from '@/lib/format.ts'
import { Button } from '../button.tsx'
import { EmptyState } from '../empty-state.tsx'
import { FilterBar } from '../filter/filter-bar.tsx'
import type { Filter } from '../filter/filters.ts'
import { IconButton } from '../icon-button.tsx'
import { ColumnsMenu } from '../table/columns-menu.tsx'
import { DataTable, type DataTableProps } from '../table/data-table.tsx'
import type { ListPlace } from './use-list.ts'

export interface ListPageProps<T extends object> extends Pick<
  DataTableProps<T>,
  | 'id'
  | 'label'
  | 'columns'
  | 'rows'
  | 'rowId'
  | 'onRowClick'
  | 'selectedId'
  | 'rowClassName'
  | 'rowHeight'
  | 'overscan'
> {
  /** Where it stands: `useList` keeps that in the address, `useOwnList` in the component. */
  list?: ListPlace
  /** What a query says about `rows`. */
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
  /** All entries, when `rows` are one page of them. */
  total?: number
  /** Pages of one size, shown only when there are several; without it people choose the size. */
  fixedSize?: number
  /** All rows are here, and the table sorts them itself. */
  isLocal?: boolean
  /** Where a row leads; with Ctrl or the middle button in a new tab. */
  rowPath?: (row: T) => string
  /** Figures about the whole list, at the start of the bar. */
  summary?: ReactNode
  /** Words in the search box, e.g. Search connections; without them there is none. */
  search?: string
  filters?: readonly Filter[]
  /** What the bar offers by itself. */
  tools?: readonly ('refresh' | 'columns')[]
  /** Buttons at the end of the bar. */
  actions?: ReactNode
  /** One entry, for the words when nothing matches: connection. */
  noun: string
  /** Instead of those words. */
  noMatch?: ReactNode
  /** Shown when there is nothing at all. */
  empty: ReactNode
  /** Dialogs and drawers. */
  children?: ReactNode
}

const still: ListPlace = { values: {}, set: () => {}, change: () => {}, isNarrowed: false, clear: () => {} }

/** A page that is one list: its filters, its table, its pages, and what is said when there is nothing to show. */
export function ListPage<T extends object>({
  list = still,
  query,
  total,
  fixedSize,
  isLocal = false,
  rowPath,
  summary,
  search,
  filters = [],
  tools = ['refresh', 'columns'],
  actions,
  noun,
  noMatch,
  empty,
  children,
  ...table
}: ListPageProps<T>) {
  const navigate = useNavigate()
  const { values, isNarrowed } = list
  const retry = () => void query.refetch()
  const open =
    rowPath &&
    ((row: T, { newTab }: { newTab: boolean }) =>
      newTab ? void window.open(rowPath(row), '_blank', 'noopener') : void navigate(rowPath(row)))
  const hasBar = search !== undefined || filters.length > 0 || tools.length > 0 || !!actions
  return (
    <div className="flex h-full min-h-0 min-w-0 flex-col">
      {hasBar && (
        <FilterBar
          className="shrink-0 border-b border-line bg-surface px-4 py-2"
          search={
            search === undefined
              ? undefined
              : { value: values.query ?? '', onChange: (words) => list.change({ query: words }), placeholder: search }
          }
          filters={summary ? [withSummary(summary), ...filters] : filters}
          isActive={isNarrowed}
          onClear={filters.length > 0 ? list.clear : undefined}
          actions={
            <>
              {tools.includes('refresh') && <IconButton icon={RefreshCw} label="Refresh" onClick={retry} />}
              {tools.includes('columns') && <ColumnsMenu tableId={table.id} columns={table.columns} />}
              {actions}
            </>
          }
        />
      )}
      <div className="min-h-0 flex-1">
        <DataTable
          {...table}
          onRowClick={table.onRowClick ?? open}
          error={table.rows ? undefined : query.error}
          onRetry={retry}
          isFetching={query.isFetching}
          serverSort={!isLocal}
          sort={values.sort}
          onSortChange={'sort' in values ? (sort) => list.change({ sort }) : undefined}
          pagination={pagesOf(list, total ?? seenOf(list, fixedSize, table.rows?.length), fixedSize)}
          empty={
            values.pageIndex ? (
              <NoPage page={values.pageIndex + 1} onFirst={() => list.set({ pageIndex: 0 })} />
            ) : isNarrowed ? (
              (noMatch ?? <NoMatch>{`No ${noun} matches ${wordsOf(values.query, filters)}`}</NoMatch>)
            ) : (
              empty
            )
          }
        />
      </div>
      {children}
    </div>
  )
}

/** Said when filters leave nothing over. */
export const NoMatch = ({ children }: { children: ReactNode }) => <EmptyState icon={SearchX} title={children} />

/** An address may name a page that the list no longer has. */
const NoPage = ({ page, onFirst }: { page: number; onFirst: () => void }) => (
  <EmptyState
    icon={SearchX}
    title={`There is nothing on page ${formatNumber(page)}`}
    action={<Button onClick={onFirst}>Go to the first page</Button>}
  />
)

const withSummary = (summary: ReactNode): Filter => ({
  kind: 'element',
  label: 'Summary',
  element: <span className="text-sm text-muted">{summary}</span>,
})

/** One word explains an empty list best; several filters do it together. */
const wordsOf = (query: string | undefined, filters: readonly Filter[]) =>
  query && filters.length === 0 ? `“${query}”` : 'these filters'

/** Some lists show their rows before they are counted: then there are at least those up to here. */
function seenOf({ values }: ListPlace, fixedSize: number | undefined, rows = 0) {
  return rows === 0 ? 0 : (values.pageIndex ?? 0) * (fixedSize ?? values.pageSize ?? 50) + rows
}

function pagesOf(list: ListPlace, total: number, fixedSize: number | undefined) {
  const { pageIndex, pageSize } = list.values
  if (pageIndex === undefined) return undefined
  if (fixedSize === undefined)
    return { pageIndex, pageSize: pageSize ?? 50, total, onChange: (page: object) => list.set(page) }
  if (total <= fixedSize && pageIndex === 0) return undefined
  return {
    pageIndex,
    pageSize: fixedSize,
    total,
    sizes: [fixedSize],
    onChange: (page: { pageIndex: number }) => list.set({ pageIndex: page.pageIndex }),
  }
}
