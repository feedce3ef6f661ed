import type { Condition, Embed, Field, Order, Output, Param, Select, Source } from '../plan/model.ts'
import { comparableSql, compareSql, fieldSql } from './conditions.ts'
import { ident, type SqlWriter } from './sql-writer.ts'

/** The rows of one level, outputs named as the answer names them. */
export function selectSql(writer: SqlWriter, select: Select, embed?: Embed): string {
  const spreads = new Map<Embed, string>()
  const items = select.outputs.map((output) => `${outputSql(writer, select, output, spreads)} as ${ident(output.name)}`)
  const lateral = [...spreads].map(
    ([spread, alias]) => ` left join lateral (${spreadSql(writer, spread)}) ${alias} on true`,
  )
  const groups = select.grouped ? groupSql(select.outputs) : ''
  const source = `${fromSql(writer, select, embed)}${lateral.join('')}`
  const keyed = keyedPageSql(writer, select)
  if (keyed) return `select ${items.join(', ')} from ${source} where ${keyed}${orderSql(writer, select.order)}`
  const from = `${source}${whereSql(writer, select.where, joinSql(embed))}`
  return `select ${items.join(', ')} from ${from}${groups}${orderSql(writer, select.order)}${rangeSql(writer, select)}`
}

/** Which rows a page further on shows. PostgreSQL would compute all columns of the rows before it, to throw them away. */
function keyedPageSql(writer: SqlWriter, select: Select): string | undefined {
  const { source, alias } = select
  if (source.kind !== 'relation' || !source.rowKey || !select.offset || !select.limit || select.grouped)
    return undefined
  const key = `${alias}.${ident(source.rowKey)}`
  const rows = `${fromSql(writer, select)}${whereSql(writer, select.where)}`
  return `${key} = any(array(select ${key} from ${rows}${orderSql(writer, select.order)}${rangeSql(writer, select)}))`
}

/** The same rows without range and order, only to be counted. */
export function countedSql(writer: SqlWriter, select: Select): string {
  if (select.grouped) return selectSql(writer, { ...select, order: [], limit: undefined, offset: undefined })
  return `select 1 from ${fromSql(writer, select)}${whereSql(writer, select.where)}`
}

export function existsSql(writer: SqlWriter, embed: Embed): string {
  const { select } = embed
  return `exists (select 1 from ${fromSql(writer, select, embed)}${whereSql(writer, select.where, joinSql(embed))})`
}

function conditionSql(writer: SqlWriter, condition: Condition): string {
  if (condition.kind === 'exists') return `${condition.not ? 'not ' : ''}${existsSql(writer, condition.embed)}`
  const sql =
    condition.kind === 'compare' ? compareSql(writer, condition) : logicSql(writer, condition.kind, condition.items)
  return condition.not ? `not (${sql})` : sql
}

function logicSql(writer: SqlWriter, kind: 'and' | 'or', items: Condition[]): string {
  return `(${items.map((item) => conditionSql(writer, item)).join(` ${kind} `)})`
}

export function whereSql(writer: SqlWriter, conditions: Condition[], more: string[] = []): string {
  const all = [...more, ...conditions.map((condition) => conditionSql(writer, condition))]
  return all.length > 0 ? ` where ${all.join(' and ')}` : ''
}

function fromSql(writer: SqlWriter, select: Select, embed?: Embed): string {
  const source = `${sourceSql(writer, select.source)} ${select.alias}`
  const middle = embed?.relationship.middle
  if (!embed || !middle) return source
  const on = middle.to.map((pair) => `${embed.middle}.${ident(pair.there)} = ${select.alias}.${ident(pair.here)}`)
  return `${source} join ${ident(middle.relation)} ${embed.middle} on ${on.join(' and ')}`
}

/** What ties embedded rows to their parent. */
function joinSql(embed: Embed | undefined): string[] {
  if (!embed) return []
  const { relationship, parent, select } = embed
  if (relationship.middle) {
    return relationship.middle.from.map(
      (pair) => `${embed.middle}.${ident(pair.there)} = ${parent}.${ident(pair.here)}`,
    )
  }
  return relationship.on.map((pair) => `${select.alias}.${ident(pair.to)} = ${parent}.${ident(pair.from)}`)
}

/** Names of the common table expressions that writes and counted calls are put into. */
export const writtenRows = 'written_rows'
export const calledRows = 'called_rows'

function sourceSql(writer: SqlWriter, source: Source): string {
  switch (source.kind) {
    case 'relation':
      return ident(source.name)
    case 'written':
      return writtenRows
    case 'called':
      return calledRows
    case 'call':
      return callSql(writer, source)
  }
}

export function callSql(writer: SqlWriter, { routine, args }: Extract<Source, { kind: 'call' }>): string {
  const name = ident(routine.name)
  if (args.kind === 'whole') return `${name}(${writer.param({ from: 'body' })}::${routine.args[0]!.type})`
  const given = args.names.map((arg) => routine.args.find((a) => a.name === arg)!)
  const values = given.map((arg) => {
    const variadic = arg.variadic ? 'variadic ' : ''
    const value =
      args.kind === 'json' ? `arguments.${ident(arg.name)}` : `${writer.param({ argument: arg.name })}::${arg.type}`
    return `${variadic}${ident(arg.name)} => ${value}`
  })
  const call = `${name}(${values.join(', ')})`
  if (args.kind === 'named' || given.length === 0) return call
  const columns = given.map((arg) => `${ident(arg.name)} ${arg.type}`).join(', ')
  return `json_to_record(${writer.param({ from: 'body' })}::json) as arguments(${columns}), lateral ${call}`
}

