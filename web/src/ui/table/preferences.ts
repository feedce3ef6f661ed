import type { ExpandedState } from '@tanstack/react-table'
import { readStored, useStored, writeStored } from '@/lib/storage.ts'
import type { Column } from './column.ts'

const key = (tableId: string, what: string) => `quarterdeck.table.${tableId}.${what}`

/** Column widths the user dragged; kept on this device. */
export function useColumnSizes(tableId: string) {
  return useStored<Record<string, number>>(key(tableId, 'sizes'), noSizes)
}
const noSizes: Record<string, number> = {}

/** Which columns the user shows or hides; absent ones follow their declaration. */
export function useColumnVisibility(tableId: string) {
  return useStored<Record<string, boolean>>(key(tableId, 'columns'), noChoice)
}
const noChoice: Record<string, boolean> = {}

export function visibilityOf<T>(
  columns: readonly Column<T>[],
  chosen: Record<string, boolean>,
): Record<string, boolean> {
  return Object.fromEntries(
    columns.map((column) => [column.id, column.required || (chosen[column.id] ?? !column.hidden)]),
  )
}

/** Where the user was in a table: kept for the session, so that going back shows the same place. */
export interface TablePlace {
  scroll: number
  expanded: ExpandedState
}

export const readPlace = (tableId: string) => readStored<TablePlace>(key(tableId, 'place'), 'session')
export const writePlace = (tableId: string, place: TablePlace) => writeStored(key(tableId, 'place'), place, 'session')
