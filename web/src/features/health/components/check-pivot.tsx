import { useMemo } from 'react'
import { formatUptime } from '@/lib/format.ts'
import { Millis } from '@/ui/figures.tsx'
import { HealthMark } from '@/ui/status.tsx'
import type { Column } from '@/ui/table/column.ts'
import { DataTable } from '@/ui/table/data-table.tsx'
import type { CheckSummary } from '../check.ts'
import type { CheckGroup } from '../grouping.ts'
import type { Pivot, PivotCellType } from '../pivot.ts'
import { aggregateHealth } from './check-columns.tsx'

type Row = Pivot['rows'][number]

interface CheckPivotProps {
  pivot: Pivot
  cellType: PivotCellType
  onOpen: (check: CheckSummary) => void
}

const pivotColumns = (
  names: readonly string[],
  type: PivotCellType,
  onOpen: CheckPivotProps['onOpen'],
): Column<Row>[] => [
  {
    id: 'name',
    header: 'Checks',
    grow: true,
    minSize: 180,
    required: true,
    value: (row) => row.name,
    cell: (row) => <span className="truncate">{row.name}</span>,
  },
  ...names.map((name): Column<Row> => ({
    id: `pivot:${name}`,
    header: name,
    // Marks need little room: thirty regions should be seen at once.
    size: type === 'health' ? 76 : 104,
    align: 'right',
    cell: (row) => <PivotCell cell={row.cells.get(name)} type={type} onOpen={onOpen} />,
  })),
]

/** Whoever looks at the thirtieth column still wants to know of what. */
const namesStay =
  '[&_:is(th,td):first-child]:sticky [&_:is(th,td):first-child]:left-0 [&_:is(th,td):first-child]:bg-surface [&_td:first-child]:z-5 [&_th:first-child]:z-20'

/** One row per group, one column per value of what is pivoted by. */
export function CheckPivot({ pivot, cellType, onOpen }: CheckPivotProps) {
  const columns = useMemo(() => pivotColumns(pivot.columns, cellType, onOpen), [pivot.columns, cellType, onOpen])
  return (
    <DataTable
      id="health-pivot"
      label="Health checks, pivoted"
      columns={columns}
      rows={pivot.rows}
      rowId={(row) => row.key}
      className={namesStay}
    />
  )
}

function PivotCell({
  cell,
  type,
  onOpen,
}: {
  cell: CheckGroup | undefined
  type: PivotCellType
  onOpen: (check: CheckSummary) => void
}) {
  if (!cell) return <span className="text-subtle">–</span>
  const [first] = cell.checks
  return (
    <button
      type="button"
      className="inline-flex items-center gap-1.5 tabular-nums hover:underline"
      onClick={() => first && onOpen(first)}
    >
      <HealthMark health={aggregateHealth[cell.aggregate]} label={cell.aggregate} />
      {type === 'uptime' && <span>{formatUptime(cell.uptime)}</span>}
      {type === 'latency' && (cell.latency === undefined ? '–' : <Millis ms={cell.latency} />)}
      {type === 'health' && cell.checks.length > 1 && <span className="text-xs text-muted">{cell.checks.length}</span>}
    </button>
  )
}
