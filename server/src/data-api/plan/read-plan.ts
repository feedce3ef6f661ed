import { AppError } from '../../platform/errors.ts'
import { denied, noSuchColumn, notEmbedded, tooComplex } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type {
  Comparison,
  FieldRef,
  JsonPath,
  Logic,
  OrderTerm,
  Query,
  SelectEmbed,
  SelectItem,
  SelectField,
} from '../parse/syntax.ts'
import type { Column, Relationship, SchemaCache } from '../schema/model.ts'
import type { Access } from './access.ts'
import { checkedCast } from './casts.ts'
import { findRelationship } from './embeds.ts'
import type { Condition, Embed, Field, Order, Output, Param, Select, Source } from './model.ts'

/** The rows a level of the request reads from, under the name that refusals call them by. */
export interface Rows {
  name: string
  columns: Map<string, Column>
  /** Set when relationships start here. */
  relation?: string
}

export interface PlanContext {
  schema: SchemaCache
  access: Access
  limits: Limits
  query: Query
  nextAlias(): string
}

export function planContext(schema: SchemaCache, access: Access, limits: Limits, query: Query): PlanContext {
  let aliases = 0
  return { schema, access, limits, query, nextAlias: () => `r${aliases++}` }
}

/** One level of the request: the root, or an embedded resource inside it. */
interface Level {
  rows: Rows
  alias: string
  items: SelectItem[]
  embeds: EmbedLevel[]
  filters: Logic[]
  order: OrderTerm[]
  limit?: Param
  offset?: Param
}

interface EmbedLevel {
  /** What filters and orders call it. */
  names: string[]
  item?: SelectEmbed
  relationship: Relationship
  middle?: string
  inner: boolean
  level: Level
}

export interface RootOptions {
  source: Source
  rows: Rows
  limit?: Param
  offset?: Param
  /** Filters of the root that were already spent, as on the rows of a write. */
  skipRootFilters?: boolean
}

/** Resolves every name of a read: columns, embeds, filters, orders. Refuses what is unknown or not allowed. */
export function planSelect(context: PlanContext, options: RootOptions): Select {
  const { query } = context
  const root = buildLevel(context, options.rows, query.select, 0)
  root.limit = options.limit
  root.offset = options.offset
  for (const { path, logic } of query.filters) {
    if (path.length === 0 && options.skipRootFilters) continue
    levelAt(context, root, path, true).filters.push(logic)
  }
  for (const { path, terms } of query.orders) levelAt(context, root, path, false).order = terms
  for (const { path, limit, offset } of query.ranges) {
    const level = levelAt(context, root, path, false)
    if (limit !== undefined) level.limit = { slot: limit }
    if (offset !== undefined) level.offset = { slot: offset }
  }
  return finish(context, root, options.source)
}

/** Conditions on the root alone, for the rows that an update or delete is to touch. */
export function planConditions(context: PlanContext, rows: Rows): { alias: string; where: Condition[] } {
  const level: Level = { rows, alias: context.nextAlias(), items: [], embeds: [], filters: [], order: [] }
  for (const { path, logic } of context.query.filters) {
    if (path.length > 0 && isSelected(context.query.select, path[0]!)) continue
    levelAt(context, level, path, true).filters.push(logic)
  }
  return { alias: level.alias, where: conditionsOf(context, level) }
}

const isSelected = (items: SelectItem[], name: string) =>
  items.some((item) => item.kind === 'embed' && (item.alias === name || item.target === name))

function buildLevel(context: PlanContext, rows: Rows, items: SelectItem[], depth: number): Level {
  const level: Level = { rows, alias: context.nextAlias(), items, embeds: [], filters: [], order: [] }
  for (const item of items) {
    if (item.kind !== 'embed') continue
    level.embeds.push({
      ...connect(context, rows, item.target, item.hint, (relation) =>
        buildLevel(context, relation, item.items, depth + 1),
      ),
      names: item.alias === undefined ? [item.target] : [item.alias, item.target],
      item,
      inner: item.join === 'inner',
    })
  }
  return level
}

function connect(
  context: PlanContext,
  rows: Rows,
  target: string,
  hint: string | undefined,
  build: (rows: Rows) => Level,
) {
  const { access, schema } = context
  const isServed = (name: string) => access.ruleOf(name) !== undefined
  const relationship = findRelationship(schema, rows.relation ?? rows.name, target, hint, isServed)
  const relation = access.readableRelation(relationship.to)
  if (relationship.middle) access.readableRelation(relationship.middle.relation)
  const level = build({ name: relation.name, columns: relation.columns, relation: relation.name })
  return { relationship, level, middle: relationship.middle && context.nextAlias() }
}

