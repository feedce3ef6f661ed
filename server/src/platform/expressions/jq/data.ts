import type { Run } from '../run.ts'
import { compareText, put } from '../values/values.ts'

/** What jq itself raises; `catch` sees the value. */
export class JqError extends Error {
  override name = 'JqError'
  constructor(readonly value: unknown) {
    super(typeof value === 'string' ? value : `${JSON.stringify(value)} (not a string)`)
  }
}

export type JqObject = Record<string, unknown>
export type Path = readonly unknown[]

export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}
export const isObject = (value: unknown): value is JqObject => typeName(value) === 'object'

const shown = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'null'
  return text.length > 11 ? `${text.slice(0, 10)}...` : text
}
export const withValue = (value: unknown): string => `${typeName(value)} (${shown(value)})`

const rank: Record<string, number> = { null: 0, boolean: 1, number: 3, string: 4, array: 5, object: 6 }

/** Null, false, true, numbers, texts, arrays, objects. */
export function compare(left: unknown, right: unknown, run: Run): number {
  run.spend(1)
  const kind = typeName(left)
  const difference = rank[kind]! - rank[typeName(right)]!
  if (difference !== 0) return difference
  switch (kind) {
    case 'boolean':
      return Number(left) - Number(right)
    case 'number':
      // NaN sorts below every number, itself included.
      return Number.isNaN(left)
        ? -1
        : (left as number) < (right as number)
          ? -1
          : (left as number) > (right as number)
            ? 1
            : Number.isNaN(right)
              ? 1
              : 0
    case 'string':
      return compareText(left as string, right as string)
    case 'array':
      return compareArrays(left as unknown[], right as unknown[], run)
    case 'object': {
      const [a, b] = [left as JqObject, right as JqObject]
      const [keysA, keysB] = [sortedKeys(a), sortedKeys(b)]
      const byKeys = compareArrays(keysA, keysB, run)
      if (byKeys !== 0) return byKeys
      for (const key of keysA) {
        const result = compare(a[key], b[key], run)
        if (result !== 0) return result
      }
      return 0
    }
    default:
      return 0
  }
}

function compareArrays(left: unknown[], right: unknown[], run: Run): number {
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const result = compare(left[i], right[i], run)
    if (result !== 0) return result
  }
  return left.length - right.length
}

export const sortedKeys = (value: JqObject): string[] => Object.keys(value).sort(compareText)

const position = (index: number, length: number) => (index < 0 ? length + Math.floor(index) : Math.floor(index))

function bounds(key: JqObject, length: number): [number, number] {
  const edge = (value: unknown, otherwise: number) => {
    if (value === null || value === undefined) return otherwise
    if (typeof value !== 'number') throw new JqError('Start and end indices of an array slice must be numbers')
    return Math.max(0, Math.min(length, value < 0 ? value + length : value))
  }
  const from = Math.floor(edge(key.start, 0))
  return [from, Math.max(from, Math.ceil(edge(key.end, length)))]
}

/** `.[key]`. */
export function index(value: unknown, key: unknown, run: Run): unknown {
  run.spend(1)
  const kind = typeName(value)
  if (isObject(key) && (kind === 'array' || kind === 'string' || kind === 'null')) {
    if (kind === 'null') return null
    const items = kind === 'string' ? [...(value as string)] : (value as unknown[])
    run.spend(items.length >>> 4)
    const part = items.slice(...bounds(key, items.length))
    return kind === 'string' ? part.join('') : part
  }
  if (typeof key === 'string' && (kind === 'object' || kind === 'null')) {
    return kind === 'object' && Object.hasOwn(value as JqObject, key) ? (value as JqObject)[key] : null
  }
  if (typeof key === 'number' && (kind === 'array' || kind === 'null')) {
    return kind === 'null' ? null : ((value as unknown[])[position(key, (value as unknown[]).length)] ?? null)
  }
  if (Array.isArray(key) && kind === 'array') return indices(value as unknown[], key, run)
  throw new JqError(
    typeof key === 'string'
      ? `Cannot index ${kind} with ${JSON.stringify(key)}`
      : `Cannot index ${kind} with ${typeName(key)}`,
  )
}

/** Where a list appears inside another. */
export function indices(list: unknown[], part: unknown[], run: Run): number[] {
  if (part.length === 0) return []
  const found: number[] = []
  for (let at = 0; at + part.length <= list.length; at++) {
    if (part.every((item, offset) => compare(item, list[at + offset], run) === 0)) found.push(at)
  }
  return found
}

export function getPath(value: unknown, path: Path, run: Run): unknown {
  return path.reduce((at, key) => (at === null || at === undefined ? null : index(at, key, run)), value)
}

export function setPath(value: unknown, path: Path, made: unknown, run: Run): unknown {
  if (path.length === 0) return made
  const [key, ...rest] = path
  run.spend(1)
  if (typeof key === 'string') {
    if (value !== null && value !== undefined && !isObject(value))
      throw new JqError(`Cannot index ${typeName(value)} with ${JSON.stringify(key)}`)
    const copy = { ...value }
    run.spend(Object.keys(copy).length >>> 3)
    put(copy, key, setPath(Object.hasOwn(copy, key) ? copy[key] : null, rest, made, run))
    return copy
  }
  if (value !== null && value !== undefined && !Array.isArray(value)) {
    throw new JqError(
      isObject(key)
        ? `Cannot update field at object index of ${typeName(value)}`
        : `Cannot index ${typeName(value)} with ${typeName(key)}`,
    )
  }
  const list = [...(value ?? [])]
  run.spend(list.length >>> 3)
  if (typeof key === 'number') {
    const at = position(key, list.length)
    if (at < 0) throw new JqError('Out of bounds negative array index')
    if (at > 1_000_000) throw new JqError('Array index too large')
    run.spend(Math.max(0, at - list.length))
    while (list.length < at) list.push(null)
    list[at] = setPath(list[at] ?? null, rest, made, run)
    return list
  }
  if (!isObject(key)) throw new JqError(`Invalid path component ${withValue(key)}`)
  const [from, to] = bounds(key, list.length)
  const part = setPath(list.slice(from, to), rest, made, run)
  if (!Array.isArray(part)) throw new JqError('A slice of an array can only be assigned another array')
  return [...list.slice(0, from), ...part, ...list.slice(to)]
}

export function deletePaths(value: unknown, paths: Path[], run: Run): unknown {
  // Longest and last first, so that earlier positions stay valid.
  const ordered = [...paths].sort((a, b) => compare(b, a, run))
  return ordered.reduce<unknown>((at, path) => deletePath(at, path, run), value)
}

function deletePath(value: unknown, path: Path, run: Run): unknown {
  run.spend(1)
  if (path.length === 0 || value === null || value === undefined) return null
  const [key, ...rest] = path
  if (rest.length > 0) {
    const inner = index(value, key, run)
    return inner === null ? value : setPath(value, [key], deletePath(inner, rest, run), run)
  }
  if (Array.isArray(value) && typeof key === 'number') {
    const at = position(key, value.length)
    return at < 0 ? value : value.toSpliced(at, at < value.length ? 1 : 0)
  }
  if (Array.isArray(value) && isObject(key)) {
    const [from, to] = bounds(key, value.length)
    return [...value.slice(0, from), ...value.slice(to)]
  }
  if (isObject(value) && typeof key === 'string') {
    const { [key]: _, ...others } = value
    return others
  }
  throw new JqError(`Cannot delete field at ${typeName(key)} index of ${typeName(value)}`)
}
