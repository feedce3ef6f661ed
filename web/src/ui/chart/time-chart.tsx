/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard */
import { ChartLine, Table2 } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { cn } from '@/lib/cn.ts'
import { formatDate } from '@/lib/dates.ts'
import { EmptyState } from '../empty-state.tsx'
import { IconButton } from '../icon-button.tsx'
import { Skeleton } from '../skeleton.tsx'
import { colourOf, type Series } from './series.ts'
import { formatUnit, type Unit } from './units.ts'

const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }))

export interface TimeChartProps {
  /** What is shown, e.g. "Response time"; stands above and names the chart. */
  label: string
  /** Milliseconds, ascending. Keep the same array while nothing changes. */
  times: readonly number[]
  series: readonly Series[]
  unit?: Unit
  height?: number
  isLoading?: boolean
  /** Dragging over the chart chooses a time range. */
  onSelectRange?: (from: Date, to: Date) => void
  className?: string
}

const noneHidden: ReadonlySet<string> = new Set()

/** Values over time: axes with units, crosshair with values, a legend that hides lines, and the same as a table. */
export function TimeChart({
  label,
  times,
  series,
  unit = 'count',
  height = 220,
  isLoading,
  onSelectRange,
  className,
}: TimeChartProps) {
  const [asTable, setAsTable] = useState(false)
  const [hidden, setHidden] = useState(noneHidden)
  const [hover, setHover] = useState<{ index: number; left: number; width: number }>()
  const toggle = useCallback(
    (name: string) =>
      setHidden((now) => (now.has(name) ? new Set([...now].filter((n) => n !== name)) : new Set([...now, name]))),
    [],
  )
  const isEmpty =
    times.length === 0 || series.every((each) => each.values.every((value) => value === null || value === undefined))
  const at = hover && hover.index < times.length ? hover : undefined
  return (
    <figure aria-label={label} className={cn('flex min-w-0 flex-col gap-1', className)}>
      <figcaption className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-0.5">
        <span className="text-sm font-medium">{label}</span>
        {series.length > 1 &&
          series.map((each, i) => (
            <button
              key={each.label}
              type="button"
              aria-pressed={!hidden.has(each.label)}
              onClick={() => toggle(each.label)}
              className={cn(
                'inline-flex items-center gap-1.5 rounded-sm text-xs text-muted hover:text-fg',
                hidden.has(each.label) && 'line-through opacity-60',
              )}
            >
              <Swatch series={each} index={i} />
              {each.label}
            </button>
          ))}
        {!isEmpty && (
          <IconButton
            size="sm"
            icon={asTable ? ChartLine : Table2}
            label={asTable ? 'Show as chart' : 'Show as table'}
            onClick={() => setAsTable(!asTable)}
            className="ml-auto"
          />
        )}
      </figcaption>
      {isLoading ? (
        <Skeleton className="w-full rounded-md" style={{ height }} />
      ) : isEmpty ? (
        <div style={{ height }} className="grid place-items-center">
          <EmptyState icon={ChartLine} className="py-4" />
        </div>
      ) : asTable ? (
        <ValueTable label={label} times={times} series={series} unit={unit} height={height} />
      ) : (
        <div className="relative" onMouseLeave={() => setHover(undefined)}>
          <Suspense fallback={<Skeleton className="w-full rounded-md" style={{ height }} />}>
            <Plot
              times={times}
              series={series}
              unit={unit}
              height={height}
              hidden={hidden}
              onHover={setHover}
              onSelectRange={onSelectRange}
            />
          </Suspense>
          {at && (
            <div
              className="popup pointer-events-none absolute top-2 z-10 px-2.5 py-1.5 text-xs"
              style={at.left < at.width / 2 ? { left: at.left + 12 } : { right: at.width - at.left + 12 }}
            >
              <div className="mb-1 text-muted">{formatDate(times[at.index], 'full')}</div>
              {series.map(
                (each, i) =>
                  !hidden.has(each.label) && (
                    <div key={each.label} className="flex items-center gap-2">
                      <Swatch series={each} index={i} />
                      <span className="text-muted">{each.label}</span>
                      <span className="ml-auto pl-3 font-medium">{formatUnit(each.values[at.index], unit)}</span>
                    </div>
                  ),
              )}
            </div>
          )}
        </div>
      )}
    </figure>
  )
}

function Swatch({ series, index }: { series: Series; index: number }) {
  return (
    <span
      aria-hidden
      className={cn('w-3 shrink-0 rounded-full', series.kind === 'line' || !series.kind ? 'h-0.5' : 'h-2 rounded-xs')}
      style={
        series.dashed
          ? { borderTop: `2px dashed var(--${colourOf(series, index)})` }
          : { background: `var(--${colourOf(series, index)})` }
      }
    />
  )
}

const mostRows = 500

function ValueTable({
  label,
  times,
  series,
  unit,
  height,
}: {
  label: string
  times: readonly number[]
  series: readonly Series[]
  unit: Unit
  height: number
}) {
  const newest = times
    .map((_, i) => i)
    .slice(-mostRows)
    .toReversed()
  return (
    <div
      style={{ height }}
      tabIndex={0}
      role="region"
      aria-label={`${label}, table`}
      className="overflow-auto rounded-md border border-line"
    >
      <table className="w-full text-xs">
        <thead className="sticky top-0 bg-surface text-left text-muted">
          <tr>
            <th scope="col" className="px-3 py-1.5 font-medium">
              Time
            </th>
            {series.map((each) => (
              <th key={each.label} scope="col" className="px-3 py-1.5 text-right font-medium">
                {each.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {newest.map((i) => (
            <tr key={i} className="border-t border-line">
              <td className="px-3 py-1 whitespace-nowrap">{formatDate(times[i])}</td>
              {series.map((each) => (
                <td key={each.label} className="px-3 py-1 text-right">
                  {formatUnit(each.values[i], unit)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
