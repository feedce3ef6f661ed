import type { ColumnRow, ViewTreeRow } from './catalog.sql.ts'
import type { Relation } from './model.ts'
import { type Origin, viewOrigins } from './view-lineage.ts'

/** Follows every view column through the views it passes down to the table column it shows, and notes that there. */
export function resolveOrigins(
  relations: Map<string, Relation>,
  nameOf: Map<number, string>,
  columnRows: readonly ColumnRow[],
  treeRows: readonly ViewTreeRow[],
) {
  const trees = new Map(treeRows.map((row) => [row.view, viewOrigins(row.tree)]))
  const columnName = new Map(columnRows.map((row) => [`${row.relation}.${row.number}`, row.name]))

  const follow = (origin: Origin, steps = 0): Origin | undefined => {
    const tree = trees.get(origin.relation)
    if (!tree) return origin
    const next = tree.get(origin.column)
    return next && steps < 50 ? follow(next, steps + 1) : undefined
  }

  for (const row of columnRows) {
    if (!trees.has(row.relation)) continue
    const origin = follow({ relation: row.relation, column: row.number })
    const relation = origin && nameOf.get(origin.relation)
    const column = origin && columnName.get(`${origin.relation}.${origin.column}`)
    const shown = relations.get(nameOf.get(row.relation) ?? '')?.columns.get(row.name)
    if (relation && column && shown) shown.origin = { relation, column }
  }
}
