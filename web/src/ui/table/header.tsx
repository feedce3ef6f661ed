import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { cn } from '@/lib/cn.ts'
import type { Column } from './column.ts'

export const headerHeight = 34

export interface HeaderCellProps<T> {
  column: Column<T>
  sorted: false | 'asc' | 'desc'
  onSort?: () => void
  onResize: (width: number | undefined) => void
  isFirst: boolean
}

/** A column's name; a click sorts ascending, descending, not; the right edge can be dragged. */
export function HeaderCell<T>({ column, sorted, onSort, onResize, isFirst }: HeaderCellProps<T>) {
  const cell = useRef<HTMLTableCellElement>(null)
  const Icon = sorted === 'asc' ? ArrowUp : sorted === 'desc' ? ArrowDown : ArrowUpDown
  const right = column.align === 'right'
  const width = () => cell.current?.offsetWidth ?? 0
  const resize = (to: number | undefined) =>
    onResize(to === undefined ? undefined : Math.round(Math.max(column.minSize ?? 48, to)))
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -16, ArrowRight: 16 }[event.key]
    if (!by || !event.shiftKey) return
    event.preventDefault()
    resize(width() + by)
  }
  const text = <span className="truncate">{column.header}</span>
  return (
    <th
      ref={cell}
      scope="col"
      title={column.hint}
      aria-sort={onSort && (sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : 'none')}
      style={{ height: headerHeight }}
      className={cn(
        'group/th sticky top-0 z-10 border-b border-line bg-surface p-0 text-xs font-medium text-muted select-none',
        isFirst ? 'pl-4' : 'pl-3',
        'pr-3',
        right ? 'text-right' : 'text-left',
      )}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          onKeyDown={onKeyDown}
          className={cn(
            'inline-flex h-full max-w-full items-center gap-1 rounded-sm hover:text-fg',
            right && 'flex-row-reverse',
            sorted && 'text-fg',
          )}
        >
          {text}
          <Icon
            size={13}
            aria-hidden
            className={cn('shrink-0', sorted ? 'text-accent-text' : 'text-subtle opacity-0 group-hover/th:opacity-100')}
          />
        </button>
      ) : (
        <span className="inline-flex h-full max-w-full items-center">
          {text || <span className="sr-only">Actions</span>}
        </span>
      )}
      <ResizeHandle column={column.id} width={width} onResize={resize} />
    </th>
  )
}

/** For pointers only; the keyboard resizes with Shift and the arrows on the header's button. */
function ResizeHandle({
  column,
  width,
  onResize,
}: {
  column: string
  width: () => number
  onResize: (width: number | undefined) => void
}) {
  const start = useRef<{ x: number; width: number }>(undefined)
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { x: event.clientX, width: width() }
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (start.current) onResize(start.current.width + event.clientX - start.current.x)
  }
  const stop = () => (start.current = undefined)
  return (
    <span
      aria-hidden
      data-resize={column}
      title="Drag to resize, double-click to reset"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={stop}
      onPointerCancel={stop}
      onDoubleClick={() => onResize(undefined)}
      className="absolute inset-y-0 right-0 z-10 w-2 cursor-col-resize touch-none after:absolute after:inset-y-2 after:right-0 after:w-px after:bg-transparent group-hover/th:after:bg-line hover:after:inset-y-0 hover:after:w-0.5 hover:after:bg-accent"
    />
  )
}
