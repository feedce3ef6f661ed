import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { Duration } from './duration.ts'
import { Moment } from './moment.ts'

/**
 * What expressions compute with: null, boolean, string, bigint (whole numbers), number (fractions in CEL, any number
 * in templates), Uint8Array, Array, plain object or Map, and the classes below.
 */
export type Value = unknown

export class Uint {
  constructor(readonly value: bigint) {
    if (value < 0n || value > 18_446_744_073_709_551_615n) throw new ValueError('unsigned integer overflow')
  }
}

/** A value that may be missing: `x.?a`, `optional.none()`. */
export class Optional {
  private constructor(
    readonly present: boolean,
    private readonly inner: Value,
  ) {}
  static readonly none = new Optional(false, null)
  static of(value: Value): Optional {
    return new Optional(true, value)
  }
  get value(): Value {
    if (!this.present) throw new ValueError('the optional has no value')
    return this.inner
  }
}

/** What `type(x)` gives and what `int`, `string` … mean as values. */
export class TypeValue {
  constructor(readonly name: string) {}
}

export type Kind =
  | 'null_type'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'list'
  | 'map'
  | 'google.protobuf.Timestamp'
  | 'google.protobuf.Duration'
  | 'optional_type'
  | 'type'
  | 'url'

/** A parsed address; its parts are read with functions. */
export class UrlValue {
  constructor(
    readonly href: string,
    readonly url: URL,
  ) {}
}

export function kindOf(value: Value): Kind {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'bigint':
      return 'int'
    case 'number':
      return 'double'
    case 'boolean':
      return 'bool'
    case 'undefined':
      return 'null_type'
    case 'object':
      if (value === null) return 'null_type'
      if (Array.isArray(value)) return 'list'
      if (value instanceof Moment) return 'google.protobuf.Timestamp'
      if (value instanceof Duration) return 'google.protobuf.Duration'
      if (value instanceof Uint8Array) return 'bytes'
      if (value instanceof Optional) return 'optional_type'
      if (value instanceof TypeValue) return 'type'
      if (value instanceof Uint) return 'uint'
      if (value instanceof UrlValue) return 'url'
      return 'map'
    default:
      return 'null_type'
  }
}

export const isNumeric = (value: Value): value is bigint | number | Uint =>
  typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint
export const isMap = (value: Value): value is Record<string, unknown> | Map<unknown, unknown> => kindOf(value) === 'map'
export const isList = (value: Value): value is unknown[] => Array.isArray(value)

/** Sets a key without ever touching the prototype. */
export function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
  else target[key] = value
}

/** A key's value, or undefined; whole numbers find each other across number types. */
export function getKey(map: Record<string, unknown> | Map<unknown, unknown>, key: Value): Value {
  if (map instanceof Map) {
    if (map.has(key)) return map.get(key)
    if (!isNumeric(key)) return undefined
    for (const [other, value] of map) if (isNumeric(other) && compareNumbers(other, key) === 0) return value
    return undefined
  }
  return typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : undefined
}

export const keysOf = (map: Record<string, unknown> | Map<unknown, unknown>): unknown[] =>
  map instanceof Map ? [...map.keys()] : Object.keys(map)
export const entriesOf = (map: Record<string, unknown> | Map<unknown, unknown>): [unknown, unknown][] =>
  map instanceof Map ? [...map.entries()] : Object.entries(map)
export const sizeOfMap = (map: Record<string, unknown> | Map<unknown, unknown>): number =>
  map instanceof Map ? map.size : Object.keys(map).length

/** An object when all keys are text, else a Map. */
export function mapFrom(entries: [unknown, unknown][]): Record<string, unknown> | Map<unknown, unknown> {
  if (!entries.every(([key]) => typeof key === 'string')) return new Map(entries)
  const result: Record<string, unknown> = {}
  for (const [key, value] of entries) put(result, key as string, value)
  return result
}

const plain = (value: bigint | number | Uint) => (value instanceof Uint ? value.value : value)

/** -1, 0, 1, or NaN when one of them is no number. */
export function compareNumbers(left: bigint | number | Uint, right: bigint | number | Uint): number {
  const a = plain(left)
  const b = plain(right)
  if (a < b) return -1
  if (a > b) return 1
  return Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : 0
}

