import { ValueError } from '../errors.ts'
import { Duration, parseDuration } from '../values/duration.ts'
import { Moment } from '../values/moment.ts'
import { numberText } from '../values/print.ts'
import { readRfc3339 } from '../values/rfc3339.ts'
import { kindOf, TypeValue, Uint, UrlValue, type Value } from '../values/values.ts'
import { int64, shownKind } from './operators.ts'

/** The conversions of the language: int(x), string(x) and so on. */

const refuse = (name: string, value: Value): never => {
  throw new ValueError(`no such overload: ${name}(${shownKind(value)})`)
}
const unreadable = (name: string, value: string): never => {
  throw new ValueError(`${name}() cannot read "${value.slice(0, 60)}"`)
}

export function toInt(value: Value): bigint {
  switch (typeof value) {
    case 'bigint':
      return value
    case 'number':
      if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 63) throw new ValueError('integer overflow')
      return BigInt(Math.trunc(value))
    case 'boolean':
      return value ? 1n : 0n
    case 'string':
      return /^[+-]?\d{1,19}$/.test(value) ? int64(BigInt(value.replace('+', ''))) : unreadable('int', value)
    default:
  }
  if (value instanceof Uint) return int64(value.value)
  if (value instanceof Moment) return value.unix
  if (value instanceof Duration) return value.nanos
  return refuse('int', value)
}

export function toUint(value: Value): Uint {
  if (value instanceof Uint) return value
  if (typeof value === 'bigint') return new Uint(value)
  if (typeof value === 'number' && Number.isFinite(value)) return new Uint(BigInt(Math.trunc(value)))
  if (typeof value === 'string') return /^\d{1,20}$/.test(value) ? new Uint(BigInt(value)) : unreadable('uint', value)
  return refuse('uint', value)
}

export function toDouble(value: Value): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint) return Number(value.value)
  if (typeof value !== 'string') return refuse('double', value)
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(value)
  if (special) return special[2]!.toLowerCase() === 'nan' ? Number.NaN : special[1] === '-' ? -Infinity : Infinity
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value) ? Number(value) : unreadable('double', value)
}

/** A duration in seconds, as the language writes it; `text` of a result shows it as 1h30m0s. */
const seconds = (duration: Duration) => {
  const sign = duration.nanos < 0n ? '-' : ''
  const all = duration.nanos < 0n ? -duration.nanos : duration.nanos
  const rest = String(all % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${sign}${all / 1_000_000_000n}${rest ? `.${rest}` : ''}s`
}

export function toText(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'number':
      return numberText(value)
    default:
  }
  if (value instanceof Uint) return String(value.value)
  if (value instanceof Uint8Array) {
    const decoded = Buffer.from(value).toString('utf8')
    if (decoded.includes('\ufffd') && !Buffer.from(decoded).equals(Buffer.from(value)))
      throw new ValueError('the bytes are not UTF-8')
    return decoded
  }
  if (value instanceof Moment) return value.toJSON()
  if (value instanceof Duration) return seconds(value)
  if (value instanceof TypeValue) return value.name
  if (value instanceof UrlValue) return value.href
  return refuse('string', value)
}

export function toBool(value: Value): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return refuse('bool', value)
  if (['1', 't', 'true', 'TRUE', 'True', 'T'].includes(value)) return true
  if (['0', 'f', 'false', 'FALSE', 'False', 'F'].includes(value)) return false
  return unreadable('bool', value)
}

export function toBytes(value: Value): Uint8Array {
  if (value instanceof Uint8Array) return value
  return typeof value === 'string' ? new Uint8Array(Buffer.from(value)) : refuse('bytes', value)
}

const earliest = -62_135_596_800_000
const latest = 253_402_300_799_999

export function toTimestamp(value: Value): Moment {
  if (value instanceof Moment) return value
  if (typeof value === 'bigint') {
    const ms = Number(value) * 1000
    if (ms < earliest || ms > latest) throw new ValueError('the time is out of range')
    return Moment.fromMs(ms)
  }
  if (typeof value !== 'string') return refuse('timestamp', value)
  const read = readRfc3339(value)
  if (!read || read.ms < earliest || read.ms > latest) return unreadable('timestamp', value)
  return read
}

export function toDuration(value: Value): Duration {
  if (value instanceof Duration) return value
  if (typeof value === 'bigint') return new Duration(value)
  return typeof value === 'string' ? parseDuration(value) : refuse('duration', value)
}

const typeValues = new Map<string, TypeValue>()
export function typeOf(value: Value): TypeValue {
  const name = kindOf(value)
  const known = typeValues.get(name) ?? new TypeValue(name)
  typeValues.set(name, known)
  return known
}
