import { ChevronRight } from 'lucide-react'
import { memo, type MouseEvent } from 'react'
import { cn } from '@/lib/cn.ts'
import type { Column } from './column.ts'

export interface RowProps<T> {
  row: T
  columns: readonly Column<T>[]
  index: number
  height: number
  depth: number
  canExpand: boolean
  isExpanded: boolean
  isSelected: boolean
  isActive: boolean
  /** Whether rows of this table open something. */
  isClickable: boolean
  hasFiller: boolean
  /** Rows of a tree keep room for the arrow. */
  isTree: boolean
  className?: string
  onOpen: (row: T, newTab: boolean) => void
  onToggle: (index: number) => void
  onActivate: (index: number) => void
  onIntent?: (row: T) => void
}

const interactive =
  'a,button,input,select,textarea,label,summary,[role=button],[role=checkbox],[role=switch],[role=menuitem]'

/** Whether a click inside a row was meant for a control in it, or only ended a text selection. */
function isForSomethingElse(event: MouseEvent<HTMLElement>) {
  if (event.defaultPrevented) return true
  const target = event.target as HTMLElement
  // Popups are portalled but their events bubble through React's tree.
  if (!event.currentTarget.contains(target) || target.closest(interactive)) return true
  return !!window.getSelection()?.toString()
}

function TableRow<T>(props: RowProps<T>) {
  const {
    row,
    columns,
    index,
    height,
    depth,
    canExpand,
    isExpanded,
    isSelected,
    isActive,
    isClickable,
    hasFiller,
    isTree,
  } = props
  const open = (event: MouseEvent<HTMLElement>, newTab: boolean) => {
    if (isForSomethingElse(event)) return
    if (isClickable && !(canExpand && !newTab)) props.onOpen(row, newTab)
    else if (canExpand) props.onToggle(index)
  }
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      aria-current={isSelected || undefined}
      tabIndex={isClickable || canExpand ? (isActive ? 0 : -1) : undefined}
      onClick={(event) => open(event, event.metaKey || event.ctrlKey)}
      onAuxClick={(event) => event.button === 1 && open(event, true)}
      onFocus={(event) => event.target === event.currentTarget && props.onActivate(index)}
      onPointerEnter={props.onIntent && (() => props.onIntent?.(row))}
      style={{ height }}
      className={cn(
        'scroll-mt-9 outline-offset-[-2px] hover:bg-hover',
        (isClickable || canExpand) && 'cursor-pointer',
        isSelected && 'bg-accent-soft hover:bg-accent-soft',
        props.className,
      )}
    >
      {columns.map((column, i) => (
        <td
          key={column.id}
          className={cn(
            'truncate border-b border-line py-0 pr-3',
            i === 0 ? 'pl-4' : 'pl-3',
            column.align === 'right' && 'text-right',
          )}
        >
          {i === 0 && isTree ? (
            <span className="flex min-w-0 items-center gap-1" style={{ paddingLeft: depth * 18 }}>
              {canExpand ? (
                <button
                  type="button"
                  aria-expanded={isExpanded}
                  aria-label={isExpanded ? 'Collapse' : 'Expand'}
                  onClick={() => props.onToggle(index)}
                  className="-ml-1 grid size-5 shrink-0 place-items-center rounded-sm text-subtle hover:bg-pressed hover:text-fg"
                >
                  <ChevronRight
                    size={14}
                    aria-hidden
                    className={cn('transition-transform', isExpanded && 'rotate-90')}
                  />
                </button>
              ) : (
                <span className="-ml-1 w-5 shrink-0" />
              )}
              <span className="min-w-0 flex-1 truncate">{column.cell(row)}</span>
            </span>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
      {hasFiller && <td aria-hidden className="border-b border-line p-0" />}
    </tr>
  )
}

/** One row; it renders again only when something of it changed. */
export const DataRow = memo(TableRow) as typeof TableRow
