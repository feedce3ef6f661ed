import { ValueError } from '../errors.ts'
import { Duration, parseDuration, readDuration } from '../values/duration.ts'
import { Moment } from '../values/moment.ts'
import { goText } from '../values/print.ts'
import { readRfc3339 } from '../values/rfc3339.ts'
import { isMap, kindOf, Optional, Uint, type Value } from '../values/values.ts'

/** Readers of function arguments: each gives the JavaScript value or says what was expected. */

const shown = (value: Value) => {
  const kind = kindOf(value)
  return kind === 'null_type' ? 'null' : kind.replace('google.protobuf.', '').toLowerCase()
}
const expected = (what: string, value: Value): never => {
  throw new ValueError(`${what} is expected, not ${shown(value)}`)
}

/** Any value as text; null is the empty text. */
export const text = (value: Value): string => {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return value instanceof Uint8Array ? Buffer.from(value).toString() : goText(value)
}

/** Only a text is taken. */
export const onlyText = (value: Value): string => (typeof value === 'string' ? value : expected('a text', value))

export function number(value: Value): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint) return Number(value.value)
  if (value instanceof Duration) return Number(value.nanos)
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string') {
    const trimmed = value.trim().replaceAll(',', '')
    const parsed = Number(trimmed)
    if (trimmed !== '' && !Number.isNaN(parsed)) return parsed
    throw new ValueError(`"${value.slice(0, 40)}" is not a number`)
  }
  return expected('a number', value)
}

export function integer(value: Value): number {
  const found = number(value)
  if (!Number.isFinite(found)) return expected('a whole number', value)
  return Math.trunc(found)
}

/** Whether it is a whole number: bigint, or a number without fraction. */
export const isWhole = (value: Value): boolean =>
  typeof value === 'bigint' ||
  value instanceof Uint ||
  (typeof value === 'number' && Number.isInteger(value)) ||
  (typeof value === 'string' && /^[+-]?\d+$/.test(value.trim()))

export function list(value: Value): unknown[] {
  if (Array.isArray(value)) return value
  if (value === null || value === undefined) return []
  if (value instanceof Set) return [...value]
  return expected('a list', value)
}

export const texts = (value: Value): string[] => list(value).map(text)

export function map(value: Value): Record<string, unknown> | Map<unknown, unknown> {
  return isMap(value) ? value : expected('a map', value)
}

/** True for what means yes: true, `true`, `yes`, `on`, numbers other than 0. */
export function truthy(value: Value): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value) === 1
  if (typeof value === 'string') return /^(1|t|true|yes|y|on)$/i.test(value.trim())
  return false
}

/** Go's idea of empty: false, 0, nothing, and whatever has no length. */
export function isEmpty(value: Value): boolean {
  if (value === null || value === undefined || value === false || value === '' || value === 0 || value === 0n)
    return true
  if (typeof value === 'number') return Number.isNaN(value)
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0
  if (value instanceof Optional) return !value.present || isEmpty(value.value)
  if (value instanceof Duration) return value.nanos === 0n
  if (isMap(value)) return value instanceof Map ? value.size === 0 : Object.keys(value).length === 0
  return false
}

/** A duration, a text such as `7d`, or a number of nanoseconds. */
export function duration(value: Value): Duration {
  if (value instanceof Duration) return value
  if (typeof value === 'string') return parseDuration(value, true)
  if (typeof value === 'number' || typeof value === 'bigint') return new Duration(BigInt(Math.trunc(Number(value))))
  return expected('a duration', value)
}

export const maybeDuration = (value: string): Duration | undefined => readDuration(value, true)

/** A time, an RFC 3339 text, or a date. */
export function moment(value: Value): Moment {
  if (value instanceof Moment) return value
  if (value instanceof Date) return Moment.fromMs(value.getTime())
  if (typeof value === 'string') {
    const read = readRfc3339(value.trim()) ?? dateOnly(value.trim())
    if (read) return read
    throw new ValueError(`"${value.slice(0, 60)}" is not a time such as 2024-05-01T10:00:00Z`)
  }
  return expected('a time', value)
}

function dateOnly(value: string): Moment | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? readRfc3339(`${value}T00:00:00Z`) : undefined
}

export function bytes(value: Value): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value)
  return Buffer.from(text(value))
}
