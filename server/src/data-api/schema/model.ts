import type { TypeFamily } from './types.ts'

export interface Column {
  name: string
  /** Spelled as a cast spells it. */
  type: string
  family: TypeFamily
  nullable: boolean
  default: string | null
  /** Computed by the database: never written. */
  generated: boolean
  comment: string | null
  /** The table column that a view's column shows. */
  origin?: { relation: string; column: string }
}

export interface Relation {
  name: string
  kind: 'table' | 'view'
  comment: string | null
  columns: Map<string, Column>
  /** Empty when there is none. Views show the key of the table they come from when all its columns are there. */
  primaryKey: string[]
}

export interface RoutineArgument {
  name: string
  type: string
  family: TypeFamily
  optional: boolean
  variadic: boolean
}

export interface Routine {
  name: string
  comment: string | null
  args: RoutineArgument[]
  volatile: boolean
  set: boolean
  /** What a row of the answer looks like: a served relation, own columns, one value, or nothing. */
  returns:
    | { kind: 'relation'; relation: string }
    | { kind: 'columns'; columns: Map<string, Column> }
    | { kind: 'scalar'; type: string }
    | { kind: 'void' }
}

export interface SchemaCache {
  relations: Map<string, Relation>
  /** By the relation they start from. */
  relationships: Map<string, Relationship[]>
  routines: Map<string, Routine[]>
}

export interface ForeignKey {
  name: string
  from: string
  to: string
  columns: string[]
  referenced: string[]
}

export type Cardinality = 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many'

/** One way from a relation to another that a select may embed by. */
export interface Relationship {
  /** The foreign key's name; for many-to-many the two names of the table in the middle. */
  constraint: string
  from: string
  to: string
  cardinality: Cardinality
  /** Column of `from` = column of `to`; for many-to-many `from` and `to` meet the middle's columns instead. */
  on: { from: string; to: string }[]
  /** Set when the foreign key is on the `from` side. */
  outgoing: boolean
  middle?: {
    relation: string
    constraints: [string, string]
    from: { here: string; there: string }[]
    to: { here: string; there: string }[]
  }
}
