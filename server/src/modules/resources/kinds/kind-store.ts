import type { DocumentKind, Metadata, ResourceDocument } from '@quarterdeck/contract/documents'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../platform/db/db.ts'

export type ColumnType = 'text' | 'jsonb' | 'text[]' | 'uuid' | 'boolean'
/** Columns that a document decides, by name. */
export type Columns = Record<string, unknown>

/** A document that is well formed but cannot become a row, for a reason the writer can mend. */
export class DocumentProblem extends Error {
  constructor(
    message: string,
    readonly path: readonly PropertyKey[] = [],
  ) {
    super(message)
  }
}

/** How documents of one kind become rows, and back. One file per kind. */
export interface KindStore {
  kind: DocumentKind
  table: string
  columns: Readonly<Record<string, ColumnType>>
  /** What rows from files carry in `source`. */
  source(document: ResourceDocument): string
  /** Type of that column. */
  sourceType: 'text' | 'source'
  /** The namespace a document without one belongs to; undefined when the kind knows no namespaces. */
  defaultNamespace: string | undefined
  /** Columns that keep two rows of one name apart; empty when only the id does. */
  nameColumns: readonly string[]
  /** The name stays taken by a soft-deleted row. */
  nameOutlivesRow?: boolean
  /** Belongs to agents as well: rows of agents are none of our business. */
  hasAgents?: boolean
  /** Column that must name a person. */
  needsCreator?: boolean
  /** Columns whose values are kept encrypted. */
  secrets?: readonly string[]
  toColumns(document: ResourceDocument, tools: KindTools): Promise<Columns> | Columns
  toDocument(row: Columns, tools: KindTools): Promise<Exported> | Exported
}

export interface Exported {
  metadata: Pick<Metadata, 'name'> & Partial<Metadata>
  spec: Record<string, unknown>
}

export interface KindTools {
  sql: Sql
  ctx: Context
}

/** Rows from files, where the column is the enum. */
export const fromFile = 'ConfigFile'
/** Rows that are objects of a cluster. */
export const fromCluster = 'CRDSync'

export const optionalText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** An empty map is no map: rows made in the console have null there. */
export const mapOrNull = (map: Record<string, string>): Record<string, string> | null =>
  Object.keys(map).length > 0 ? map : null

export const asMap = (value: unknown): Record<string, string> | undefined =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
    ? (value as Record<string, string>)
    : undefined

/** The same object without the keys that have no value. */
export const compact = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== null))
