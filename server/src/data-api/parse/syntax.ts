import type { OperatorName } from './operators.ts'

/** What a request says, before anyone asked whether it makes sense. Values are kept apart, see Values. */

export interface JsonPath {
  keys: string[]
  /** ->> at the end: the value as text. */
  text: boolean
}

export const aggregates = ['count', 'sum', 'avg', 'min', 'max'] as const
export type Aggregate = (typeof aggregates)[number]

export interface SelectField {
  kind: 'field'
  name: string
  path?: JsonPath
  cast?: string
  aggregate?: Aggregate
  aggregateCast?: string
  alias?: string
}
export interface SelectCount {
  kind: 'count'
  cast?: string
  alias?: string
}
export interface SelectEmbed {
  kind: 'embed'
  target: string
  hint?: string
  join?: 'inner' | 'left'
  spread: boolean
  alias?: string
  items: SelectItem[]
}
export type SelectItem = { kind: 'star' } | SelectField | SelectCount | SelectEmbed

/** Index into the request's values. */
export type Slot = number

export interface FieldRef {
  name: string
  /** Keys of a JSON path are values too, so that a request per label is one shape. */
  path?: { keys: Slot; text: boolean }
}

export type IsWord = 'null' | 'not_null' | 'true' | 'false' | 'unknown'

export interface Comparison {
  kind: 'comparison'
  field: FieldRef
  not: boolean
  op: OperatorName
  quantifier?: 'any' | 'all'
  language?: Slot
  /** Absent for `is`. */
  value?: Slot
  /** A JSON path that must equal a text: containment says nearly the same and can use an index. */
  containment?: 'text' | 'scalar'
  is?: IsWord
}
export interface LogicGroup {
  kind: 'and' | 'or'
  not: boolean
  items: Logic[]
}
export type Logic = Comparison | LogicGroup

export interface OrderTerm {
  /** Embedded to-one resource whose column orders the parents. */
  embed?: string
  name: string
  path?: JsonPath
  descending: boolean
  nulls?: 'first' | 'last'
}

/** Path of embedded names from the root; empty for the root itself. */
export type EmbedPath = string[]

export interface Query {
  select: SelectItem[]
  filters: { path: EmbedPath; logic: Logic }[]
  orders: { path: EmbedPath; terms: OrderTerm[] }[]
  ranges: { path: EmbedPath; limit?: Slot; offset?: Slot }[]
  limit: number | undefined
  offset: number | undefined
  columns: string[] | undefined
  onConflict: string[] | undefined
  /** Named arguments of a function called by GET. */
  args: Map<string, string[]>
  values: unknown[]
}