/** The level a path leads to. A filter may go through a relation that is not selected: then it chooses among the parents. */
function levelAt(context: PlanContext, root: Level, path: string[], mayAdd: boolean): Level {
  let level = root
  for (const [depth, name] of path.entries()) {
    let embed = level.embeds.find((e) => e.names[0] === name) ?? level.embeds.find((e) => e.names.includes(name))
    if (!embed) {
      if (!mayAdd || (level.rows.relation === undefined && level !== root)) throw notEmbedded(name)
      if (depth >= context.limits.embedDepth)
        throw tooComplex(`embedded resources may be nested ${context.limits.embedDepth} levels deep`)
      embed = implied(context, level, name)
      level.embeds.push(embed)
    }
    level = embed.level
  }
  return level
}

function implied(context: PlanContext, level: Level, name: string): EmbedLevel {
  const build = (rows: Rows) => buildLevel(context, rows, [], 0)
  try {
    return { ...connect(context, level.rows, name, undefined, build), names: [name], inner: true }
  } catch (error) {
    if (error instanceof AppError && error.code === 'PGRST200') throw notEmbedded(name)
    throw error
  }
}

/** Without outputs when only the existence of rows, or one of their columns, is asked. */
function finish(context: PlanContext, level: Level, source: Source, withOutputs = true): Select {
  const outputs = withOutputs ? outputsOf(context, level) : []
  return {
    alias: level.alias,
    source,
    outputs,
    where: conditionsOf(context, level),
    order: level.order.map((term) => orderOf(context, level, term)),
    limit: level.limit,
    offset: level.offset,
    grouped: outputs.some(
      (output) => output.kind === 'count' || (output.kind === 'field' && output.aggregate !== undefined),
    ),
  }
}

function embedOf(context: PlanContext, level: Level, embed: EmbedLevel, withOutputs: boolean): Embed {
  const { relationship, middle } = embed
  const many = relationship.cardinality === 'one-to-many' || relationship.cardinality === 'many-to-many'
  const select = finish(context, embed.level, { kind: 'relation', name: relationship.to }, withOutputs)
  if (many) select.limit ??= { constant: context.limits.maxRows }
  return { relationship, parent: level.alias, middle, many, select }
}

/** Of outputs with one name the last wins, so an embed replaces the column that * brought. */
function outputsOf(context: PlanContext, level: Level): Output[] {
  const byName = new Map<string, Output>()
  const put = (name: string, output: Output) => {
    byName.delete(name)
    byName.set(name, output)
  }
  let embeds = 0
  for (const item of level.items) {
    if (item.kind === 'star') {
      for (const column of level.rows.columns.values())
        put(column.name, columnOutput(context, level, column, column.name))
    } else if (item.kind === 'count') {
      const name = item.alias ?? 'count'
      put(name, { kind: 'count', name, cast: checkedCast(item.cast) })
    } else if (item.kind === 'field') {
      const output = fieldOutput(context, level, item)
      put(output.name, output)
    } else {
      const embed = level.embeds[embeds++]!
      if (item.items.length === 0) continue
      const planned = embedOf(context, level, embed, true)
      if (item.spread) spread(put, planned)
      else put(item.alias ?? item.target, { kind: 'embed', name: item.alias ?? item.target, embed: planned })
    }
  }
  return [...byName.values()]
}

function spread(put: (name: string, output: Output) => void, embed: Embed) {
  for (const { name } of embed.select.outputs) put(name, { kind: 'spread', name, embed })
}

function columnOutput(context: PlanContext, level: Level, column: Column, name: string): Output {
  const field: Field = { alias: level.alias, column }
  const relation = level.rows.relation ?? level.rows.name
  if (context.access.isSecret(relation, column)) return { kind: 'masked', name, field }
  return context.access.isSealed(relation, column) ? { kind: 'sealed', name, field } : { kind: 'field', name, field }
}

