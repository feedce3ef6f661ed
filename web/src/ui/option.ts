import type { ReactNode } from 'react'

/** One choice of a select, combobox or filter. */
export interface Option<V extends string = string> {
  value: V
  label: string
  /** Drawn before the label. */
  icon?: ReactNode
  /** A second, quieter line or figure. */
  hint?: ReactNode
  disabled?: boolean
}

/** Turns plain strings into options whose label is the value itself. */
export function toOptions<V extends string>(values: readonly V[], label: (value: V) => string = (v) => v): Option<V>[] {
  return values.map((value) => ({ value, label: label(value) }))
}
