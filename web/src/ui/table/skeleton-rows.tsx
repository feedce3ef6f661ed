import { Skeleton } from '../skeleton.tsx'
import type { Column } from './column.ts'

const widths = [72, 48, 60, 36, 55, 80, 42]

/** Grey bars in the place of rows to come, in the same columns and height, so that nothing moves when they arrive. */
export function SkeletonRows<T>({
  columns,
  height,
  hasFiller,
  count,
}: {
  columns: readonly Column<T>[]
  height: number
  hasFiller: boolean
  count: number
}) {
  return Array.from({ length: count }, (_, row) => (
    <tr key={row} data-skeleton style={{ height }}>
      {columns.map((column, i) => (
        <td key={column.id} className={`border-b border-line py-0 pr-3 ${i === 0 ? 'pl-4' : 'pl-3'}`}>
          <Skeleton
            className={column.align === 'right' ? 'ml-auto' : undefined}
            style={{ width: `${widths[(row * 3 + i) % widths.length]}%` }}
          />
        </td>
      ))}
      {hasFiller && <td className="border-b border-line p-0" />}
    </tr>
  ))
}
