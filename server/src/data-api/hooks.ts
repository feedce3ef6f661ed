import type { Context } from '../context.ts'
import type { Principal } from '../platform/auth/principal.ts'
import type { Sql } from '../platform/db/db.ts'
import type { Row } from './parse/body.ts'
import type { WriteKind } from './plan/write-plan.ts'

export type { Row, WriteKind }

export interface WriteCall {
  ctx: Context
  /** The transaction of the write: what a hook does here is committed or undone with it. */
  sql: Sql
  principal: Principal
  kind: WriteKind
  relation: string
  /** What the client sent: all rows of an insert or upsert, the one object of an update, nothing for a delete. */
  rows: Row[]
  /** The rows that an update, delete or upsert finds and is about to touch, whole and locked; empty for an insert. */
  targets<R extends object = Row>(): Promise<R[]>
}

/** Looks at a write before it happens. Throws an AppError to refuse it, or returns other rows to write instead. */
export type BeforeWrite = (call: WriteCall) => Promise<{ rows: Row[] } | void> | { rows: Row[] } | void

export interface WrittenCall extends Omit<WriteCall, 'rows' | 'targets'> {
  /** The rows as they are now (for a delete: as they were). */
  rows: Row[]
}

/** Does what follows from a write, still inside its transaction. */
export type AfterWrite = (call: WrittenCall) => Promise<void> | void

/** Puts a row that a client sent into the shape of its table, before anything is planned. */
export type Reshape = (row: Row) => Row

/** What modules add to writes through the data API, by relation, in the order they registered. */
export class WriteHooks {
  private readonly before = new Map<string, BeforeWrite[]>()
  private readonly after = new Map<string, AfterWrite[]>()
  private readonly shapes = new Map<string, Reshape>()

  beforeWrite(relation: string, hook: BeforeWrite) {
    this.before.set(relation, [...(this.before.get(relation) ?? []), hook])
  }

  afterWrite(relation: string, hook: AfterWrite) {
    this.after.set(relation, [...(this.after.get(relation) ?? []), hook])
  }

  /** For clients that send what is no column; one per relation. */
  reshape(relation: string, change: Reshape) {
    this.shapes.set(relation, change)
  }

  shapeOf(relation: string): Reshape | undefined {
    return this.shapes.get(relation)
  }

  beforeOf(relation: string): readonly BeforeWrite[] {
    return this.before.get(relation) ?? []
  }

  afterOf(relation: string): readonly AfterWrite[] {
    return this.after.get(relation) ?? []
  }
}
