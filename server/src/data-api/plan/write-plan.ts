import type { Write } from '@quarterdeck/contract/relations'
import { AppError } from '../../platform/errors.ts'
import { badBody, badPut, denied, malformed, methodRefused, noSuchBodyColumn } from '../errors.ts'
import type { Row } from '../parse/body.ts'
import type { Preferences } from '../parse/prefer.ts'
import type { Logic, Query } from '../parse/syntax.ts'
import type { Column, Relation } from '../schema/model.ts'
import type { Condition, Select } from './model.ts'
import { type PlanContext, planConditions, planSelect, type Rows } from './read-plan.ts'

export type WriteKind = 'insert' | 'upsert' | 'update' | 'delete'

export interface WritePlan {
  kind: WriteKind
  relation: Relation
  /** Columns that get a value out of the body. */
  columns: Column[]
  /** Columns missing in a row of the body get their default instead of null. */
  defaults: boolean
  /** The column that gets the acting person's id. */
  creator?: Column
  conflict?: { target: string[]; update: string[] }
  /** Which rows to touch, of an update or delete. */
  target?: { alias: string; where: Condition[] }
  /** The rows to answer with; absent when none are asked for. */
  returned?: Select
  /** Answer where the new row is. */
  location: boolean
}

/** Whether these roles may write the relation this way, and read what a write lets them see. */
export function checkWrite(
  { access }: Pick<PlanContext, 'access'>,
  name: string,
  kind: WriteKind,
  returns: boolean,
): Relation {
  const relation = access.served(name)
  const needed: Write[] = kind === 'upsert' ? ['insert', 'update'] : [kind]
  for (const write of needed) {
    if (!access.isWritable(name, write))
      throw methodRefused(`${relation.name} cannot be changed this way`, 'Only reading it is offered.')
    if (!access.canWrite(name, write)) throw denied('table', name)
  }
  if ((returns || kind !== 'insert') && !access.canRead(name)) throw denied('table', name)
  return relation
}

export interface WriteInput {
  kind: WriteKind
  relation: Relation
  query: Query
  prefer: Preferences
  /** Keys of the rows, in order; see columnsOfRows. */
  columns: string[]
}

export function planWrite(context: PlanContext, input: WriteInput): WritePlan {
  const { kind, relation, query, prefer } = input
  const rows: Rows = { name: relation.name, columns: relation.columns, relation: relation.name }
  const inserts = kind === 'insert' || kind === 'upsert'
  if (!inserts) refuseUnfiltered(kind, query)
  const columns = kind === 'delete' ? [] : writableColumns(relation, input.columns)
  return {
    kind,
    relation,
    columns,
    defaults: inserts && query.columns !== undefined && prefer.missing === 'default',
    creator: inserts ? creatorOf(relation, columns) : undefined,
    conflict: kind === 'upsert' ? conflictOf(relation, query, prefer, columns) : undefined,
    target: inserts ? undefined : planConditions(context, rows),
    returned:
      prefer.return === 'representation'
        ? planSelect(context, { source: { kind: 'written' }, rows, skipRootFilters: true })
        : undefined,
    location: kind === 'insert' && prefer.return === 'headers-only' && relation.primaryKey.length > 0,
  }
}

/** A change of every row is never meant by leaving the filter out. */
function refuseUnfiltered(kind: 'update' | 'delete', query: Query) {
  if (!query.filters.some((filter) => filter.path.length === 0 || !isEmbedName(query, filter.path[0]!))) {
    const word = kind.toUpperCase()
    throw new AppError(
      400,
      '21000',
      `${word} requires a filter`,
      null,
      'To mean every row, say so, for example with id=not.is.null',
    )
  }
  if (query.limit !== undefined || query.offset !== undefined) {
    throw malformed(`limit and offset are not offered with ${kind}`, null, 'Name the rows by a filter.')
  }
}

const isEmbedName = (query: Query, name: string) =>
  query.select.some((item) => item.kind === 'embed' && (item.alias === name || item.target === name))

/** What the database computes itself may come back in a body (a loaded row sent back whole) and is left alone. */
function writableColumns(relation: Relation, names: string[]): Column[] {
  return names.flatMap((name) => {
    const column = relation.columns.get(name)
    if (!column) throw noSuchBodyColumn(relation.name, name)
    return column.generated ? [] : [column]
  })
}

function creatorOf(relation: Relation, given: Column[]): Column | undefined {
  const column = relation.columns.get('created_by')
  return column && column.family === 'uuid' && !given.includes(column) ? column : undefined
}

function conflictOf(relation: Relation, query: Query, prefer: Preferences, columns: Column[]) {
  const target = query.onConflict ?? relation.primaryKey
  for (const name of target) if (!relation.columns.has(name)) throw noSuchBodyColumn(relation.name, name)
  if (target.length === 0)
    throw malformed(`${relation.name} has no primary key to find duplicates by`, null, 'Name columns with on_conflict.')
  const update =
    prefer.resolution === 'ignore-duplicates' ? [] : columns.map((c) => c.name).filter((name) => !target.includes(name))
  return { target, update }
}

/** The columns a body gives values for. Without columns= every row must name the same ones. */
export function columnsOfRows(rows: Row[], query: Query): string[] {
  if (query.columns) return query.columns
  const first = Object.keys(rows[0] ?? {}).sort()
  for (const row of rows) {
    const keys = Object.keys(row)
    if (keys.length !== first.length || !first.every((key) => Object.hasOwn(row, key)))
      throw badBody('All object keys must match')
  }
  return first
}

/** PUT names one row by its whole key in the query and sends the same key in the body. */
export function checkPut(relation: Relation, query: Query, rows: Row[]) {
  if (query.limit !== undefined || query.offset !== undefined)
    throw new AppError(400, 'PGRST114', 'limit/offset querystring parameters are not allowed for PUT')
  const key = relation.primaryKey
  const equal = query.filters.map(({ path, logic }) => (path.length === 0 ? equalsTo(logic, query) : undefined))
  const named = new Map(equal.filter((pair) => pair !== undefined))
  if (
    key.length === 0 ||
    named.size !== key.length ||
    equal.length !== key.length ||
    !key.every((name) => named.has(name))
  ) {
    throw badPut(`Filters must include all and only primary key columns with 'eq' operators`)
  }
  const row = rows[0]
  if (rows.length !== 1 || !row) throw badBody('PUT takes one row')
  if (!key.every((name) => String(row[name]) === named.get(name))) {
    throw new AppError(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)')
  }
}

function equalsTo(logic: Logic, query: Query): [string, unknown] | undefined {
  if (logic.kind !== 'comparison' || logic.op !== 'eq' || logic.not || logic.quantifier || logic.field.path)
    return undefined
  return [logic.field.name, query.values[logic.value!]]
}
