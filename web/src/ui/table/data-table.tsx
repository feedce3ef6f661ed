import { useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { cn } from '@/lib/cn.ts'
import type { Sorting } from '@/lib/search-params.ts'
import { EmptyState } from '../empty-state.tsx'
import { ErrorPanel } from '../error-panel.tsx'
import { isNearEnd } from '../infinite-list.tsx'
import { type Column, features, toColumnDefs } from './column.ts'
import { HeaderCell, headerHeight } from './header.tsx'
import { pageCount, Pagination, type PaginationProps } from './pagination.tsx'
import { readPlace, useColumnSizes, useColumnVisibility, visibilityOf, writePlace } from './preferences.ts'
import { DataRow } from './row.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'
import { useRowKeys } from './use-row-keys.ts'

/** Tables of up to this many rows render them all, so that the browser's own search finds them. */
const virtualFrom = 60

export interface DataTableProps<T extends object> {
  /** Under this name widths, columns, scroll and expanded rows are remembered. */
  id: string
  /** What the table holds, for screen readers. */
  label: string
  columns: readonly Column<T>[]
  /** undefined while they load for the first time. */
  rows: readonly T[] | undefined
  rowId: (row: T) => string
  error?: unknown
  onRetry?: () => void
  /** Newer rows are on their way; a thin line shows it without moving anything. */
  isFetching?: boolean
  /** Shown instead of "No data available". */
  empty?: ReactNode
  /** The sorted column when the screen keeps it, e.g. in the address. */
  sort?: Sorting
  onSortChange?: (sort: Sorting | undefined) => void
  /** The rows come sorted by the server; columns then sort only where `sortable` is set. */
  serverSort?: boolean
  /** Rows that stay at the end however the table is sorted. */
  sortLast?: (row: T) => boolean
  onRowClick?: (row: T, how: { newTab: boolean }) => void
  /** The pointer reached a row: a good moment to prefetch what a click would show. */
  onRowIntent?: (row: T) => void
  selectedId?: string
  rowClassName?: (row: T) => string | undefined
  /** Children of a row; the table becomes a tree. */
  subRows?: (row: T) => readonly T[] | undefined
  /** Groups open at first; otherwise closed. */
  defaultExpanded?: boolean
  /** Pages: with `total` the rows are one page of the server, without it the table cuts pages itself. */
  pagination?: Omit<PaginationProps, 'total'> & { total?: number }
  /** Doubles the page size when the last row is reached. */
  growing?: { pageSize: number; total?: number; onPageSizeChange: (pageSize: number) => void }
  /** Loads more when scrolled close to the end. */
  loadMore?: { hasMore: boolean; isLoading: boolean; load: () => void }
  /**
   * `rows` are parts of a much longer list: where each of them stands in it, and what is in sight. What has not
   * arrived yet keeps its place as grey bars.
   */
  sparse?: { total: number; positions: readonly number[]; onRange: (first: number, last: number) => void }
  rowHeight?: number
  overscan?: number
  /** Without it the table grows with its rows instead of filling its container. */
  fill?: boolean
  className?: string
}

/** The one table: sorting, resizable columns, virtual rows, pages, groups, keyboard. */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const {
    id,
    columns,
    rowId,
    subRows,
    sortLast,
    pagination,
    growing,
    loadMore,
    sparse,
    rowHeight = 35,
    overscan = 10,
    fill = true,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const place = useRef(readPlace(id))
  const [sizes, setSizes] = useColumnSizes(id)
  const [chosenColumns] = useColumnVisibility(id)
  const [ownSort, setOwnSort] = useState<Sorting>()
  const [expanded, setExpanded] = useState(place.current?.expanded ?? (props.defaultExpanded ? true : {}))
  const isSortControlled = props.onSortChange !== undefined
  const sort = isSortControlled ? props.sort : ownSort

  const defs = useMemo(() => toColumnDefs(columns, props.serverSort ?? false), [columns, props.serverSort])
  const visibility = useMemo(() => visibilityOf(columns, chosenColumns), [columns, chosenColumns])
  const data = useMemo(() => (props.rows ?? []) as T[], [props.rows])
  const sorting = useMemo(() => (sort ? [sort] : []), [sort])
  const table = useTable<typeof features, T>({
    features,
    columns: defs,
    data,
    getRowId: rowId,
    getSubRows: subRows as ((row: T) => T[] | undefined) | undefined,
    state: { sorting, expanded, columnVisibility: visibility },
    onExpandedChange: setExpanded,
    onSortingChange: (update) => {
      const next = (typeof update === 'function' ? update(sorting) : update)[0]
      if (isSortControlled) props.onSortChange?.(next)
      else setOwnSort(next)
    },
    manualSorting: props.serverSort,
    enableMultiSort: false,
    sortDescFirst: false,
    autoResetExpanded: false,
  })

  const model = table.getRowModel().rows
  const rows = useMemo(() => {
    const ordered = sortLast
      ? [...model.filter((r) => !sortLast(r.original)), ...model.filter((r) => sortLast(r.original))]
      : model
    if (!pagination || pagination.total !== undefined) return ordered
    return ordered.slice(pagination.pageIndex * pagination.pageSize, (pagination.pageIndex + 1) * pagination.pageSize)
  }, [model, sortLast, pagination])
  const shown = useMemo(() => columns.filter((column) => visibility[column.id]), [columns, visibility])
  const hasFiller = shown.every((column) => !column.grow || sizes[column.id] !== undefined)

  const count = sparse?.total ?? rows.length
  const placed = useMemo(() => sparse && new Map(sparse.positions.map((place, index) => [place, index])), [sparse])
  const rowAt = useCallback((index: number) => rows[placed ? (placed.get(index) ?? -1) : index], [rows, placed])
  const isVirtual = count > virtualFrom
  const virtualizer = useVirtualizer({
    count,
    enabled: isVirtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: headerHeight,
    scrollPaddingStart: headerHeight,
    initialOffset: () => place.current?.scroll ?? 0,
  })
  const items = isVirtual ? virtualizer.getVirtualItems() : undefined
  const first = items?.[0]?.index ?? 0
  const end = items ? (items.at(-1)?.index ?? -1) + 1 : count
  const reportRange = sparse?.onRange
  useEffect(() => {
    if (end > first) reportRange?.(first, end - 1)
  }, [reportRange, first, end])

  // Going back finds the list where it was left.
  const isRestored = useRef(false)
  useLayoutEffect(() => {
    if (isRestored.current || rows.length === 0 || !scroller.current) return
    isRestored.current = true
    if (place.current?.scroll) scroller.current.scrollTop = place.current.scroll
  }, [rows.length])
  const lastScroll = useRef(place.current?.scroll ?? 0)
  useEffect(() => {
    const save = () => writePlace(id, { scroll: lastScroll.current, expanded })
    window.addEventListener('pagehide', save)
    return () => {
      window.removeEventListener('pagehide', save)
      save()
    }
  }, [id, expanded])
  // Another order or page is read from its start.
  const view = `${sort?.id} ${sort?.desc} ${pagination?.pageIndex}`
  const lastView = useRef(view)
  useEffect(() => {
    if (lastView.current === view) return
    lastView.current = view
    scroller.current?.scrollTo?.({ top: 0 })
  }, [view])

  const more = useCallback(() => {
    const box = scroller.current
    if (box && loadMore?.hasMore && !loadMore.isLoading && rows.length > 0 && isNearEnd(box)) loadMore.load()
  }, [loadMore, rows.length])
  useEffect(more, [more])

  const lastVisible = isVirtual ? (virtualizer.range?.endIndex ?? -1) : rows.length - 1
  const asked = useRef(0)
  useEffect(() => {
    if (!growing || rows.length === 0 || lastVisible < rows.length - 1) return
    const isComplete = growing.total === undefined ? rows.length < growing.pageSize : rows.length >= growing.total
    if (isComplete || asked.current >= growing.pageSize) return
    asked.current = growing.pageSize
    growing.onPageSizeChange(growing.pageSize * 2)
  }, [growing, lastVisible, rows.length])

  const [active, setActive] = useState(0)
  const wantsFocus = useRef(-1)
  const focusRow = useCallback(
    (index: number) => {
      setActive(index)
      wantsFocus.current = index
      if (isVirtual) virtualizer.scrollToIndex(index)
      focusNow()
    },
    [isVirtual, virtualizer],
  )
  function focusNow() {
    if (wantsFocus.current < 0) return
    const row = scroller.current?.querySelector<HTMLElement>(`tr[data-index="${wantsFocus.current}"]`)
    if (!row) return
    wantsFocus.current = -1
    row.focus({ preventScroll: true })
    row.scrollIntoView?.({ block: 'nearest' })
  }
  useEffect(focusNow)

  const toggle = useCallback((index: number) => rowAt(index)?.toggleExpanded(), [rowAt])
  const click = useRef(props.onRowClick)
  useEffect(() => {
    click.current = props.onRowClick
  })
  const open = useCallback((row: T, newTab: boolean) => click.current?.(row, { newTab }), [])
  const isClickable = props.onRowClick !== undefined
  const isTree = subRows !== undefined
  const onKeyDown = useRowKeys(
    {
      count,
      active: Math.min(active, count - 1),
      move: focusRow,
      open: (index) => {
        const row = rowAt(index)
        if (row?.getCanExpand()) row.toggleExpanded()
        else if (row) open(row.original, false)
      },
      expand: (index, isOpen) => {
        const row = rowAt(index)
        return row?.getCanExpand() && row.toggleExpanded(isOpen)
      },
    },
    isClickable || isTree,
  )

  const isLoading = props.rows === undefined && !props.error
  const total = pagination?.total ?? data.length
  return (
    <div className={cn('relative flex min-h-0 min-w-0 flex-col bg-surface text-sm', fill && 'h-full', props.className)}>
      {props.isFetching && !isLoading && <FetchLine />}
      {/* Rows have the focus; their box only sees the keys pass by. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={scroller}
        data-table={id}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onScroll={(event) => {
          lastScroll.current = event.currentTarget.scrollTop
          more()
        }}
        // Never higher than the window, or a box without bounds would have every row drawn.
        className={cn('min-h-0 overflow-auto outline-none', fill ? 'max-h-dvh flex-1' : 'max-h-[80vh]')}
      >
        <table
          aria-label={props.label}
          aria-rowcount={count + 1}
          aria-busy={isLoading || props.isFetching || undefined}
          className="w-full table-fixed border-separate border-spacing-0"
          style={{
            minWidth: shown.reduce(
              (sum, column) => sum + (sizes[column.id] ?? column.size ?? column.minSize ?? 120),
              0,
            ),
          }}
        >
          <colgroup>
            {shown.map((column) => (
              <col
                key={column.id}
                style={{ width: sizes[column.id] ?? (column.grow ? undefined : (column.size ?? 120)) }}
              />
            ))}
            {hasFiller && <col />}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {shown.map((column, i) => {
                const state = table.getColumn(column.id)
                return (
                  <HeaderCell
                    key={column.id}
                    column={column}
                    isFirst={i === 0}
                    sorted={state?.getIsSorted() ?? false}
                    onSort={state?.getCanSort() ? () => state.toggleSorting() : undefined}
                    onResize={(width) => setSizes(withSize(sizes, column.id, width))}
                  />
                )
              })}
              {hasFiller && <td aria-hidden className="sticky top-0 z-10 border-b border-line bg-surface p-0" />}
            </tr>
          </thead>
          <tbody>
            {isLoading ? (
              <SkeletonRows
                columns={shown}
                height={rowHeight}
                hasFiller={hasFiller}
                count={Math.min(pagination?.pageSize ?? 14, 14)}
              />
            ) : (
              <>
                {items && first > 0 && <Spacer height={(items[0]?.start ?? headerHeight) - headerHeight} />}
                {Array.from({ length: end - first }, (_, offset) => {
                  const row = rowAt(first + offset)
                  if (!row)
                    return (
                      <SkeletonRows
                        key={first + offset}
                        columns={shown}
                        height={rowHeight}
                        hasFiller={hasFiller}
                        count={1}
                      />
                    )
                  return (
                    <DataRow
                      key={row.id}
                      row={row.original}
                      columns={shown}
                      index={first + offset}
                      height={rowHeight}
                      depth={row.depth}
                      isTree={isTree}
                      canExpand={isTree && row.getCanExpand()}
                      isExpanded={isTree && row.getIsExpanded()}
                      isSelected={props.selectedId !== undefined && row.id === props.selectedId}
                      isActive={first + offset === Math.min(active, count - 1)}
                      isClickable={isClickable}
                      hasFiller={hasFiller}
                      className={props.rowClassName?.(row.original)}
                      onOpen={open}
                      onToggle={toggle}
                      onActivate={setActive}
                      onIntent={props.onRowIntent}
                    />
                  )
                })}
                {items && (
                  <Spacer height={virtualizer.getTotalSize() - ((items.at(-1)?.end ?? headerHeight) - headerHeight)} />
                )}
                {loadMore?.isLoading && rows.length > 0 && (
                  <SkeletonRows columns={shown} height={rowHeight} hasFiller={hasFiller} count={3} />
                )}
              </>
            )}
          </tbody>
        </table>
        {!isLoading &&
          count === 0 &&
          (props.error ? <ErrorPanel error={props.error} onRetry={props.onRetry} /> : (props.empty ?? <EmptyState />))}
      </div>
      {pagination && !isLoading && (total > 0 || pagination.pageIndex > 0) && (
        <div className="border-t border-line">
          <Pagination
            {...pagination}
            total={total}
            // A filter can shorten the list below the page we are on.
            pageIndex={Math.min(pagination.pageIndex, pageCount(total, pagination.pageSize) - 1)}
          />
        </div>
      )}
    </div>
  )
}

function withSize(sizes: Record<string, number>, column: string, width: number | undefined) {
  const { [column]: _, ...rest } = sizes
  return width === undefined ? rest : { ...rest, [column]: width }
}

function Spacer({ height }: { height: number }) {
  return height > 0 ? (
    <tr aria-hidden style={{ height }}>
      <td className="p-0" />
    </tr>
  ) : null
}

function FetchLine() {
  return (
    <div aria-hidden className="absolute inset-x-0 top-[33px] z-20 h-px overflow-hidden">
      <div className="h-full w-full animate-shimmer bg-accent" />
    </div>
  )
}
