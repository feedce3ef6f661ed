import type { SignGroup, TriState } from '@quarterdeck/contract/tri-state'
import type { ReactNode } from 'react'
import type { Option } from '../option.ts'

interface Common {
  label: string
  /** undefined while they load. */
  options: readonly Option[] | undefined
  /** The popup opens: the moment to fetch the options. */
  onOpen?: () => void
}

/** One filter of a bar, with its value and how to change it. */
export type Filter =
  /** Include or exclude values; one sign at a time, for tags (`byTagKey`) one per key. */
  | (Common & { kind: 'signed'; value: TriState; onChange: (value: TriState) => void; group?: SignGroup })
  | (Common & { kind: 'many'; value: readonly string[]; onChange: (value: string[]) => void })
  /** One choice; undefined or empty is none. */
  | (Common & { kind: 'one'; value: string | undefined; onChange: (value: string | undefined) => void })
  /** Anything else that belongs into the bar: a time range, a toggle. */
  | { kind: 'element'; label: string; element: ReactNode }

/** A removable piece of an active filter. */
export interface Chip {
  key: string
  filter: string
  text: string
  isExcluded: boolean
  /** Stands for several values. */
  isCount?: boolean
  remove: () => void
}

/** From this many on, a filter's chips become counts. */
export const collapseFrom = 4

const without = <T>(record: Record<string, T>, keep: (key: string) => boolean) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => keep(key)))

/** The chips of one filter: up to three values one by one, more as counts. */
export function chipsOf(filter: Filter): Chip[] {
  if (filter.kind === 'element') return []
  const named = new Map(filter.options?.map((option) => [option.value, option.label]))
  const chip = (value: string, isExcluded: boolean, remove: () => void): Chip => ({
    key: `${filter.label}/${value}`,
    filter: filter.label,
    text: named.get(value) ?? value,
    isExcluded,
    remove,
  })
  if (filter.kind === 'one') {
    return filter.value ? [chip(filter.value, false, () => filter.onChange(undefined))] : []
  }
  if (filter.kind === 'many') {
    const { value, onChange } = filter
    if (value.length >= collapseFrom)
      return [{ ...chip('', false, () => onChange([])), text: `${value.length} selected`, isCount: true }]
    return value.map((item) => chip(item, false, () => onChange(value.filter((other) => other !== item))))
  }
  const { value, onChange } = filter
  const entries = Object.entries(value)
  if (entries.length < collapseFrom) {
    return entries.map(([item, sign]) => chip(item, sign === -1, () => onChange(without(value, (key) => key !== item))))
  }
  return ([1, -1] as const).flatMap((sign) => {
    const count = entries.filter(([, s]) => s === sign).length
    if (count === 0) return []
    const word = sign === 1 ? 'included' : 'excluded'
    return [
      {
        ...chip(word, sign === -1, () => onChange(without(value, (key) => value[key] !== sign))),
        text: `${count} ${word}`,
        isCount: true,
      },
    ]
  })
}

/** What the button of a filter shows beside its name. */
export function summaryOf(filter: Exclude<Filter, { kind: 'element' }>): string | undefined {
  const chips = chipsOf(filter)
  if (chips.length === 0) return undefined
  return chips.map((chip) => (chip.isExcluded && !chip.isCount ? `not ${chip.text}` : chip.text)).join(', ')
}
