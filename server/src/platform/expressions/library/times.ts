import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { Duration } from '../values/duration.ts'
import { namedLayouts, parseLayout } from '../values/layout.ts'
import { Moment } from '../values/moment.ts'
import { fixedZone, utc, type Zone, zoneNamed } from '../values/zone.ts'
import type { Value } from '../values/values.ts'
import { duration, moment, number, text } from './args.ts'

export const now = (run: Run): Moment => Moment.fromMs(run.now, zoneNamed('Local'))

export function parseTime(layout: string, value: string, zone: Zone = utc): Moment {
  const parsed = parseLayout(namedLayouts[layout] ?? layout, value)
  if (parsed.offset === undefined) return Moment.fromWall(parsed.wallMs, parsed.nanosecond, zone)
  return Moment.fromWall(parsed.wallMs, parsed.nanosecond, fixedZone(parsed.offset, parsed.zoneName ?? ''))
}

export const parseLocal = (layout: string, value: string): Moment => parseTime(layout, value, zoneNamed('Local'))
export const parseInLocation = (layout: string, zone: string, value: string): Moment =>
  parseTime(layout, value, zoneNamed(zone))

export const since = (run: Run, value: Value): Duration => Moment.fromMs(run.now).since(moment(value))
export const until = (run: Run, value: Value): Duration => moment(value).since(Moment.fromMs(run.now))

export function unix(value: Value): Moment {
  const seconds = number(value)
  if (!Number.isFinite(seconds) || Math.abs(seconds) > 1e11)
    throw new ValueError('the number of seconds is out of range')
  return new Moment(BigInt(Math.round(seconds * 1e6)) * 1_000n, zoneNamed('Local'))
}

export const zoneName = (run: Run): string => zoneNamed('Local').shortAt(run.now) || zoneNamed('Local').name
export const zoneOffset = (run: Run): number => zoneNamed('Local').offsetAt(run.now)

const unitNanos = {
  Nanosecond: 1,
  Microsecond: 1e3,
  Millisecond: 1e6,
  Second: 1e9,
  Minute: 6e10,
  Hour: 3.6e12,
} as const
export type TimeUnit = keyof typeof unitNanos
export const timeUnits = Object.keys(unitNanos) as TimeUnit[]
export const units = (unit: TimeUnit, count: Value): Duration =>
  new Duration(BigInt(Math.round(number(count) * unitNanos[unit])))

/** Time since an RFC 3339 text or a time; a number is a span of nanoseconds already. */
export function age(run: Run, value: Value): Duration {
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Duration) return duration(value)
  return since(run, typeof value === 'string' ? text(value) : value)
}
