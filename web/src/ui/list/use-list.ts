import type { TriState } from '@quarterdeck/contract/tri-state'
import { useMemo, useState } from 'react'
import type { Codec, SearchParams, Sorting, Values } from '@/lib/search-params.ts'
import { useFilters } from '@/lib/use-filters.ts'
import type { Filter } from '../filter/filters.ts'
import type { Page } from '../table/pagination.tsx'

/** What every list may keep; a page adds filters of its own. */
export interface ListValues {
  query?: string
  sort?: Sorting
  pageIndex?: number
  pageSize?: number
}

/** Where a list stands, and the ways to move it. */
export interface ListPlace<V extends object = ListValues> {
  values: V
  /** Changes anything as it is: the page, what is open. */
  set(next: Partial<V>, how?: { push?: boolean }): void
  /** Changes what is listed: another filter or order starts at its first page. */
  change(next: Partial<V>): void
  /** Some filter is not at its default. */
  isNarrowed: boolean
  /** Puts every filter back. */
  clear(): void
}

type NamesOf<V, T> = { [K in keyof V]-?: V[K] extends T ? K : never }[keyof V] & string
type Control<K extends Filter['kind']> = Omit<Extract<Filter, { kind: K }>, 'kind' | 'value' | 'onChange'>

/** A place in the address, with the controls of its filters. */
export interface List<V extends object> extends ListPlace<V> {
  one(name: NamesOf<V, string>, control: Control<'one'>): Filter
  many(name: NamesOf<V, readonly string[]>, control: Control<'many'>): Filter
  signed(name: NamesOf<V, TriState>, control: Control<'signed'>): Filter
}

type Shape = Record<string, Codec<unknown>>
const words = ['query'] as const

/**
 * A list whose filters, order and page are in the address. `narrowing` names the filters that can leave something out;
 * the others are place, order, or what is open.
 */
export function useList<S extends Shape>(
  declaration: SearchParams<S>,
  narrowing: readonly (keyof S & string)[] = words,
): List<Values<S>> {
  const [values, set] = useFilters(declaration)
  return useMemo(() => {
    type V = Values<S>
    const change = (next: Partial<V>) => set({ pageIndex: 0, ...next } as Partial<V>)
    const control = (kind: 'one' | 'many' | 'signed') => (name: keyof V & string, more: { label: string }) =>
      ({
        ...more,
        kind,
        value: values[name],
        onChange: (value: unknown) => change({ [name]: value ?? declaration.defaults[name] } as Partial<V>),
      }) as unknown as Filter
    return {
      values,
      set,
      change,
      isNarrowed: declaration.countActive(values, narrowing) > 0,
      clear: () =>
        change(Object.fromEntries(narrowing.map((name) => [name, declaration.defaults[name]])) as Partial<V>),
      one: control('one'),
      many: control('many'),
      signed: control('signed'),
    }
  }, [declaration, narrowing, values, set])
}

/** A list that keeps its order and page to itself, such as one in a tab. */
export function useOwnList(pageSize: number): ListPlace<Page & { sort?: Sorting }> {
  const [values, setValues] = useState<Page & { sort?: Sorting }>({ pageIndex: 0, pageSize, sort: undefined })
  const set = (next: Partial<typeof values>) => setValues((now) => ({ ...now, ...next }))
  return {
    values,
    set,
    change: (next) => set({ pageIndex: 0, ...next }),
    isNarrowed: false,
    clear: () => undefined,
  }
}
