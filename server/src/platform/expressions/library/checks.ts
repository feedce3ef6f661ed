import { ValueError } from '../errors.ts'
import { Duration } from '../values/duration.ts'
import { Moment } from '../values/moment.ts'
import { isMap, Uint, type Value } from '../values/values.ts'
import { truthy } from './args.ts'

/** The kind of a value in Go's words. */
export function kind(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int'
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float64'
    default:
  }
  if (value === null || value === undefined) return 'invalid'
  if (Array.isArray(value) || value instanceof Uint8Array) return 'slice'
  if (value instanceof Uint) return 'uint'
  if (value instanceof Duration) return 'int64'
  if (value instanceof Moment) return 'struct'
  return isMap(value) ? 'map' : 'struct'
}

export function isKind(wanted: string, value: Value): boolean {
  const found = kind(value)
  if (wanted === found) return true
  const whole = ['int', 'int64', 'uint'].includes(found)
  if (wanted === 'number') return whole || found === 'float64'
  return wanted === 'int64' ? whole : wanted === 'float' ? found === 'float64' : false
}

export function assert(message: string, value: Value): string {
  if (truthy(value)) return ''
  throw new ValueError(message === '' ? 'assertion failed' : `assertion failed: ${message}`)
}

export function fail(message: string): never {
  throw new ValueError(message === '' ? 'template generation failed' : `template generation failed: ${message}`)
}

export function required(message: string, value: Value): Value {
  if (value !== null && value !== undefined && value !== '') return value
  throw new ValueError(message === '' ? 'a value that is required is missing' : message)
}

export const ternary = (yes: Value, no: Value, condition: Value): Value => (truthy(condition) ? yes : no)
