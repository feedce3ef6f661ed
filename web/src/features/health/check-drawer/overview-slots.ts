import { type HealthRange, healthRangeStart } from '@quarterdeck/contract/time-range'
import { formatMillis } from '@/lib/format.ts'
import type { Series } from '@/ui/chart/series.ts'
import type { StripEntry } from '@/ui/chart/status-strip.tsx'
import type { CheckGraph } from './check.queries.ts'

type Point = NonNullable<CheckGraph['status']>[number]

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Width of a window by range, for servers that do not say it. */
function usualStep(rangeSeconds: number): number {
  if (rangeSeconds <= 2 * hour) return minute
  if (rangeSeconds <= day) return 15 * minute
  if (rangeSeconds <= 7 * day) return hour
  return rangeSeconds <= 100 * day ? 4 * hour : day
}

export interface Slot {
  time: number
  point: Point | undefined
}

/**
 * The whole range in windows of equal width, also those in which nothing ran: a gap is drawn as a gap, and five minutes
 * of runs in a year stand where they belong.
 */
export function slotsOf(graph: CheckGraph, range: HealthRange, now: Date): Slot[] {
  const start = healthRangeStart(range, now).getTime()
  const step = 1000 * (graph.step_seconds ?? usualStep((now.getTime() - start) / 1000))
  const first = graph.status?.[0]
  // Windows begin where the server's do, which need not be a round time.
  const offset = first ? Date.parse(first.time) % step : 0
  const numberOf = (time: number) => Math.floor((time - offset) / step)
  const points = new Map((graph.status ?? []).map((point) => [numberOf(Date.parse(point.time)), point]))
  const from = numberOf(start)
  return Array.from({ length: numberOf(now.getTime()) - from + 1 }, (_, i) => ({
    time: (from + i) * step + offset,
    point: points.get(from + i),
  }))
}

/** Duration of each window as a bar in the colour of its state. */
export function durationSeries(slots: readonly Slot[]): Series[] {
  const durations = (isPassed: boolean) =>
    slots.map(({ point }) => (point && (point.status === true) === isPassed ? (point.duration ?? 0) : null))
  return [
    { label: 'Passed', kind: 'bars', colour: 'ok', values: durations(true) },
    { label: 'With failures', kind: 'bars', colour: 'bad', values: durations(false) },
  ]
}

/** State of each window; where nothing ran it is unknown. */
export function stripEntries(slots: readonly Slot[]): StripEntry[] {
  return slots.map(({ time, point }) => {
    if (!point) return { time, health: 'unknown', text: 'nothing ran' }
    const passed = point.passed ?? 0
    const failed = point.failed ?? 0
    const runs = passed + failed > 0 ? `${passed} passed, ${failed} failed, ` : ''
    return {
      time,
      health: point.status ? 'healthy' : passed > 0 ? 'warning' : 'unhealthy',
      text: `${runs}${formatMillis(point.duration ?? 0)} on average`,
    }
  })
}
