/**
 * Time ranges: the fixed list of the health pages, and the ranges of the picker (relative, mapped, absolute) with their
 * date-math and absolute forms and their place in the address.
 */
import { parseDateMath } from './date-math.ts'

/** Ranges of the health pages; the minutes serve comparisons, `healthRangeStart` knows calendar months. */
export const healthRanges = [
  { label: '15m', minutes: 15 },
  { label: '1h', minutes: 60 },
  { label: '2h', minutes: 120 },
  { label: '3h', minutes: 180 },
  { label: '6h', minutes: 360 },
  { label: '12h', minutes: 720 },
  { label: '1d', minutes: 1440 },
  { label: '2d', minutes: 2880 },
  { label: '3d', minutes: 4320 },
  { label: '1w', minutes: 10080 },
  { label: '2w', minutes: 20160 },
  { label: '3w', minutes: 30240 },
  { label: '1mo', minutes: 43200 },
  { label: '2mo', minutes: 86400 },
  { label: '3mo', minutes: 129600 },
  { label: '6mo', minutes: 259200 },
  { label: '1y', minutes: 518400 },
  { label: '2y', minutes: 1036800 },
  { label: '3y', minutes: 1555200 },
  { label: '5y', minutes: 2592000 },
] as const

export type HealthRange = (typeof healthRanges)[number]['label']
export const defaultHealthRange: HealthRange = healthRanges[1].label

/** Whether a text, e.g. from an address, is one of the health ranges. */
export function isHealthRange(text: string | null | undefined): text is HealthRange {
  return healthRanges.some((range) => range.label === text)
}

export function healthRangeMinutes(label: HealthRange): number {
  return healthRanges.find((range) => range.label === label)!.minutes
}

/** When a health range begins: months and years by the calendar, the rest by minutes. */
export function healthRangeStart(label: HealthRange, now: Date): Date {
  const count = Number.parseInt(label, 10)
  if (label.endsWith('mo')) return parseDateMath(`now-${count}M`, { now })!
  if (label.endsWith('y')) return parseDateMath(`now-${count * 12}M`, { now })!
  return new Date(now.getTime() - healthRangeMinutes(label) * 60_000)
}

/** The range to show a check with, by the age of its last run: the smallest of 1h, 3h, … that reaches back far enough. */
export function healthRangeForAge(minutesSinceLastRun: number): HealthRange {
  const candidates = healthRanges.filter((range) => range.label !== '15m' && range.label !== '2h')
  return candidates.find((range) => minutesSinceLastRun < range.minutes)?.label ?? '5y'
}

/** Relative ranges of the picker with the words shown for them. */
export const relativeRanges = [
  { range: '5m', display: '5 minutes' },
  { range: '15m', display: '15 minutes' },
  { range: '30m', display: '30 minutes' },
  { range: '1h', display: '1 hour' },
  { range: '3h', display: '3 hours' },
  { range: '6h', display: '6 hours' },
  { range: '12h', display: '12 hours' },
  { range: '24h', display: '24 hours' },
  { range: '2d', display: '2 days' },
  { range: '7d', display: '7 days' },
  { range: '30d', display: '30 days' },
  { range: '90d', display: '90 days' },
  { range: '6M', display: '6 months' },
  { range: '1y', display: '1 year' },
  { range: '2y', display: '2 years' },
  { range: '5y', display: '5 years' },
] as const

/** Quick ranges with their bounds; `to` is exclusive, so both bounds round the same way everywhere. */
export const mappedRanges = [
  { display: 'Yesterday', from: 'now-1d/d', to: 'now/d' },
  { display: 'Day before yesterday', from: 'now-2d/d', to: 'now-1d/d' },
  { display: 'This day last week', from: 'now-7d/d', to: 'now-6d/d' },
  { display: 'Previous week', from: 'now-1w/w', to: 'now/w' },
  { display: 'Previous month', from: 'now-1M/M', to: 'now/M' },
  { display: 'Previous year', from: 'now-1y/y', to: 'now/y' },
  { display: 'Today', from: 'now/d', to: 'now+1d/d' },
  { display: 'Today so far', from: 'now/d', to: 'now' },
  { display: 'This week', from: 'now/w', to: 'now+1w/w' },
  { display: 'This week so far', from: 'now/w', to: 'now' },
  { display: 'This month', from: 'now/M', to: 'now+1M/M' },
  { display: 'This month so far', from: 'now/M', to: 'now' },
  { display: 'This year', from: 'now/y', to: 'now+1y/y' },
  { display: 'This year so far', from: 'now/y', to: 'now' },
] as const