function outputSql(writer: SqlWriter, select: Select, output: Output, spreads: Map<Embed, string>): string {
  switch (output.kind) {
    case 'count':
      return `count(*)${castSql(output.cast)}`
    case 'masked':
      return maskedSql(writer, output.field)
    case 'sealed':
      return sealedSql(writer, output.field)
    case 'embed':
      return embedSql(writer, output.embed, select.grouped)
    case 'spread': {
      const alias = spreads.get(output.embed) ?? `${output.embed.select.alias}_spread`
      spreads.set(output.embed, alias)
      return `${alias}.${ident(output.name)}`
    }
    case 'field': {
      if (!output.aggregate)
        return select.grouped ? comparableSql(writer, output.field) : fieldSql(writer, output.field)
      return `${output.aggregate}(${fieldSql(writer, output.field)})${castSql(output.aggregateCast)}`
    }
  }
}

const castSql = (type: string | undefined) => (type === undefined ? '' : `::${type}`)

/** Shows that there is something, and the keys of an object, but no value. */
function maskedSql(writer: SqlWriter, field: Field): string {
  const sql = fieldSql(writer, field)
  if (field.column.family !== 'jsonb' && field.column.family !== 'json')
    return `case when ${sql} is not null then '***' end`
  const value = `${sql}::jsonb`
  const keys = `(select jsonb_object_agg(k, '***') from jsonb_object_keys(${value}) k)`
  return `case when ${sql} is not null then case jsonb_typeof(${value}) when 'object' then coalesce(${keys}, '{}') else '"***"' end end`
}

/** Like the form of values encrypted at rest (platform/secrets). */
const sealed = String.raw`qd1\.[0-9a-f]{8}\.[A-Za-z0-9_-]{38,}`

/** Everything but what is encrypted at rest: nobody has a use for that, and a browser keeps what it gets. */
function sealedSql(writer: SqlWriter, field: Field): string {
  const sql = fieldSql(writer, field)
  if (field.column.family === 'jsonb' || field.column.family === 'json')
    return `regexp_replace(${sql}::text, '"${sealed}"', '"***"', 'g')::jsonb`
  return `regexp_replace(${sql}::text, '^${sealed}$', '***')`
}

/** An object or null for to-one, a list for to-many. Grouping compares, and only jsonb can be compared. */
function embedSql(writer: SqlWriter, embed: Embed, grouped: boolean): string {
  const kind = grouped ? 'jsonb' : 'json'
  if (embed.many) return `coalesce((select ${kind}_agg(e.*) from (${selectSql(writer, embed.select, embed)}) e), '[]')`
  return `(select to_${kind}(e.*) from (${oneRow(writer, embed)}) e)`
}

function oneRow(writer: SqlWriter, embed: Embed): string {
  return selectSql(writer, { ...embed.select, limit: { constant: 1 }, offset: undefined }, embed)
}

function spreadSql(writer: SqlWriter, embed: Embed): string {
  if (!embed.many) return oneRow(writer, embed)
  const lists = embed.select.outputs.map(({ name }) => `coalesce(json_agg(e.${ident(name)}), '[]') as ${ident(name)}`)
  return `select ${lists.join(', ')} from (${selectSql(writer, embed.select, embed)}) e`
}

function groupSql(outputs: Output[]): string {
  const places = outputs.flatMap((output, i) => {
    const aggregate = output.kind === 'count' || (output.kind === 'field' && output.aggregate !== undefined)
    return aggregate ? [] : [i + 1]
  })
  return places.length > 0 ? ` group by ${places.join(', ')}` : ''
}

function orderSql(writer: SqlWriter, order: Order[]): string {
  if (order.length === 0) return ''
  const terms = order.map(({ embed, field, descending, nulls }) => {
    const own = comparableSql(writer, field)
    const sql = embed
      ? `(select ${own} from ${fromSql(writer, embed.select, embed)}${whereSql(writer, embed.select.where, joinSql(embed))} limit 1)`
      : own
    return `${sql} ${descending ? 'desc' : 'asc'}${nulls === undefined ? '' : ` nulls ${nulls}`}`
  })
  return ` order by ${terms.join(', ')}`
}

export function rangeSql(writer: SqlWriter, select: Select): string {
  const limit = select.limit ? ` limit ${limitSql(writer, select.limit)}` : ''
  return select.offset ? `${limit} offset ${writer.param(select.offset)}::bigint` : limit
}

/** Bounds of ours stand in the text, where the planner sees them; those of the request are parameters. */
export function limitSql(writer: SqlWriter, limit: Param): string {
  return 'constant' in limit && typeof limit.constant === 'number'
    ? String(limit.constant)
    : `${writer.param(limit)}::bigint`
}
