import type { Sql } from '../platform/db/db.ts'
import {
  callableRoutines,
  type ColumnRow,
  columnsOfRelations,
  type ForeignKeyRow,
  foreignKeys,
  type KeyRow,
  type RelationRow,
  type RoutineRow,
  servedRelations,
  uniqueKeys,
  viewTrees,
  type ViewTreeRow,
} from './schema/catalog.sql.ts'
import type { Column, ForeignKey, Relation, Routine, SchemaCache } from './schema/model.ts'
import { resolveOrigins } from './schema/origins.ts'
import { relationshipsOf } from './schema/relationships.ts'
import { typeFamily } from './schema/types.ts'

/** Reads what there is to serve. Done at start and again when migrations changed it. */
export async function loadSchema(sql: Sql): Promise<SchemaCache> {
  const relationRows = await sql.query<RelationRow>(servedRelations)
  const columnRows = await sql.query<ColumnRow>(columnsOfRelations)
  const keyRows = await sql.query<KeyRow>(uniqueKeys)
  const foreignKeyRows = await sql.query<ForeignKeyRow>(foreignKeys)
  const treeRows = await sql.query<ViewTreeRow>(viewTrees)
  const routineRows = await sql.query<RoutineRow>(callableRoutines)

  const relations = new Map<string, Relation>()
  const nameOf = new Map<number, string>()
  for (const row of relationRows) {
    nameOf.set(row.oid, row.name)
    relations.set(row.name, {
      name: row.name,
      kind: row.kind === 'v' || row.kind === 'm' ? 'view' : 'table',
      comment: row.comment,
      columns: new Map(),
      primaryKey: [],
    })
  }
  for (const row of columnRows) {
    relations.get(nameOf.get(row.relation) ?? '')?.columns.set(row.name, columnOf(row))
  }
  const keys = keyRows.flatMap((row) => {
    const relation = nameOf.get(row.relation)
    return relation ? [{ relation, columns: row.columns, primary: row.primary }] : []
  })
  for (const key of keys) if (key.primary) relations.get(key.relation)!.primaryKey = key.columns

  resolveOrigins(relations, nameOf, columnRows, treeRows)
  inheritKeys(relations)

  const known = foreignKeyRows.flatMap((row): ForeignKey[] => {
    const from = nameOf.get(row.relation)
    const to = nameOf.get(row.references)
    return from && to ? [{ name: row.name, from, to, columns: row.columns, referenced: row.referenced }] : []
  })
  return {
    relations,
    relationships: relationshipsOf(relations, known, keys),
    routines: routinesOf(routineRows, nameOf),
  }
}

function columnOf(row: Omit<ColumnRow, 'relation' | 'number'>): Column {
  const { name, type, nullable, generated, comment } = row
  return { name, type, family: typeFamily(row.base, row.category), nullable, default: row.default, generated, comment }
}

/** A view that shows the whole key of the table its first column comes from has the same key. */
function inheritKeys(relations: Map<string, Relation>) {
  for (const view of relations.values()) {
    if (view.kind !== 'view') continue
    const columns = [...view.columns.values()]
    for (const base of new Set(columns.map((column) => column.origin?.relation))) {
      const key = base === undefined ? [] : (relations.get(base)?.primaryKey ?? [])
      const shown = key.map(
        (part) => columns.find((c) => c.origin?.relation === base && c.origin?.column === part)?.name,
      )
      if (key.length === 0 || shown.includes(undefined)) continue
      view.primaryKey = shown as string[]
      break
    }
  }
}

function routinesOf(rows: RoutineRow[], nameOf: Map<number, string>): Map<string, Routine[]> {
  const routines = new Map<string, Routine[]>()
  for (const row of rows) {
    const routine: Routine = {
      name: row.name,
      comment: row.comment,
      args: row.args.map((arg) => ({ ...arg, family: typeFamily(arg.type.replace(/\[\]$/, ''), arg.category) })),
      volatile: row.volatility === 'v',
      set: row.returns_set,
      returns: returnsOf(row, nameOf),
    }
    routines.set(row.name, [...(routines.get(row.name) ?? []), routine])
  }
  return routines
}

function returnsOf(row: RoutineRow, nameOf: Map<number, string>): Routine['returns'] {
  if (row.return_type === 'void') return { kind: 'void' }
  const relation = row.return_relation === null ? undefined : nameOf.get(row.return_relation)
  if (relation) return { kind: 'relation', relation }
  if (row.outputs.length > 1 || (row.outputs.length === 1 && row.return_type === 'record')) {
    const columns = row.outputs.map((output) =>
      columnOf({ ...output, nullable: true, default: null, generated: false, comment: null }),
    )
    return { kind: 'columns', columns: new Map(columns.map((column) => [column.name, column])) }
  }
  // `returns table (id uuid)` has one column and still answers rows with a name, unlike `returns setof uuid`.
  if (row.outputs.length === 1 && row.returns_set) {
    const column = columnOf({ ...row.outputs[0]!, nullable: true, default: null, generated: false, comment: null })
    return { kind: 'columns', columns: new Map([[column.name, column]]) }
  }
  return { kind: 'scalar', type: row.return_type }
}
