import {
  type ColumnDef,
  columnVisibilityFeature,
  createExpandedRowModel,
  createSortedRowModel,
  rowExpandingFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { naturalOrder } from '@/lib/natural-order.ts'

/** One column of a table, declared beside its screen. */
export interface Column<T> {
  id: string
  header: string
  cell: (row: T) => ReactNode
  /** What the column sorts by; without it the column sorts only when `sortable` says the server can. */
  value?: (row: T) => SortValue
  sortable?: boolean
  /** Width in pixels; the column marked `grow` takes what is left. */
  size?: number
  minSize?: number
  grow?: boolean
  /** Figures stand right. */
  align?: 'left' | 'right'
  /** Hidden until chosen in the columns menu. */
  hidden?: boolean
  /** Cannot be hidden. */
  required?: boolean
  /** Explains the header on hover. */
  hint?: string
}

export type SortValue = string | number | boolean | Date | null | undefined

export const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  rowExpandingFeature,
  expandedRowModel: createExpandedRowModel(),
  columnVisibilityFeature,
})
export type Features = typeof features

/** Ascending order of two sort values: figures and dates by size, text as people sort it. */
export function compareValues(a: SortValue, b: SortValue): number {
  if (typeof a === 'string' && typeof b === 'string') return naturalOrder(a, b)
  return Number(a) - Number(b) || 0
}

/** Declares columns to the table library; empty values sort last in both directions. */
export function toColumnDefs<T extends object>(
  columns: readonly Column<T>[],
  isServerSorted: boolean,
): ColumnDef<Features, T>[] {
  return columns.map((column) => ({
    id: column.id,
    header: column.header,
    accessorFn: (row: T) => column.value?.(row) ?? undefined,
    enableSorting: column.sortable ?? (isServerSorted ? false : column.value !== undefined),
    enableHiding: !column.required,
    sortUndefined: 'last',
    sortFn: (a, b, id) => compareValues(a.getValue(id), b.getValue(id)),
  }))
}
