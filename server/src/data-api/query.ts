import type { Answer } from './parse/accept.ts'
import type { Output, Select } from './plan/model.ts'
import { callSql, calledRows, countedSql, limitSql, rangeSql, selectSql } from './query/select.ts'
import { ident, type Statement, SqlWriter } from './query/sql-writer.ts'

/** Third stage: SQL out of a checked plan. PostgreSQL builds the answer's text; we only pass it on. */

export type Count = 'exact' | 'planned' | 'estimated' | undefined

export interface ReadOptions {
  answer: Answer
  /** HEAD: only how many rows there are. */
  head: boolean
  count: Count
  maxRows: number
  /** A function that gives one row, which is answered as one object. */
  oneRow?: boolean
}

/** Columns of every statement's one row: rows in the page, the body, rows in all. */
export function readStatement(select: Select, options: ReadOptions): Statement {
  const writer = new SqlWriter()
  let source = select
  let before = ''
  if (select.source.kind === 'call' && options.count) {
    // A function must not run twice because its rows are counted too.
    before = `with ${calledRows} as (select c.* from ${callSql(writer, select.source)} c) `
    source = { ...select, source: { kind: 'called' } }
  }
  const page = selectSql(writer, source)
  const body = options.head ? `''` : bodySql(writer, select, options.answer, options.oneRow ?? false)
  const total = options.count === 'exact' || options.count === 'estimated' ? totalSql(writer, source, options) : 'null'
  return {
    text: `${before}select count(*)::int as n, ${body} as body, ${total} as total from (${page}) t`,
    params: writer.params,
  }
}

/** The planner's guess of how many rows there are, as EXPLAIN tells it. */
export function plannedStatement(select: Select): Statement {
  const writer = new SqlWriter()
  return { text: `explain (format json) ${countedSql(writer, select)}`, params: writer.params }
}

/**
 * A page that is not full already says how many rows there are; else all are counted, or for an estimate as many as
 * an answer may hold at most, and one.
 */
function totalSql(writer: SqlWriter, select: Select, { count, maxRows }: ReadOptions): string {
  const bound = count === 'estimated' ? ` limit ${maxRows + 1}` : ''
  const counted = `(select count(*) from (${countedSql(writer, select)}${bound}) c)`
  if (!select.limit) return `${counted}::int`
  const full = `count(*) < ${limitSql(writer, select.limit)}`
  if (!select.offset) return `(case when ${full} then count(*) else ${counted} end)::int`
  const offset = `${writer.param(select.offset)}::bigint`
  return `(case when ${full} and count(*) > 0 then ${offset} + count(*) else ${counted} end)::int`
}

export function bodySql(writer: SqlWriter, select: Select, answer: Answer, oneRow: boolean): string {
  if (answer.kind === 'csv') return csvSql(writer, select)
  const rows = answer.stripNulls ? 'json_strip_nulls(json_agg(t.*))' : 'json_agg(t.*)'
  if (answer.kind === 'object' || oneRow) return `coalesce(${rows} -> 0, 'null')::text`
  const row = answer.stripNulls || select.grouped ? undefined : rowText(select.outputs)
  return row ? `coalesce('[' || string_agg(${row}, ',') || ']', '[]')` : `coalesce(${rows}, '[]')::text`
}

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * One row as the text of a JSON object. For a list of rows that takes two thirds of the time of json_agg, which looks up
 * the type of every column for every row. Undefined for names that would have to be escaped.
 */
function rowText(outputs: readonly Output[]): string | undefined {
  const names = new Set(outputs.map(({ name }) => name))
  if (names.size < outputs.length || outputs.length === 0) return undefined
  if (![...names].every((name) => plainName.test(name))) return undefined
  const members = outputs.map((output, i) => `'${i === 0 ? '{' : ','}"${output.name}":' || ${valueText(output)}`)
  return `${joined(members)} || '}'`
}

/** Pairs of pairs: joined one after the other, the beginning of a row would be copied as often as it has columns. */
function joined(texts: readonly string[]): string {
  if (texts.length === 1) return texts[0]!
  const half = Math.ceil(texts.length / 2)
  return `(${joined(texts.slice(0, half))} || ${joined(texts.slice(half))})`
}

function valueText(output: Output): string {
  const value = `t.${ident(output.name)}`
  switch (writtenAs(output)) {
    case 'itself':
      return `coalesce(${value}::text, 'null')`
    case 'quoted':
      return `coalesce('"' || ${value} || '"', 'null')`
    case undefined:
      return `coalesce(to_json(${value})::text, 'null')`
  }
}

const wholeNumbers = new Set(['smallint', 'integer', 'bigint'])

/** Values whose own text is JSON, or needs quotes and nothing else. */
function writtenAs(output: Output): 'itself' | 'quoted' | undefined {
  if (output.kind === 'embed') return 'itself'
  if (output.kind !== 'field' || output.aggregate || output.field.path || output.field.cast) return undefined
  const { family, type } = output.field.column
  if (family === 'json' || family === 'jsonb' || family === 'boolean' || wholeNumbers.has(type)) return 'itself'
  return family === 'uuid' ? 'quoted' : undefined
}

function csvSql(writer: SqlWriter, select: Select): string {
  const names = select.outputs.map((output) => output.name)
  const header = names.map((name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',')
  const fields = names.map((name) => {
    const text = `t.${ident(name)}::text`
    return `case when ${text} ~ '[",\\r\\n]' then '"' || replace(${text}, '"', '""') || '"' else ${text} end`
  })
  const line = `array_to_string(array[${fields.join(', ')}]::text[], ',', '')`
  return `${writer.param({ constant: header })}::text || coalesce(string_agg(chr(10) || ${line}, ''), '')`
}

/** A function that answers one value, or a list of values, or nothing. */
export function scalarStatement(select: Select): Statement {
  const writer = new SqlWriter()
  if (select.source.kind !== 'call') throw new Error('a scalar comes from a function')
  const { routine } = select.source
  const call = callSql(writer, select.source)
  const last = `${call} as t(v)`
  if (routine.returns.kind === 'void')
    return { text: `select 0 as n, '' as body, null as total from ${last}`, params: writer.params }
  if (!routine.set) {
    return {
      text: `select 1 as n, coalesce(to_json(t.v)::text, 'null') as body, null as total from ${last}`,
      params: writer.params,
    }
  }
  const page = `select t.v from ${last}${rangeSql(writer, select)}`
  return {
    text: `select count(*)::int as n, coalesce(json_agg(p.v), '[]')::text as body, null as total from (${page}) p`,
    params: writer.params,
  }
}