export function compareText(a: string, b: string): number {
  if (a === b) return 0
  // By code point: UTF-16 units would put characters outside the basic plane before some inside it.
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) {
      const high = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
      return high(x) < high(y) ? -1 : 1
    }
  }
  return a.length < b.length ? -1 : 1
}

/** Order of two values of comparable kinds; undefined when they have none. */
export function compare(left: Value, right: Value): number | undefined {
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right)
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right)
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  if (left instanceof Moment && right instanceof Moment)
    return left.nanos < right.nanos ? -1 : left.nanos > right.nanos ? 1 : 0
  if (left instanceof Duration && right instanceof Duration) {
    return left.nanos < right.nanos ? -1 : left.nanos > right.nanos ? 1 : 0
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right)
  return undefined
}

/** Deep equality; values of different kinds are unequal, numbers compare by value. */
export function equal(left: Value, right: Value, run: Run): boolean {
  run.spend(1)
  if (left === right) return true
  if (left === undefined || left === null || right === undefined || right === null)
    return (left ?? null) === (right ?? null)
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right) === 0
  if (typeof left !== 'object' || typeof right !== 'object') return false
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
    return left.every((item, index) => equal(item, right[index], run))
  }
  if (left instanceof TypeValue || right instanceof TypeValue) {
    return left instanceof TypeValue && right instanceof TypeValue && left.name === right.name
  }
  if (left instanceof Optional || right instanceof Optional) {
    if (!(left instanceof Optional && right instanceof Optional) || left.present !== right.present) return false
    return !left.present || equal(left.value, right.value, run)
  }
  if (isMap(left) && isMap(right)) {
    if (sizeOfMap(left) !== sizeOfMap(right)) return false
    return entriesOf(left).every(([key, value]) => {
      const other = getKey(right, key)
      return other !== undefined && equal(value, other, run)
    })
  }
  if (left instanceof UrlValue && right instanceof UrlValue) return left.href === right.href
  return compare(left, right) === 0
}

const deepest = 200

/** Makes a host value (JSON, dates, bytes) into what CEL computes with: whole numbers become bigint. */
export function fromHost(value: unknown, run: Run, depth = 0): Value {
  run.spend(1)
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) ? BigInt(value) : value
    case 'string':
    case 'boolean':
    case 'bigint':
      return value
    case 'object':
      break
    default:
      return null
  }
  if (value === null) return null
  if (depth > deepest) throw new ValueError(`the data is nested deeper than ${deepest} levels`)
  if (Array.isArray(value)) return value.map((item) => fromHost(item, run, depth + 1))
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : Moment.fromMs(value.getTime())
  if (value instanceof Map) {
    return new Map([...value].map(([key, item]) => [fromHost(key, run, depth + 1), fromHost(item, run, depth + 1)]))
  }
  if (kindOf(value) !== 'map') return value
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key]
    if (item !== undefined) put(result, key, fromHost(item, run, depth + 1))
  }
  return result
}

/** Makes a computed value into JSON: numbers, texts, lists and objects. */
export function toHost(value: Value, depth = 0): unknown {
  if (depth > deepest) throw new ValueError(`the result is nested deeper than ${deepest} levels`)
  switch (typeof value) {
    case 'bigint':
      return Number(value)
    case 'string':
    case 'boolean':
    case 'number':
      return value
    case 'object':
      break
    default:
      return null
  }
  if (value === null) return null
  if (Array.isArray(value)) return value.map((item) => toHost(item, depth + 1))
  if (value instanceof Moment || value instanceof Duration) return value.toJSON()
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Uint) return Number(value.value)
  if (value instanceof Optional) return value.present ? toHost(value.value, depth + 1) : null
  if (value instanceof TypeValue) return value.name
  if (value instanceof UrlValue) return value.href
  const result: Record<string, unknown> = {}
  for (const [key, item] of entriesOf(value as Record<string, unknown>)) {
    if (item !== undefined) put(result, typeof key === 'string' ? key : String(toHost(key)), toHost(item, depth + 1))
  }
  return result
}
