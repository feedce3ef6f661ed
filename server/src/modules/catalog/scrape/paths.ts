import { checkPath, findNodes, type Found } from '../../../platform/expressions/jsonpath/jsonpath.ts'
import { parseTime } from '../../../platform/expressions/library/times.ts'
import { Run } from '../../../platform/expressions/run.ts'

/** A path may look at so much of a document; about a tenth of a second. */
const limits = { steps: 1_000_000, output: 1024 * 1024 }

export const isPath = (text: string): boolean => text.startsWith('$') || text.startsWith('@')

/** `$.metadata.name`: most paths are no more than names, and are asked for every item. */
const plain = /^[$@](?:\.[A-Za-z_]\w*)+$/
const plainPaths = new Map<string, string[] | undefined>()

function namesOf(path: string): string[] | undefined {
  if (!plainPaths.has(path)) {
    if (plainPaths.size >= 2000) plainPaths.clear()
    plainPaths.set(path, plain.test(path) ? path.slice(2).split('.') : undefined)
  }
  return plainPaths.get(path)
}

/** Everything a path finds, with where it was. */
export function nodesAt(path: string, data: unknown): Found[] {
  const names = namesOf(path)
  if (!names) return findNodes(path, data, new Run(limits))
  let at = data
  for (const name of names) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, name)) return []
    at = (at as Record<string, unknown>)[name]
  }
  return [{ location: [...names], value: at }]
}

export { checkPath }

/** The first value a path finds. */
export const valueAt = (path: string, data: unknown): unknown => nodesAt(path, data)[0]?.value

/** A field of the spec: fixed text, or the text a path finds in the document. */
export function fieldText(field: string | undefined, data: unknown): string | undefined {
  if (field === undefined || field === '') return undefined
  return isPath(field) ? asText(valueAt(field, data)) : field
}

export function asText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value as number | boolean | bigint)
}

/** A time in the given Go layout; without one RFC 3339 and whatever else says date and zone plainly. */
export function timeOf(value: unknown, layout: string | undefined): Date | undefined {
  if (value instanceof Date) return value
  if (typeof value === 'number') return dateOf(value > 1e11 ? value : value * 1000)
  if (typeof value !== 'string' || value.trim() === '') return undefined
  if (!layout) return dateOf(Date.parse(value))
  try {
    return dateOf(parseTime(layout, value).ms)
  } catch {
    return undefined
  }
}

function dateOf(ms: number): Date | undefined {
  // What PostgreSQL and people call a date; the rest is a number that means something else.
  return Number.isFinite(ms) && ms > -62_135_596_800_000 && ms < 253_402_300_800_000 ? new Date(ms) : undefined
}

/** The first of several paths that holds a time. */
export function firstTime(paths: readonly string[] | undefined, data: unknown, layout?: string): Date | undefined {
  for (const path of paths ?? []) {
    const found = timeOf(valueAt(path, data), layout)
    if (found) return found
  }
  return undefined
}
