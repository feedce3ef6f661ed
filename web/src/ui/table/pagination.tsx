import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatNumber } from '@/lib/format.ts'
import { IconButton } from '../icon-button.tsx'
import { Select } from '../select.tsx'

export const pageSizes = [5, 10, 25, 50, 100, 150, 200, 250, 300, 500, 1000] as const

export interface Page {
  pageIndex: number
  pageSize: number
}

export interface PaginationProps extends Page {
  /** All entries; undefined while unknown. */
  total: number | undefined
  onChange: (page: Page) => void
  sizes?: readonly number[]
}

/** How many pages there are; at least one, so that an empty list is page 1 of 1. */
export function pageCount(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / Math.max(1, pageSize)))
}

/** Where we are in a paged list, and the ways to move. */
export function Pagination({ pageIndex, pageSize, total, onChange, sizes = pageSizes }: PaginationProps) {
  const pages = total === undefined ? undefined : pageCount(total, pageSize)
  const last = pages === undefined ? undefined : pages - 1
  const from = pageIndex * pageSize + 1
  const to = Math.min(total ?? Number.POSITIVE_INFINITY, from + pageSize - 1)
  const go = (index: number) => onChange({ pageSize, pageIndex: Math.max(0, Math.min(index, last ?? index)) })
  const options = [...new Set([...sizes, pageSize])]
    .sort((a, b) => a - b)
    .map((size) => ({ value: String(size), label: String(size) }))
  return (
    <nav
      aria-label="Pages"
      className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5 text-xs text-muted"
    >
      <span>
        {total === 0
          ? 'No entries'
          : `${formatNumber(from)}–${formatNumber(to)}${total === undefined ? '' : ` of ${formatNumber(total)}`}`}
      </span>
      <span className="ml-auto flex items-center gap-2">
        <span className="max-sm:sr-only">Rows per page</span>
        <Select
          aria-label="Rows per page"
          value={String(pageSize)}
          options={options}
          onChange={(size) =>
            onChange({ pageSize: Number(size), pageIndex: Math.floor((pageIndex * pageSize) / Number(size)) })
          }
          className="h-7 w-20"
        />
      </span>
      {/* A phone has room for one line: it goes page by page. */}
      <span className="flex items-center gap-2 max-sm:hidden">
        Page
        <GoToPage page={pageIndex + 1} pages={pages} onGo={(page) => go(page - 1)} />
        {pages !== undefined && `of ${formatNumber(pages)}`}
      </span>
      <span className="flex items-center">
        <IconButton size="sm" icon={ChevronFirst} label="First page" disabled={pageIndex === 0} onClick={() => go(0)} />
        <IconButton
          size="sm"
          icon={ChevronLeft}
          label="Previous page"
          disabled={pageIndex === 0}
          onClick={() => go(pageIndex - 1)}
        />
        <IconButton
          size="sm"
          icon={ChevronRight}
          label="Next page"
          disabled={last !== undefined && pageIndex >= last}
          onClick={() => go(pageIndex + 1)}
        />
        <IconButton
          size="sm"
          icon={ChevronLast}
          label="Last page"
          disabled={last === undefined || pageIndex >= last}
          onClick={() => go(last ?? pageIndex)}
        />
      </span>
    </nav>
  )
}

function GoToPage({ page, pages, onGo }: { page: number; pages: number | undefined; onGo: (page: number) => void }) {
  const [text, setText] = useState(String(page))
  useEffect(() => setText(String(page)), [page])
  const commit = () => {
    const wanted = Number.parseInt(text, 10)
    const next = Number.isNaN(wanted) ? page : Math.max(1, Math.min(wanted, pages ?? wanted))
    setText(String(next))
    if (next !== page) onGo(next)
  }
  return (
    <input
      type="number"
      aria-label="Go to page"
      min={1}
      max={pages}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
      className="control h-7 w-14 px-2 text-center [appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none"
    />
  )
}
