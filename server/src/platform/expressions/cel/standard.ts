import { ValueError } from '../errors.ts'
import { isEmpty } from '../library/args.ts'
import * as collections from '../library/collections.ts'
import { base64Decode, base64Encode } from '../library/encoding.ts'
import * as regexp from '../library/regexp.ts'
import type { Run } from '../run.ts'
import { Duration } from '../values/duration.ts'
import { type Fields, Moment } from '../values/moment.ts'
import {
  compare,
  equal,
  isList,
  isMap,
  isNumeric,
  Optional,
  sizeOfMap,
  UrlValue,
  type Value,
} from '../values/values.ts'
import { utc, zoneNamed } from '../values/zone.ts'
import * as convert from './convert.ts'
import { add, int64, shownKind } from './operators.ts'
import { Registry } from './registry.ts'
import { onlyInt, onlyText, registerTextFunctions } from './text-functions.ts'

function size(run: Run, value: Value): bigint {
  if (typeof value === 'string') {
    run.spendText(value.length)
    let count = 0n
    for (const _ of value) count++
    return count
  }
  if (isList(value) || value instanceof Uint8Array) return BigInt(value.length)
  if (isMap(value)) return BigInt(sizeOfMap(value))
  throw new ValueError(`no such overload: size(${shownKind(value)})`)
}

function registerConversions(registry: Registry): void {
  registry.fn('int', 1, (_, value) => convert.toInt(value))
  registry.fn('uint', 1, (_, value) => convert.toUint(value))
  registry.fn('double', 1, (_, value) => convert.toDouble(value))
  registry.fn('string', 1, (_, value) => convert.toText(value))
  registry.fn('bool', 1, (_, value) => convert.toBool(value))
  registry.fn('bytes', 1, (_, value) => convert.toBytes(value))
  registry.fn('timestamp', 1, (_, value) => convert.toTimestamp(value))
  registry.fn('duration', 1, (_, value) => convert.toDuration(value))
  registry.fn('type', 1, (_, value) => convert.typeOf(value))
  registry.fn('dyn', 1, (_, value) => value)
  registry.fn('size', 1, size)
  registry.method('size', 0, size)
}

const parts: Record<string, (at: Fields) => number> = {
  getFullYear: (at) => at.year,
  getMonth: (at) => at.month - 1,
  getDate: (at) => at.day,
  getDayOfMonth: (at) => at.day - 1,
  getDayOfWeek: (at) => at.weekday,
  getDayOfYear: (at) => at.yearDay - 1,
  getHours: (at) => at.hour,
  getMinutes: (at) => at.minute,
  getSeconds: (at) => at.second,
  getMilliseconds: (at) => Math.floor(at.nanosecond / 1e6),
}
const spans: Record<string, (nanos: bigint) => bigint> = {
  getHours: (nanos) => nanos / 3_600_000_000_000n,
  getMinutes: (nanos) => nanos / 60_000_000_000n,
  getSeconds: (nanos) => nanos / 1_000_000_000n,
  getMilliseconds: (nanos) => (nanos % 1_000_000_000n) / 1_000_000n,
}

function registerTimes(registry: Registry): void {
  for (const [name, part] of Object.entries(parts)) {
    registry.method(name, [0, 1], (_, receiver: Value, zone?: Value) => {
      if (receiver instanceof Moment) {
        return BigInt(part(receiver.fields(zone === undefined ? utc : zoneNamed(onlyText(zone, `${name}()`)))))
      }
      const span = spans[name]
      if (receiver instanceof Duration && span && zone === undefined) return span(receiver.nanos)
      throw new ValueError(`no such overload: ${shownKind(receiver)}.${name}()`)
    })
  }
}

function registerOptionals(registry: Registry): void {
  const optional = (value: Value): Optional => {
    if (value instanceof Optional) return value
    throw new ValueError(`an optional is expected, not ${shownKind(value)}`)
  }
  const unwrap = (_: Run, value: Value) =>
    (isList(value) ? value : []).flatMap((item) => (optional(item).present ? [(item as Optional).value] : []))
  registry.fn('optional.of', 1, (_, value) => Optional.of(value))
  registry.fn('optional.none', 0, () => Optional.none)
  registry.fn('optional.ofNonZeroValue', 1, (_, value) => (isEmpty(value) ? Optional.none : Optional.of(value)))
  registry.fn('optional.unwrap', 1, unwrap)
  registry.method('unwrapOpt', 0, unwrap)
  registry.method('hasValue', 0, (_, value) => optional(value).present)
  registry.method('value', 0, (_, value) => optional(value).value)
}