export type MappedDisplay = (typeof mappedRanges)[number]['display']

export type TimeRange =
  /** `range` is a span such as `2d`. */
  | { type: 'relative'; display: string; range: string }
  /** `from` and `to` are instants in ISO form. */
  | { type: 'absolute'; display: 'Custom'; from: string; to: string }
  | { type: 'mapped'; display: string }

/** The relative range of a span; spans outside the list show themselves. */
export function relativeRange(span: string): TimeRange {
  return { type: 'relative', display: relativeRanges.find((r) => r.range === span)?.display ?? span, range: span }
}

export function absoluteRange(from: Date, to: Date): TimeRange {
  return { type: 'absolute', display: 'Custom', from: from.toISOString(), to: to.toISOString() }
}

/** A range that cannot be used; the picker keeps running and the page shows its default. */
export class InvalidTimeRange extends Error {}

/** The form that requests with date math carry: `{ from: 'now-2d', to: 'now' }`. */
export function toDateMath(range: TimeRange): { from: string; to: string } {
  if (range.type === 'absolute') return { from: range.from, to: range.to }
  if (range.type === 'mapped') {
    const known = mappedRanges.find((r) => r.display === range.display)
    if (!known) {
      // oxlint-disable-next-line no-console -- the specification wants it logged
      console.error('Invalid mapped time range', range.display)
      throw new InvalidTimeRange('Invalid mapped time range')
    }
    return { from: known.from, to: known.to }
  }
  if (!/^\d{1,6}(s|m|h|d|w|M|y)$/.test(range.range)) {
    // oxlint-disable-next-line no-console -- the specification wants it logged
    console.error('Invalid relative time range', range.range)
    throw new InvalidTimeRange('Invalid relative time range')
  }
  return { from: `now-${range.range}`, to: 'now' }
}

/** The form that requests with instants carry, computed now and in the reader's time zone. */
export function toInstants(range: TimeRange, now = new Date()): { from: Date; to: Date } {
  const { from, to } = toDateMath(range)
  const start = parseDateMath(from, { now, zone: 'local' })
  const end = parseDateMath(to, { now, zone: 'local' })
  if (!start || !end) throw new InvalidTimeRange('Invalid absolute time range')
  return { from: start, to: end }
}

/** Every address parameter a time range may use; choosing a range clears those it does not write. */
export const timeRangeParameters = ['rangeType', 'display', 'range', 'from', 'to', 'timeRange'] as const
export type TimeRangeParameter = (typeof timeRangeParameters)[number]

/** The address parameters of a range; no range leaves them all out. */
export function encodeTimeRange(range: TimeRange | undefined): Partial<Record<TimeRangeParameter, string>> {
  switch (range?.type) {
    case undefined:
      return {}
    case 'relative':
      return { rangeType: 'relative', display: range.display, range: `now-${range.range}`, timeRange: range.range }
    case 'absolute':
      return { rangeType: 'absolute', display: 'Custom', from: range.from, to: range.to }
    case 'mapped':
      return { rangeType: 'mapped', display: range.display }
  }
}

/** Reads a range from address parameters; undefined when there is none or it is damaged. */
export function decodeTimeRange(get: (name: TimeRangeParameter) => string | null | undefined): TimeRange | undefined {
  const type = get('rangeType')
  if (type === 'absolute') {
    const from = new Date(get('from') ?? '')
    const to = new Date(get('to') ?? '')
    return Number.isNaN(+from) || Number.isNaN(+to) ? undefined : absoluteRange(from, to)
  }
  if (type === 'mapped') {
    const display = get('display') ?? ''
    return mappedRanges.some((r) => r.display === display) ? { type, display } : undefined
  }
  const span = (get('range') ?? get('timeRange') ?? '').replace(/^now-/, '')
  return /^\d{1,6}(s|m|h|d|w|M|y)$/.test(span) ? relativeRange(span) : undefined
}

/** Puts an absolute range in front of the remembered ones: four at most, none twice. */
export function rememberRange<R extends { from: string; to: string }>(recent: readonly R[], range: R): R[] {
  return [range, ...recent.filter((r) => r.from !== range.from || r.to !== range.to)].slice(0, 4)
}
