import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { goText } from '../values/print.ts'
import {
  compare,
  compareText,
  entriesOf,
  equal,
  getKey,
  isMap,
  keysOf,
  mapFrom,
  put,
  sizeOfMap,
  type Value,
} from '../values/values.ts'
import { list, map, text } from './args.ts'

/** Functions on lists and maps; they leave what they are given as it is. */

export const sortedKeys = (value: Value): string[] => keysOf(map(value)).map(text).sort(compareText)
export const values = (value: Value): Value[] => {
  const target = map(value)
  return keysOf(target)
    .sort((a, b) => compareText(text(a), text(b)))
    .map((key) => getKey(target, key))
}

export function dict(args: Value[]): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (let i = 0; i < args.length; i += 2) put(result, text(args[i]), args[i + 1] ?? '')
  return result
}

/** What stands on the left wins; maps inside are merged the same way. */
export function merge(run: Run, first: Value, ...others: Value[]): Value {
  const deep = (left: Value, right: Value, depth: number): Value => {
    run.spend(1)
    if (depth > 100 || !isMap(left) || !isMap(right)) return left
    const entries = entriesOf(left).map(([key, value]): [Value, Value] => {
      const other = getKey(right, key)
      return [key, other === undefined ? value : deep(value, other, depth + 1)]
    })
    const added = entriesOf(right).filter(([key]) => getKey(left, key) === undefined)
    run.spend(entries.length + added.length)
    return mapFrom([...entries, ...added])
  }
  return others.reduce((result, other) => deep(map(result), map(other), 0), first)
}

export function pick(run: Run, keys: Value[], value: Value): Value {
  const wanted = new Set(keys.flat().map(text))
  run.spend(sizeOfMap(map(value)))
  return mapFrom(entriesOf(map(value)).filter(([key]) => wanted.has(text(key))))
}

export function omit(run: Run, keys: Value[], value: Value): Value {
  const unwanted = new Set(keys.flat().map(text))
  run.spend(sizeOfMap(map(value)))
  return mapFrom(entriesOf(map(value)).filter(([key]) => !unwanted.has(text(key))))
}

/** Whether the map has the key, or the list the item. */
export function has(run: Run, collection: Value, item: Value): boolean {
  if (Array.isArray(collection)) return collection.some((other) => equal(other, item, run))
  if (isMap(collection)) return getKey(collection, item) !== undefined
  return typeof collection === 'string' && collection.includes(text(item))
}

export function uniq(run: Run, value: Value): Value[] {
  const seen = new Map<string, Value[]>()
  const result: Value[] = []
  for (const item of list(value)) {
    const like = seen.get(goText(item)) ?? []
    if (like.some((other) => equal(other, item, run))) continue
    seen.set(goText(item), [...like, item])
    result.push(item)
  }
  run.spend(result.length)
  return result
}

export function flatten(run: Run, value: Value, depth = -1): Value[] {
  return list(value).flatMap((item) => {
    run.spend(1)
    return Array.isArray(item) && depth !== 0 ? flatten(run, item, depth - 1) : [item]
  })
}

function order(a: Value, b: Value): number {
  const result = compare(a, b)
  return result === undefined || Number.isNaN(result) ? compareText(goText(a), goText(b)) : result
}

/** By value, or by a field of the maps in the list. */
export function sort(run: Run, value: Value, field?: string): Value[] {
  const items = list(value)
  run.spend(items.length * Math.ceil(Math.log2(items.length + 2)))
  if (field === undefined || field === '') return [...items].sort(order)
  const keyed = items.map((item) => ({
    item,
    key: isMap(item)
      ? field.split('.').reduce<Value>((at, part) => (isMap(at) ? getKey(at, part) : undefined), item)
      : item,
  }))
  return keyed.sort((a, b) => order(a.key ?? null, b.key ?? null)).map(({ item }) => item)
}

export function reverse(run: Run, value: Value): Value {
  if (typeof value === 'string') {
    run.spendText(value.length)
    return [...value].reverse().join('')
  }
  run.spend(list(value).length)
  return [...list(value)].reverse()
}

export const append = (run: Run, item: Value, value: Value): Value[] => {
  run.spend(list(value).length)
  return [...list(value), item]
}
export const prepend = (run: Run, item: Value, value: Value): Value[] => {
  run.spend(list(value).length)
  return [item, ...list(value)]
}

export function slice(run: Run, value: Value, from: number, to?: number): Value[] {
  const items = list(value)
  const end = to ?? items.length
  if (from < 0 || end > items.length || from > end)
    throw new ValueError(`cannot take ${from} to ${end} of a list of ${items.length}`)
  run.spend(end - from)
  return items.slice(from, end)
}

export function join(run: Run, value: Value, separator: string): string {
  const parts = list(value).map(text)
  run.allowText(parts.reduce((length, part) => length + part.length + separator.length, 0))
  return parts.join(separator)
}
