import type { OperatorName } from '../parse/operators.ts'
import type { Aggregate, IsWord, Slot } from '../parse/syntax.ts'
import type { Column, Relationship, Routine } from '../schema/model.ts'

/** Second stage: a request whose every name was found and allowed. SQL is made from this and from nothing else. */

/** Where a parameter of the statement gets its value when the statement runs. */
export type Param =
  | { slot: Slot }
  | { constant: unknown }
  | { from: 'person' | 'limit' | 'offset' | 'body' }
  | { argument: string }
  /** A JSON object that holds the value at the path: as text, or as the number or boolean it spells. */
  | { object: { keys: Slot; value: Slot }; as: 'text' | 'scalar' }

export interface Field {
  alias: string
  column: Column
  path?: { keys: Param; text: boolean }
  cast?: string
}

export type Output =
  | { kind: 'field'; name: string; field: Field; aggregate?: Aggregate; aggregateCast?: string }
  /** A secret column: that it is set is shown, what it holds is not. */
  | { kind: 'masked'; name: string; field: Field }
  /** The same for those who may see it: what is encrypted at rest inside is hidden from them too. */
  | { kind: 'sealed'; name: string; field: Field }
  | { kind: 'count'; name: string; cast?: string }
  | { kind: 'embed'; name: string; embed: Embed }
  /** Columns of a to-one resource, or lists of those of a to-many one, shown as columns of the parent. */
  | { kind: 'spread'; name: string; embed: Embed }

export type Condition =
  | {
      kind: 'compare'
      field: Field
      not: boolean
      op: OperatorName
      quantifier?: 'any' | 'all'
      language?: Param
      value?: Param
      is?: IsWord
      /** Objects of which the column must contain one: implied by the comparison, and quick to find by an index. */
      contains?: Param[]
    }
  | { kind: 'and' | 'or'; not: boolean; items: Condition[] }
  | { kind: 'exists'; not: boolean; embed: Embed }

export interface Order {
  /** The embed whose column orders, when it is not the row's own. */
  embed?: Embed
  field: Field
  descending: boolean
  nulls?: 'first' | 'last'
}

export type Source =
  | { kind: 'relation'; name: string; rowKey?: string }
  /** The rows a write touched. */
  | { kind: 'written' }
  | { kind: 'call'; routine: Routine; args: CallArguments }
  /** The rows of a call that were put aside to be counted and shown. */
  | { kind: 'called' }

export type CallArguments =
  /** Named arguments, each a parameter. */
  | { kind: 'named'; names: string[] }
  /** Named arguments out of one JSON object. */
  | { kind: 'json'; names: string[] }
  /** The whole body as the one argument. */
  | { kind: 'whole' }

export interface Select {
  alias: string
  source: Source
  outputs: Output[]
  where: Condition[]
  order: Order[]
  limit?: Param
  offset?: Param
  /** Some output is an aggregate, so the others group. */
  grouped: boolean
}

export interface Embed {
  relationship: Relationship
  parent: string
  /** Alias of the table in the middle, for many-to-many. */
  middle?: string
  many: boolean
  select: Select
}
