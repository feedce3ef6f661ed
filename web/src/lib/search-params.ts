/**
 * A screen's filters as one declaration:
 *
 *   export const healthFilters = searchParams({ groupBy: text('canary_name'), hidePassing: flag(true), labels: triStateMap() })
 *
 * `read` turns an address into typed values and never fails: what is damaged reads as the default. `write` leaves
 * defaults out of the address and keeps parameters that belong to others.
 */
import { decodeTimeRange, encodeTimeRange, type TimeRange, timeRangeParameters } from '@quarterdeck/contract/time-range'
import { decodeTriState, encodeTriState, type TriState, type ValueEncoding } from '@quarterdeck/contract/tri-state'
import { isObject } from './is-object.ts'

/** One filter: which parameters it owns and how its value is read from and written to them. */
export interface Codec<T> {
  /** Parameters this filter owns, given the name it is declared under. */
  parameters: (name: string) => readonly string[]
  read(get: (parameter: string) => string | null, name: string): T
  /** The parameters to set; what it owns and does not return is removed. */
  write(value: T, name: string): Record<string, string | undefined>
}

function single<T>(decode: (text: string | null) => T, encode: (value: T) => string | undefined): Codec<T> {
  return {
    parameters: (name) => [name],
    read: (get, name) => decode(get(name)),
    write: (value, name) => ({ [name]: encode(value) }),
  }
}

/** Free text; empty means the default. `dropAll` also treats the choice "all" as none, for selects with an All entry. */
export function text(fallback = '', { dropAll = false } = {}): Codec<string> {
  const isNone = (value: string) => value === '' || (dropAll && value.toLowerCase() === 'all')
  return single(
    (raw) => (raw === null || isNone(raw) ? fallback : raw),
    (value) => (value === fallback || isNone(value) ? undefined : value),
  )
}

/** A text that may be absent altogether, such as the id of an open drawer. */
export function optional(): Codec<string | undefined> {
  return single(
    (raw) => raw || undefined,
    (value) => value || undefined,
  )
}

/** true or false; also reads 1, 0, yes and no. */
export function flag(fallback = false): Codec<boolean> {
  const known: Record<string, boolean> = { true: true, '1': true, yes: true, false: false, '0': false, no: false }
  return single(
    (raw) => known[raw?.toLowerCase() ?? ''] ?? fallback,
    (value) => (value === fallback ? undefined : String(value)),
  )
}

/** A number, kept inside its bounds. */
export function number(fallback: number, { min = -Infinity, max = Infinity, integer = true } = {}): Codec<number> {
  return single(
    (raw) => {
      const value = raw === null || raw.trim() === '' ? Number.NaN : Number(raw)
      if (!Number.isFinite(value) || (integer && !Number.isInteger(value))) return fallback
      return Math.min(max, Math.max(min, value))
    },
    (value) => (value === fallback || !Number.isFinite(value) ? undefined : String(value)),
  )
}

/** The page of a list and its size: `searchParams({ query: text(''), ...paging() })`. */
export const paging = ({ size = 50, max = 1000 } = {}) => ({
  pageIndex: number(0, { min: 0 }),
  pageSize: number(size, { min: 1, max }),
})

/** One of a fixed set. */
export function enumOf<const V extends string>(values: readonly V[], fallback: NoInfer<V>): Codec<V> {
  return single(
    (raw) => values.find((value) => value === raw) ?? fallback,
    (value) => (value === fallback ? undefined : value),
  )
}

/** A comma list; commas inside an entry are written as four pipes. */
export function list(fallback: readonly string[] = []): Codec<readonly string[]> {
  const encode = (value: readonly string[]) => value.map((item) => item.replaceAll(',', '||||')).join(',')
  const whenDefault = encode(fallback)
  return single(
    (raw) =>
      raw === null
        ? fallback
        : raw
            .split(',')
            .map((item) => item.replaceAll('||||', ','))
            .filter(Boolean),
    (value) => (encode(value) === whenDefault ? undefined : encode(value)),
  )
}

/** Included and excluded values: `Running:1,Failed:-1`. `type` writes Kubernetes::Pod as Kubernetes__Pod. */
export function triState(fallback: TriState = {}, encoding: ValueEncoding = 'value'): Codec<TriState> {
  const whenDefault = encodeTriState(fallback, encoding)
  return single(
    (raw) => (raw === null ? fallback : decodeTriState(raw, encoding)),
    (value) => (encodeTriState(value, encoding) === whenDefault ? undefined : encodeTriState(value, encoding)),
  )
}

/** Included and excluded values as a JSON object of 1 and -1. */
export function triStateMap(): Codec<TriState> {
  return json<TriState>({}, (value): value is TriState => {
    return isObject(value) && Object.values(value).every((sign) => sign === 1 || sign === -1)
  })
}