/** The largest or smallest by the order of values; kept as it was given. */
function extreme(values: Value[], sign: 1 | -1): Value {
  if (values.length === 0) throw new ValueError('the list is empty')
  return values.reduce((best, item) => {
    const order = compare(item, best)
    if (order === undefined) throw new ValueError(`cannot compare ${shownKind(item)} with ${shownKind(best)}`)
    return order * sign > 0 ? item : best
  })
}

function numbersOf(values: Value[]): Value[] {
  const all = values.length === 1 && isList(values[0]) ? values[0] : values
  const wrong = all.find((item) => !isNumeric(item))
  if (wrong !== undefined) throw new ValueError(`a number is expected, not ${shownKind(wrong)}`)
  return all
}

const onDouble = (value: Value): number => (typeof value === 'number' ? value : convert.toDouble(value))
const roundHalfAway = (value: number) => Math.sign(value) * Math.round(Math.abs(value))

function registerMath(registry: Registry): void {
  const many = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  registry.fn(
    'math.greatest',
    many,
    (run, ...values: Value[]) => (run.spend(numbersOf(values).length), extreme(numbersOf(values), 1)),
  )
  registry.fn(
    'math.least',
    many,
    (run, ...values: Value[]) => (run.spend(numbersOf(values).length), extreme(numbersOf(values), -1)),
  )
  registry.fn('math.ceil', 1, (_, value) => Math.ceil(onDouble(value)))
  registry.fn('math.floor', 1, (_, value) => Math.floor(onDouble(value)))
  registry.fn('math.round', 1, (_, value) => roundHalfAway(onDouble(value)))
  registry.fn('math.trunc', 1, (_, value) => Math.trunc(onDouble(value)))
  registry.fn('math.sqrt', 1, (_, value) => Math.sqrt(onDouble(value)))
  registry.fn('math.isNaN', 1, (_, value) => Number.isNaN(onDouble(value)))
  registry.fn('math.isInf', 1, (_, value) => Math.abs(onDouble(value)) === Infinity)
  registry.fn('math.isFinite', 1, (_, value) => Number.isFinite(onDouble(value)))
  registry.fn('math.abs', 1, (_, value: Value) =>
    typeof value === 'bigint' ? int64(value < 0n ? -value : value) : Math.abs(onDouble(value)),
  )
  registry.fn('math.sign', 1, (_, value: Value) =>
    typeof value === 'bigint' ? (value > 0n ? 1n : value < 0n ? -1n : 0n) : Math.sign(onDouble(value)),
  )
}

function listOf(value: Value, what: string): Value[] {
  if (isList(value)) return value
  throw new ValueError(`no such overload: ${shownKind(value)}.${what}()`)
}

