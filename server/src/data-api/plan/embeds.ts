import { AppError } from '../../platform/errors.ts'
import { shorten } from '../errors.ts'
import type { Relation, Relationship, SchemaCache } from '../schema/model.ts'
import { nearest } from './nearest.ts'

/**
 * Finds the relationship that an embed means. The target is a relation, a foreign key, or a column that is one; a hint
 * (a foreign key, one of its columns, or the table in the middle) chooses among several.
 */
export function findRelationship(
  schema: SchemaCache,
  from: string,
  target: string,
  hint: string | undefined,
  isServed: (relation: string) => boolean,
): Relationship {
  const all = (schema.relationships.get(from) ?? []).filter(
    (r) => isServed(r.to) && (!r.middle || isServed(r.middle.relation)),
  )
  let found = hint === undefined ? withoutHint(schema, all, target) : withHint(all, target, hint)
  if (found.length === 0 && hint === undefined) found = sameRow(schema, from, target, isServed)
  if (found.length === 1) return found[0]!
  if (found.length === 0) throw noRelationship(from, target, hint, all)
  throw ambiguous(from, target, found)
}

const isView = (schema: SchemaCache, name: string) => schema.relations.get(name)?.kind === 'view'

function withoutHint(schema: SchemaCache, all: Relationship[], target: string): Relationship[] {
  const byRelation = all.filter((r) => r.to === target)
  if (byRelation.length > 0) return byRelation
  // A key or a column of a key means the table it points to, not one of the views of that table.
  const keyed = all.filter((r) => !r.middle && !isView(schema, r.to))
  const byColumn = keyed.filter((r) => r.outgoing && r.on.length === 1 && r.on[0]!.from === target)
  return byColumn.length > 0 ? byColumn : keyed.filter((r) => r.constraint === target)
}

function withHint(all: Relationship[], target: string, hint: string): Relationship[] {
  const found = all.filter((r) => {
    if (r.to !== target) return false
    if (r.middle) return r.middle.relation === hint || r.middle.constraints.includes(hint)
    const own = r.outgoing ? r.on[0]!.from : r.on[0]!.to
    return r.constraint === hint || (r.on.length === 1 && own === hint)
  })
  // Of a relation that points to itself, the key as a hint means the rows that point here; its column as a target
  // means the one row pointed to.
  return found.length > 1 && found.every((r) => r.from === r.to) ? found.filter((r) => !r.outgoing) : found
}

/** Two views of one table, or a view and its table, meet in the table's key although no foreign key says so. */
function sameRow(
  schema: SchemaCache,
  from: string,
  target: string,
  isServed: (relation: string) => boolean,
): Relationship[] {
  const here = schema.relations.get(from)
  const there = isServed(target) ? schema.relations.get(target) : undefined
  if (!here || !there || here === there) return []
  for (const table of schema.relations.values()) {
    if (table.kind !== 'table' || table.primaryKey.length === 0) continue
    const on = table.primaryKey.map((column) => ({
      from: showing(here, table.name, column),
      to: showing(there, table.name, column),
    }))
    if (on.some((pair) => pair.from === undefined || pair.to === undefined)) continue
    const pairs = on as { from: string; to: string }[]
    return [
      { constraint: `${table.name}_pkey`, from, to: target, cardinality: 'one-to-one', on: pairs, outgoing: true },
    ]
  }
  return []
}

function showing(relation: Relation, table: string, column: string): string | undefined {
  if (relation.name === table) return column
  return [...relation.columns.values()].find((c) => c.origin?.relation === table && c.origin.column === column)?.name
}

function noRelationship(from: string, target: string, hint: string | undefined, all: Relationship[]): AppError {
  const near = nearest(target, new Set(all.map((r) => r.to)))
  return new AppError(
    400,
    'PGRST200',
    `Could not find a relationship between '${from}' and '${shorten(target)}' in the schema cache`,
    `Searched for a foreign key relationship between '${from}' and '${shorten(target)}'${
      hint === undefined ? '' : ` using the hint '${shorten(hint)}'`
    } in the schema 'public', but no matches were found.`,
    near && near !== target ? `Perhaps you meant '${near}' instead of '${shorten(target)}'.` : null,
  )
}

function ambiguous(from: string, target: string, found: Relationship[]): AppError {
  const names = found.map((r) => `'${target}!${r.middle ? r.middle.relation : r.constraint}'`)
  return new AppError(
    300,
    'PGRST201',
    `Could not embed because more than one relationship was found for '${from}' and '${shorten(target)}'`,
    found.map(describe).join('; '),
    `Try changing '${shorten(target)}' to one of the following: ${[...new Set(names)].join(', ')}. Find the desired relationship in the 'details' key.`,
  )
}

function describe(r: Relationship): string {
  const using = r.middle
    ? `${r.middle.relation} using ${r.constraint}`
    : `${r.constraint} using ${r.from}(${r.on.map((pair) => pair.from).join(', ')}) and ${r.to}(${r.on.map((pair) => pair.to).join(', ')})`
  return `${r.cardinality} from ${r.from} to ${r.to} by ${using}`
}