/** Key and value pairs of the catalog's labels: `app__:__web,tier__:__front`. */
export function labelPairs(): Codec<Record<string, string>> {
  return single(
    (raw) =>
      Object.fromEntries(
        (raw ?? '').split(',').flatMap((pair): [string, string][] => {
          const [key, value] = pair.split('__:__')
          // A pair without a value filters nothing.
          return key && value ? [[key.replaceAll('||||', ','), value.replaceAll('||||', ',')]] : []
        }),
      ),
    (value) =>
      Object.entries(value)
        .map(([key, item]) => `${key.replaceAll(',', '||||')}__:__${item.replaceAll(',', '||||')}`)
        .join(',') || undefined,
  )
}

/** Anything JSON; `accepts` guards against an address that holds something else. */
export function json<T>(fallback: T, accepts: (value: unknown) => value is T): Codec<T> {
  const whenDefault = JSON.stringify(fallback)
  return single(
    (raw) => {
      if (!raw) return fallback
      try {
        const value: unknown = JSON.parse(raw)
        return accepts(value) ? value : fallback
      } catch {
        return fallback
      }
    },
    (value) => (JSON.stringify(value) === whenDefault ? undefined : JSON.stringify(value)),
  )
}

/**
 * The time-range picker's value; it owns rangeType, display, range, from, to and timeRange. The default is a range, so
 * an address without parameters means it; without a default the value may be undefined.
 */
export function timeRange(): Codec<TimeRange | undefined>
export function timeRange(fallback: TimeRange): Codec<TimeRange>
export function timeRange(fallback?: TimeRange): Codec<TimeRange | undefined> {
  const same = (a: TimeRange | undefined) =>
    JSON.stringify(encodeTimeRange(a)) === JSON.stringify(encodeTimeRange(fallback))
  return {
    parameters: () => timeRangeParameters,
    read: (get) => decodeTimeRange(get) ?? fallback,
    write: (value: TimeRange | undefined) => (same(value) ? {} : encodeTimeRange(value)),
  }
}

/** The sorted column and direction of a table, in the two parameters a screen names. */
export interface Sorting {
  id: string
  desc: boolean
}

/** Sorting as sortBy and sortOrder (asc, desc) or, with `descFlag`, as sortBy and sortDesc (true, false). */
export function sorting(fallback?: Sorting, { descFlag = false } = {}): Codec<Sorting | undefined> {
  const order = descFlag ? 'sortDesc' : 'sortOrder'
  return {
    parameters: () => ['sortBy', order],
    read: (get) => {
      const id = get('sortBy')
      if (!id) return fallback
      return { id, desc: descFlag ? get(order) === 'true' : get(order) === 'desc' }
    },
    write: (value) => {
      if (!value || (value.id === fallback?.id && value.desc === fallback.desc)) return {}
      return { sortBy: value.id, [order]: descFlag ? String(value.desc) : value.desc ? 'desc' : 'asc' }
    },
  }
}

export type Values<S extends Shape> = { [K in keyof S]: S[K] extends Codec<infer T> ? T : never }
type Shape = Record<string, Codec<unknown>>

export interface SearchParams<S extends Shape> {
  /** Typed values of an address. */
  read: (address: URLSearchParams | string) => Values<S>
  /** A new address: `values` replace what they name, everything else of `address` stays. */
  write: (values: Partial<Values<S>>, address?: URLSearchParams | string) => URLSearchParams
  /** How many filters differ from their default, e.g. for a badge. */
  countActive: (values: Partial<Values<S>>, names?: readonly (keyof S)[]) => number
  defaults: Values<S>
}

/** Declares the filters of a screen. */
export function searchParams<S extends Shape>(shape: S): SearchParams<S> {
  const names = Object.keys(shape) as (keyof S & string)[]
  const read = (address: URLSearchParams | string) => {
    const params = new URLSearchParams(address)
    return Object.fromEntries(
      names.map((name) => [name, shape[name]!.read((key) => params.get(key), name)]),
    ) as Values<S>
  }
  return {
    read,
    defaults: read(''),
    write: (values, address = '') => {
      const params = new URLSearchParams(address)
      for (const name of names) {
        if (!(name in values)) continue
        const codec = shape[name]!
        const written = codec.write(values[name], name)
        for (const key of codec.parameters(name)) {
          const value = written[key]
          if (value === undefined || value === '') params.delete(key)
          else params.set(key, value)
        }
      }
      return params
    },
    countActive: (values, chosen = names) =>
      chosen.filter(
        (name) =>
          name in values &&
          Object.values(shape[name]!.write(values[name], name as string)).some((v) => v !== undefined),
      ).length,
  }
}
