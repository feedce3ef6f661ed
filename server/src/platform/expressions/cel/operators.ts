import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { Duration } from '../values/duration.ts'
import { Moment } from '../values/moment.ts'
import { compare, equal, getKey, isMap, kindOf, Optional, Uint, UrlValue, type Value } from '../values/values.ts'

const least = -9_223_372_036_854_775_808n
const most = 9_223_372_036_854_775_807n

/** Refuses what does not fit 64 bits. */
export function int64(value: bigint): bigint {
  if (value < least || value > most) throw new ValueError('integer overflow')
  return value
}

const short: Partial<Record<string, string>> = {
  'google.protobuf.Timestamp': 'timestamp',
  'google.protobuf.Duration': 'duration',
  null_type: 'null',
  optional_type: 'optional',
}
/** A kind in words for messages. */
export const shownKind = (value: Value): string => short[kindOf(value)] ?? kindOf(value)

const refuse = (left: Value, operator: string, right: Value): never => {
  const hint =
    operator === '+' && (typeof left === 'string' || typeof right === 'string') ? '; use string(x) to join texts' : ''
  throw new ValueError(`no such overload: ${shownKind(left)} ${operator} ${shownKind(right)}${hint}`)
}

type Arithmetic = { ints(a: bigint, b: bigint): bigint; doubles(a: number, b: number): number }

/** Whole numbers stay whole; a whole number beside a fraction becomes one (JSON does not tell 2 from 2.0). */
function numeric(left: Value, right: Value, operator: string, { ints, doubles }: Arithmetic): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint') return int64(ints(left, right))
  if (typeof left === 'number') {
    if (typeof right === 'number') return doubles(left, right)
    if (typeof right === 'bigint') return doubles(left, Number(right))
  }
  if (typeof left === 'bigint' && typeof right === 'number') return doubles(Number(left), right)
  if (left instanceof Uint && right instanceof Uint) return new Uint(ints(left.value, right.value))
  return refuse(left, operator, right)
}

function nonZero(divisor: bigint, what: string): bigint {
  if (divisor === 0n) throw new ValueError(`${what} by zero`)
  return divisor
}

const sum: Arithmetic = { ints: (a, b) => a + b, doubles: (a, b) => a + b }
const difference: Arithmetic = { ints: (a, b) => a - b, doubles: (a, b) => a - b }
const product: Arithmetic = { ints: (a, b) => a * b, doubles: (a, b) => a * b }
const quotient: Arithmetic = { ints: (a, b) => a / nonZero(b, 'division'), doubles: (a, b) => a / b }

export function add(left: Value, right: Value, run: Run): Value {
  if (typeof left === 'string' && typeof right === 'string') {
    run.allowText(left.length + right.length)
    return left + right
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    run.spend(left.length + right.length)
    return [...left, ...right]
  }
  if (left instanceof Moment && right instanceof Duration) return left.add(right)
  if (left instanceof Duration) {
    if (right instanceof Moment) return right.add(left)
    if (right instanceof Duration) return new Duration(int64(left.nanos + right.nanos))
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    run.allowText(left.length + right.length)
    return new Uint8Array(Buffer.concat([left, right]))
  }
  return numeric(left, right, '+', sum)
}

export function subtract(left: Value, right: Value): Value {
  if (left instanceof Moment) {
    if (right instanceof Moment) return left.since(right)
    if (right instanceof Duration) return new Moment(left.nanos - right.nanos, left.zone)
  }
  if (left instanceof Duration && right instanceof Duration) return new Duration(int64(left.nanos - right.nanos))
  return numeric(left, right, '-', difference)
}

export const multiply = (left: Value, right: Value): Value => numeric(left, right, '*', product)
export const divide = (left: Value, right: Value): Value => numeric(left, right, '/', quotient)

export function remainder(left: Value, right: Value): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint') return left % nonZero(right, 'modulus')
  if (left instanceof Uint && right instanceof Uint) return new Uint(left.value % nonZero(right.value, 'modulus'))
  return refuse(left, '%', right)
}

export function negate(value: Value): Value {
  if (typeof value === 'bigint') return int64(-value)
  if (typeof value === 'number') return -value
  if (value instanceof Duration) return new Duration(-value.nanos)
  throw new ValueError(`no such overload: -${shownKind(value)}`)
}

/** `<`, `<=`, `>`, `>=`: NaN is neither smaller nor larger than anything. */
export function order(left: Value, operator: string, right: Value, run: Run): boolean {
  if (typeof left === 'string') run.spendText(left.length)
  const result = compare(left, right)
  if (result === undefined) return refuse(left, operator, right)
  switch (operator) {
    case '<':
      return result < 0
    case '<=':
      return result <= 0
    case '>':
      return result > 0
    default:
      return result >= 0
  }
}

export function contains(item: Value, collection: Value, run: Run): boolean {
  if (Array.isArray(collection)) return collection.some((other) => equal(item, other, run))
  if (isMap(collection)) {
    run.spend(1)
    return getKey(collection, item) !== undefined
  }
  return refuse(item, 'in', collection)
}

/** A field or key, or undefined when it is not there; throws when the container has no fields. */
export function lookup(container: Value, key: Value): Value {
  if (Array.isArray(container)) {
    const index = typeof key === 'bigint' ? Number(key) : key instanceof Uint ? Number(key.value) : key
    if (typeof index !== 'number' || !Number.isInteger(index))
      throw new ValueError(`a list has no key ${shownKind(key)}`)
    return index >= 0 ? container[index] : undefined
  }
  if (isMap(container)) return getKey(container, key)
  if (container instanceof UrlValue || container === null || container === undefined || typeof container !== 'object') {
    throw new ValueError(`${shownKind(container)} has no fields`)
  }
  throw new ValueError(`no such overload: ${shownKind(container)}[${shownKind(key)}]`)
}

const shownKey = (key: Value): string =>
  typeof key === 'string' || typeof key === 'bigint' || typeof key === 'number' ? String(key) : shownKind(key)

export function select(container: Value, key: Value): Value {
  if (container instanceof Optional) return optionalSelect(container, key)
  const found = lookup(container, key)
  if (found !== undefined) return found
  if (Array.isArray(container))
    throw new ValueError(`index out of bounds: ${shownKey(key)}, the list has ${container.length}`)
  throw new ValueError(`no such key: ${shownKey(key)}`)
}

export function optionalSelect(container: Value, key: Value): Optional {
  let inner = container
  if (container instanceof Optional) {
    if (!container.present) return Optional.none
    inner = container.value
  }
  if (inner === null) return Optional.none
  const found = lookup(inner, key)
  return found === undefined ? Optional.none : Optional.of(found)
}
