import type { CheckSummary } from './check.ts'
import { type CheckGroup, groupChecks, groupOf, totalled } from './grouping.ts'

export const pivotCellTypes = ['health', 'uptime', 'latency'] as const
export type PivotCellType = (typeof pivotCellTypes)[number]

export interface Pivot {
  columns: string[]
  rows: { key: string; name: string; cells: Map<string, CheckGroup> }[]
}

/** Column of a check: its namespace, its agent, or the value of the label that `pivotBy=labels` names in pivotLabel. */
function columnOf(check: CheckSummary, pivotBy: string, pivotLabel: string): string | undefined {
  if (pivotBy === 'labels' || pivotBy === 'label') return check.labels?.[pivotLabel]
  if (pivotBy === 'namespace') return check.namespace
  if (pivotBy === 'agent_id') return check.agent_id ?? 'local'
  return groupOf(check, pivotBy)
}

/** Rows as grouped, one column per value of what is pivoted by; checks without that value are left out. */
export function pivotChecks(
  checks: readonly CheckSummary[],
  groupBy: string,
  pivotBy: string,
  pivotLabel: string,
  now: number,
): Pivot {
  const columns = new Set<string>()
  const rows = groupChecks(checks, groupBy).flatMap((group) => {
    const cells = new Map<string, CheckSummary[]>()
    for (const check of group.checks) {
      const column = columnOf(check, pivotBy, pivotLabel)
      if (!column) continue
      columns.add(column)
      const cell = cells.get(column)
      if (cell) cell.push(check)
      else cells.set(column, [check])
    }
    if (cells.size === 0) return []
    return [
      {
        key: group.key,
        name: group.name,
        cells: new Map(
          [...cells].map(([column, list]) => [column, totalled({ key: column, name: column, checks: list }, now)]),
        ),
      },
    ]
  })
  const compare = new Intl.Collator(undefined, { numeric: true }).compare
  return { columns: [...columns].sort(compare), rows }
}