function registerLists(registry: Registry): void {
  registry.method('slice', 2, (run, receiver, from, to) =>
    collections.slice(run, listOf(receiver, 'slice'), onlyInt(from, 'slice()'), onlyInt(to, 'slice()')),
  )
  registry.method('isSorted', 0, (run, receiver) => {
    const items = listOf(receiver, 'isSorted')
    run.spend(items.length)
    return items.every((item, index) => index === 0 || (compare(items[index - 1], item) ?? 1) <= 0)
  })
  registry.method('sum', 0, (run, receiver) =>
    listOf(receiver, 'sum').reduce((total, item) => add(total, item, run), 0n as Value),
  )
  registry.method(
    'min',
    0,
    (run, receiver) => (run.spend(listOf(receiver, 'min').length), extreme(listOf(receiver, 'min'), -1)),
  )
  registry.method(
    'max',
    0,
    (run, receiver) => (run.spend(listOf(receiver, 'max').length), extreme(listOf(receiver, 'max'), 1)),
  )
  registry.method('reverse', 0, (run, receiver) => collections.reverse(run, receiver))
  registry.method('flatten', [0, 1], (run, receiver, depth?: Value) =>
    collections.flatten(run, listOf(receiver, 'flatten'), depth === undefined ? -1 : onlyInt(depth, 'flatten()')),
  )
  registry.method('distinct', 0, (run, receiver) => collections.uniq(run, listOf(receiver, 'distinct')))
  registry.method('sort', 0, (run, receiver) => collections.sort(run, listOf(receiver, 'sort')))
  registry.fn('lists.range', 1, (run, count) => {
    const length = onlyInt(count, 'lists.range()')
    run.spend(Math.max(0, length))
    return Array.from({ length: Math.max(0, length) }, (_, index) => BigInt(index))
  })
  registry.method('first', 0, (_, receiver: Value) =>
    listOf(receiver, 'first').length > 0 ? Optional.of((receiver as Value[])[0]) : Optional.none,
  )
  registry.method('last', 0, (_, receiver: Value) =>
    listOf(receiver, 'last').length > 0 ? Optional.of((receiver as Value[]).at(-1)) : Optional.none,
  )
  const within = (run: Run, all: Value[], some: Value[]) =>
    some.every((item) => all.some((other) => equal(item, other, run)))
  registry.fn('sets.contains', 2, (run, all, some) => within(run, listOf(all, 'contains'), listOf(some, 'contains')))
  registry.fn(
    'sets.equivalent',
    2,
    (run, a, b) => within(run, listOf(a, 'equivalent'), listOf(b, 'equivalent')) && within(run, b, a),
  )
  registry.fn('sets.intersects', 2, (run, a, b) =>
    listOf(a, 'intersects').some((item) => within(run, listOf(b, 'intersects'), [item])),
  )
}

function registerUrls(registry: Registry): void {
  registry.fn('url', 1, (_, value: Value) => {
    const href = onlyText(value, 'url()')
    try {
      return new UrlValue(href, new URL(href, href.startsWith('/') ? 'relative:/' : undefined))
    } catch {
      throw new ValueError('the text is not a url')
    }
  })
  registry.fn('isURL', 1, (_, value: Value) => typeof value === 'string' && URL.canParse(value))
  const part = (name: string, read: (url: URL, href: string) => Value) =>
    registry.method(name, 0, (_, value: Value) => {
      if (value instanceof UrlValue) return read(value.url, value.href)
      throw new ValueError(`no such overload: ${shownKind(value)}.${name}()`)
    })
  const own = (url: URL, text: string) => (url.protocol === 'relative:' ? '' : text)
  // The platform drops a port that is the scheme's usual one; the author wrote it.
  const writtenPort = (href: string) =>
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*)(?::(\d+))?/i.exec(href)?.[1] ?? ''
  part('getScheme', (url) => own(url, url.protocol.replace(/:$/, '')))
  part('getHost', (url, href) => own(url, url.hostname + (writtenPort(href) ? `:${writtenPort(href)}` : '')))
  part('getHostname', (url) => own(url, url.hostname.replace(/^\[|\]$/g, '')))
  part('getPort', (_, href) => writtenPort(href))
  part('getEscapedPath', (url, href) =>
    url.pathname === '/' && !/^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i.test(href) && !href.startsWith('/') ? '' : url.pathname,
  )
  part('getQuery', (url) => {
    const query = new Map<string, string[]>()
    for (const [key, value] of url.searchParams) query.set(key, [...(query.get(key) ?? []), value])
    return Object.fromEntries(query)
  })
}

/** The language with its usual extensions, and nothing of the product. */
export function standardRegistry(): Registry {
  const registry = new Registry()
  registerConversions(registry)
  registerTextFunctions(registry)
  registerTimes(registry)
  registerOptionals(registry)
  registerMath(registry)
  registerLists(registry)
  registerUrls(registry)
  registry.method('find', 1, (run, receiver, pattern) =>
    regexp.find(run, onlyText(pattern, 'find()'), onlyText(receiver, 'find()')),
  )
  registry.method('findAll', [1, 2], (run, receiver, pattern, most?: Value) =>
    regexp.findAll(
      run,
      onlyText(pattern, 'findAll()'),
      onlyText(receiver, 'findAll()'),
      most === undefined ? -1 : onlyInt(most, 'findAll()'),
    ),
  )
  registry.fn('base64.encode', 1, base64Encode)
  registry.fn('base64.decode', 1, (run, value) => new Uint8Array(base64Decode(run, value)))
  return registry
}
