import { Duration } from './duration.ts'
import { formatLayout } from './layout.ts'
import { utc, type Zone } from './zone.ts'

export interface Fields {
  year: number
  /** 1 to 12 */
  month: number
  day: number
  /** 0 is Sunday */
  weekday: number
  /** 1 to 366 */
  yearDay: number
  hour: number
  minute: number
  second: number
  nanosecond: number
  /** Seconds east of UTC. */
  offset: number
}

const million = 1_000_000n

/** A point in time to the nanosecond, told in a zone; printed the way Go prints it. */
export class Moment {
  constructor(
    readonly nanos: bigint,
    readonly zone: Zone = utc,
  ) {}

  static fromMs(ms: number, zone: Zone = utc): Moment {
    return new Moment(BigInt(Math.round(ms)) * million, zone)
  }

  /** Whole milliseconds since 1970, rounded down. */
  get ms(): number {
    const rest = ((this.nanos % million) + million) % million
    return Number((this.nanos - rest) / million)
  }

  get unix(): bigint {
    return BigInt(Math.floor(this.ms / 1000))
  }

  fields(zone: Zone = this.zone): Fields {
    const ms = this.ms
    const offset = zone.offsetAt(ms)
    const wall = new Date(ms + offset * 1000)
    const year = wall.getUTCFullYear()
    const start = new Date(0)
    start.setUTCFullYear(year, 0, 1)
    return {
      year,
      month: wall.getUTCMonth() + 1,
      day: wall.getUTCDate(),
      weekday: wall.getUTCDay(),
      yearDay: Math.floor((wall.getTime() - start.getTime()) / 86_400_000) + 1,
      hour: wall.getUTCHours(),
      minute: wall.getUTCMinutes(),
      second: wall.getUTCSeconds(),
      nanosecond: Number(((this.nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n),
      offset,
    }
  }

  add(duration: Duration): Moment {
    return new Moment(this.nanos + duration.nanos, this.zone)
  }

  addDate(years: number, months: number, days: number): Moment {
    const now = this.fields()
    const wall = new Date(0)
    wall.setUTCFullYear(now.year + years, now.month - 1 + months, now.day + days)
    wall.setUTCHours(now.hour, now.minute, now.second)
    return Moment.fromWall(wall.getTime(), now.nanosecond, this.zone)
  }

  since(earlier: Moment): Duration {
    return new Duration(this.nanos - earlier.nanos)
  }

  in(zone: Zone): Moment {
    return new Moment(this.nanos, zone)
  }

  format(layout: string): string {
    return formatLayout(layout, this.fields(), this.zone.shortAt(this.ms))
  }

  /** The moment when clocks in the zone show this wall time (given as if it were UTC). */
  static fromWall(wallMs: number, nanosecond: number, zone: Zone): Moment {
    // Two rounds settle the offset except inside the hour a clock change skips.
    let ms = wallMs - zone.offsetAt(wallMs) * 1000
    ms = wallMs - zone.offsetAt(ms) * 1000
    return new Moment(BigInt(ms) * million + BigInt(nanosecond), zone)
  }

  toString(): string {
    return this.format('2006-01-02 15:04:05.999999999 -0700 MST')
  }

  toJSON(): string {
    return this.format('2006-01-02T15:04:05.999999999Z07:00')
  }
}