function fieldOutput(context: PlanContext, level: Level, item: SelectField): Output {
  const name = item.alias ?? item.aggregate ?? nameOfPath(item.path) ?? item.name
  const column = columnNamed(level, item.name)
  const plain = !item.path && item.cast === undefined && item.aggregate === undefined
  if (plain) return columnOutput(context, level, column, name)
  refuseSecret(context, level, column)
  const field: Field = { alias: level.alias, column, path: constantPath(item.path), cast: checkedCast(item.cast) }
  return { kind: 'field', name, field, aggregate: item.aggregate, aggregateCast: checkedCast(item.aggregateCast) }
}

/** data->a->0 is called a: indexes say nothing. */
const nameOfPath = (path: JsonPath | undefined) => path?.keys.findLast((key) => !/^-?\d+$/.test(key))

const constantPath = (path: JsonPath | undefined) => path && { keys: { constant: path.keys }, text: path.text }

function columnNamed(level: Level, name: string): Column {
  const column = level.rows.columns.get(name)
  if (!column) throw noSuchColumn(level.rows.name, name)
  return column
}

function refuseSecret(context: PlanContext, level: Level, column: Column) {
  const relation = level.rows.relation ?? level.rows.name
  if (context.access.isSecret(relation, column)) throw denied('column', `${level.rows.name}.${column.name}`)
}

function conditionsOf(context: PlanContext, level: Level): Condition[] {
  const conditions = level.filters.map((logic) => conditionOf(context, level, logic))
  const own = level.rows.relation === undefined ? undefined : context.access.ownColumn(level.rows.relation)
  if (own !== undefined) {
    const field: Field = { alias: level.alias, column: columnNamed(level, own) }
    conditions.push({ kind: 'compare', field, not: false, op: 'eq', value: { from: 'person' } })
  }
  for (const embed of level.embeds) {
    if (embed.inner) conditions.push({ kind: 'exists', not: false, embed: embedOf(context, level, embed, false) })
  }
  return conditions
}

function conditionOf(context: PlanContext, level: Level, logic: Logic): Condition {
  if (logic.kind !== 'comparison') {
    return { kind: logic.kind, not: logic.not, items: logic.items.map((item) => conditionOf(context, level, item)) }
  }
  const { field, not, op, quantifier, is } = logic
  if (op === 'is' && (is === 'null' || is === 'not_null') && !field.path && !level.rows.columns.has(field.name)) {
    const embed = level.embeds.find((e) => e.names.includes(field.name))
    if (embed) return { kind: 'exists', not: (is === 'null') !== not, embed: embedOf(context, level, embed, false) }
  }
  const resolved = fieldOf(context, level, field)
  return {
    kind: 'compare',
    field: resolved,
    contains: resolved.column.family === 'jsonb' ? containsOf(logic) : undefined,
    not,
    op,
    quantifier,
    is,
    language: logic.language === undefined ? undefined : { slot: logic.language },
    value: logic.value === undefined ? undefined : { slot: logic.value },
  }
}

function containsOf({ containment, field, value }: Comparison): Param[] | undefined {
  if (containment === undefined) return undefined
  const object = { keys: field.path!.keys, value: value! }
  return containment === 'text'
    ? [{ object, as: 'text' }]
    : [
        { object, as: 'text' },
        { object, as: 'scalar' },
      ]
}

function fieldOf(context: PlanContext, level: Level, ref: FieldRef): Field {
  const column = columnNamed(level, ref.name)
  refuseSecret(context, level, column)
  return { alias: level.alias, column, path: ref.path && { keys: { slot: ref.path.keys }, text: ref.path.text } }
}

function orderOf(context: PlanContext, level: Level, term: OrderTerm): Order {
  const { descending, nulls } = term
  if (term.embed === undefined) {
    const column = columnNamed(level, term.name)
    refuseSecret(context, level, column)
    return { field: { alias: level.alias, column, path: constantPath(term.path) }, descending, nulls }
  }
  const embed = level.embeds.find((e) => e.names.includes(term.embed!))
  if (!embed) throw notEmbedded(term.embed)
  const planned = embedOf(context, level, embed, false)
  if (planned.many) {
    throw new AppError(
      400,
      'PGRST118',
      `A related order on '${term.embed}' is not possible`,
      `'${level.rows.name}' and '${term.embed}' do not form a many-to-one or one-to-one relationship`,
    )
  }
  const column = columnNamed(embed.level, term.name)
  refuseSecret(context, embed.level, column)
  return {
    embed: planned,
    field: { alias: embed.level.alias, column, path: constantPath(term.path) },
    descending,
    nulls,
  }
}
