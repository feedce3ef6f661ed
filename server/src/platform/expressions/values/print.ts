import { Duration } from './duration.ts'
import { Moment } from './moment.ts'
import { compareText, entriesOf, Optional, TypeValue, Uint, UrlValue, type Value } from './values.ts'

/** A fraction without exponent as long as that stays readable; Go would write 1e+06 for a million. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  // JavaScript writes 1e-7 and 1e+21, Go at least two digits.
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2')
}

/** A value as text the way Go's %v prints it: `[a b]`, `map[k:v]`, `<nil>`. */
export function goText(value: Value, depth = 0): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'number':
      return numberText(value)
    case 'object':
      break
    default:
      return '<nil>'
  }
  if (value === null) return '<nil>'
  if (depth > 200) return '...'
  if (Array.isArray(value)) return `[${value.map((item) => goText(item, depth + 1)).join(' ')}]`
  if (value instanceof Moment || value instanceof Duration) return value.toString()
  if (value instanceof Date) return Moment.fromMs(value.getTime()).toString()
  if (value instanceof Uint8Array) return `[${value.join(' ')}]`
  if (value instanceof Uint) return String(value.value)
  if (value instanceof Optional) return value.present ? goText(value.value, depth + 1) : '<nil>'
  if (value instanceof TypeValue) return value.name
  if (value instanceof UrlValue) return value.href
  const entries = entriesOf(value as Record<string, unknown>)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => [goText(key, depth + 1), goText(item, depth + 1)] as const)
    .sort((a, b) => compareText(a[0], b[0]))
  return `map[${entries.map(([key, item]) => `${key}:${item}`).join(' ')}]`
}
