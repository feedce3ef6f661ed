import type { HealthRange } from '@quarterdeck/contract/time-range'
import { useMemo } from 'react'
import { StatusStrip } from '@/ui/chart/status-strip.tsx'
import { TimeChart } from '@/ui/chart/time-chart.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import type { CheckGraph } from './check.queries.ts'
import { durationSeries, slotsOf, stripEntries } from './overview-slots.ts'

/** State and duration of a check over the whole range, with the gaps in which nothing ran. */
export function HealthOverview({
  graph,
  range,
  at,
  error,
  height = 180,
}: {
  graph: CheckGraph | undefined
  range: HealthRange
  /** When the graph was read: the right end of the chart. */
  at: number
  error: unknown
  height?: number
}) {
  const drawn = useMemo(() => {
    const hasRun = (graph?.status ?? []).length > 0
    const slots = graph && hasRun ? slotsOf(graph, range, new Date(at)) : []
    return { times: slots.map((slot) => slot.time), series: durationSeries(slots), entries: stripEntries(slots) }
  }, [graph, range, at])
  if (error && !graph) return <ErrorPanel error={error} />
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <TimeChart
        label="Health Overview"
        unit="ms"
        times={drawn.times}
        series={drawn.series}
        isLoading={!graph}
        height={height}
      />
      {drawn.entries.length > 0 && (
        <StatusStrip
          label="Status over time"
          entries={drawn.entries}
          most={120}
          className="mr-6 ml-10 h-4 *:max-w-none"
        />
      )}
    </div>
  )
}
