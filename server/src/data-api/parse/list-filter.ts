import { malformed, shorten } from '../errors.ts'
import { dateMath } from './date-math.ts'
import type { FieldRef, Logic } from './syntax.ts'
import type { Values } from './values.ts'

/** Columns whose .filter is a date expression, not a list (api-contract.md 3.2). */
const dateColumns = new Set([
  'acknowledged', 'check_time', 'closed', 'created_at', 'deleted_at', 'end_time', 'expires_at', 'first_observed',
  'last_attempt', 'last_login', 'last_observed', 'last_received', 'last_runtime', 'last_scraped_time', 'last_seen',
  'last_transition_time', 'next_runtime', 'resolved', 'scheduled_time', 'silenced_at', 'start_time', 'time', 'time_end',
  'time_start', 'updated_at',
]) // prettier-ignore

/**
 * {column}.filter={list}: items to have, !items not to have, * at either end for any text. A row must equal or match one
 * of the wanted items and none of the unwanted. Nothing wanted and nothing unwanted adds no condition.
 */
export function parseListFilter(column: string, text: string, values: Values, now: Date): Logic | undefined {
  if (text === '') return undefined
  values.condition()
  const field: FieldRef = { name: column }
  if (dateColumns.has(column)) return dateFilter(field, text, values, now)
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '' && item !== '!')
  const wanted = anyOf(
    field,
    items.filter((item) => !item.startsWith('!')),
    values,
  )
  const unwanted = anyOf(
    field,
    items.filter((item) => item.startsWith('!')).map((item) => item.slice(1)),
    values,
  )
  const parts: Logic[] = []
  if (wanted) parts.push(wanted)
  if (unwanted) parts.push({ kind: 'and', not: true, items: [unwanted] })
  return parts.length > 1 ? { kind: 'and', not: false, items: parts } : parts[0]
}

const isPattern = (item: string) => item.startsWith('*') || item.endsWith('*')

function anyOf(field: FieldRef, items: string[], values: Values): Logic | undefined {
  const plain = items.filter((item) => !isPattern(item))
  const patterns = [...new Set(items.filter(isPattern).map(pattern))]
  const parts: Logic[] = []
  if (plain.length > 0) parts.push({ kind: 'comparison', field, not: false, op: 'in', value: values.add(plain) })
  if (patterns.length > 0) {
    parts.push({ kind: 'comparison', field, not: false, op: 'like', quantifier: 'any', value: values.add(patterns) })
  }
  return parts.length > 1 ? { kind: 'or', not: false, items: parts } : parts[0]
}

function pattern(item: string): string {
  const start = item.startsWith('*')
  const end = item.endsWith('*') && item.length > 1
  const middle = item.slice(start ? 1 : 0, end ? -1 : undefined).replace(/[\\%_]/g, '\\$&')
  return `${start ? '%' : ''}${middle}${end ? '%' : ''}`
}

function dateFilter(field: FieldRef, text: string, values: Values, now: Date): Logic {
  const sign = /^[=<>]/.exec(text)?.[0]
  const moment = dateMath(sign ? text.slice(1) : text, now)
  if (!moment) {
    throw malformed(
      `"failed to parse date filter (${shorten(text)})"`,
      null,
      'Write an optional =, > or <, then now, now-20h, now/d or a timestamp such as 2024-08-29T10:00:00Z.',
    )
  }
  const op = sign === '=' ? 'eq' : sign === '>' ? 'gt' : 'lt'
  return { kind: 'comparison', field, not: false, op, value: values.add(moment.toISOString()) }
}
