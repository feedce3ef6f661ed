import { Duration } from '../values/duration.ts'
import { isMap, Optional, sizeOfMap, type Value } from '../values/values.ts'

/** What counts as true in a template: everything but false, 0, nothing, and what is empty. */
export function truth(value: Value): boolean {
  switch (typeof value) {
    case 'boolean':
      return value
    case 'string':
      return value !== ''
    case 'number':
      return value !== 0
    case 'bigint':
      return value !== 0n
    case 'object':
      if (value === null) return false
      if (Array.isArray(value) || value instanceof Uint8Array) return value.length > 0
      if (value instanceof Duration) return value.nanos !== 0n
      if (value instanceof Optional) return value.present
      return isMap(value) ? sizeOfMap(value) > 0 : true
    default:
      return false
  }
}
