import { Moment } from './moment.ts'
import { fixedZone, utc } from './zone.ts'

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,18}))?(?:[Zz]|([+-])(\d{2}):?(\d{2}))$/

/** Reads an RFC 3339 time to the nanosecond; undefined when it is none. */
export function readRfc3339(text: string): Moment | undefined {
  const found = pattern.exec(text)
  if (!found) return undefined
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const wall = new Date(0)
  wall.setUTCFullYear(year, month - 1, day)
  if (month < 1 || month > 12 || wall.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59) return undefined
  wall.setUTCHours(hour, minute, second)
  const nanos = BigInt((found[7] ?? '').padEnd(9, '0').slice(0, 9))
  const offset = found[8] ? (found[8] === '-' ? -1 : 1) * (Number(found[9]) * 3600 + Number(found[10]) * 60) : 0
  const zone = offset === 0 ? utc : fixedZone(offset)
  return new Moment(BigInt(wall.getTime() - offset * 1000) * 1_000_000n + nanos, zone)
}
