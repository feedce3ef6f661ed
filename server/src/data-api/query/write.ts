import type { Answer } from '../parse/accept.ts'
import type { WritePlan } from '../plan/write-plan.ts'
import { bodySql } from '../query.ts'
import { selectSql, whereSql, writtenRows } from './select.ts'
import { ident, type Statement, SqlWriter } from './sql-writer.ts'

/**
 * One statement that writes and answers. Its one row: how many rows were written, the body, how many of them are new
 * (of an upsert), the key of the new row, and the whole rows for those who listen.
 */
export function writeStatement(plan: WritePlan, answer: Answer, listeners: boolean): Statement {
  const writer = new SqlWriter()
  const body = plan.returned
    ? `(select ${bodySql(writer, plan.returned, answer, false)} from (${selectSql(writer, plan.returned)}) t)`
    : `''`
  const columns = [
    `(select count(*)::int from ${writtenRows}) as n`,
    `${body} as body`,
    `${plan.conflict ? `(select count(*)::int from ${writtenRows} where is_new_row)` : 'null::int'} as inserted`,
    `${plan.location ? locationSql(plan) : 'null::json'} as location`,
    `${listeners ? `(select json_agg(w.*) from ${writtenRows} w)` : 'null::json'} as rows`,
  ]
  return {
    text: `with ${writtenRows} as (${changeSql(writer, plan)}) select ${columns.join(', ')}`,
    params: writer.params,
  }
}

function locationSql(plan: WritePlan): string {
  const key = plan.relation.primaryKey.map((name) => `w.${ident(name)}::text`)
  return `(select json_build_array(${key.join(', ')}) from ${writtenRows} w limit 1)`
}

function changeSql(writer: SqlWriter, plan: WritePlan): string {
  switch (plan.kind) {
    case 'insert':
    case 'upsert':
      return insertSql(writer, plan)
    case 'update':
      return updateSql(writer, plan)
    case 'delete':
      return `delete from ${ident(plan.relation.name)} as ${plan.target!.alias}${whereSql(writer, plan.target!.where)} returning ${plan.target!.alias}.*`
  }
}

const typedColumns = (plan: WritePlan) =>
  plan.columns.map((column) => `${ident(column.name)} ${column.type}`).join(', ')

function insertSql(writer: SqlWriter, plan: WritePlan): string {
  const names = plan.columns.map((column) => ident(column.name))
  const values = plan.columns.map((column) => valueSql(plan, column.name))
  if (plan.creator) {
    names.push(ident(plan.creator.name))
    values.push(`${writer.param({ from: 'person' })}::uuid`)
  }
  const into = `insert into ${ident(plan.relation.name)} as target`
  const returning = plan.conflict ? 'returning target.*, target.xmax = 0 as is_new_row' : 'returning target.*'
  // Only a row of nothing but defaults can be inserted without naming a column.
  if (names.length === 0) return `${into} default values ${returning}`
  return `${into} (${names.join(', ')}) select ${values.join(', ')} from ${sentRowsSql(writer, plan)}${conflictSql(plan)} ${returning}`
}

function sentRowsSql(writer: SqlWriter, plan: WritePlan): string {
  const rows = `json_array_elements(${writer.param({ from: 'body' })}::json) as given(row)`
  if (plan.columns.length === 0) return rows
  return `${rows} cross join lateral json_to_record(given.row) as sent(${typedColumns(plan)})`
}

function valueSql(plan: WritePlan, name: string): string {
  const value = `sent.${ident(name)}`
  const fallback = plan.relation.columns.get(name)?.default
  if (!plan.defaults || !fallback) return value
  return `case when given.row::jsonb ? '${name.replaceAll("'", "''")}' then ${value} else ${fallback} end`
}

function conflictSql(plan: WritePlan): string {
  if (!plan.conflict) return ''
  const target = plan.conflict.target.map(ident).join(', ')
  if (plan.conflict.update.length === 0) return ` on conflict (${target}) do nothing`
  const update = plan.conflict.update.map((name) => `${ident(name)} = excluded.${ident(name)}`)
  return ` on conflict (${target}) do update set ${update.join(', ')}`
}

function updateSql(writer: SqlWriter, plan: WritePlan): string {
  const { alias, where } = plan.target!
  const set = plan.columns.map((column) => `${ident(column.name)} = sent.${ident(column.name)}`)
  const from = `json_to_record(${writer.param({ from: 'body' })}::json) as sent(${typedColumns(plan)})`
  return `update ${ident(plan.relation.name)} as ${alias} set ${set.join(', ')} from ${from}${whereSql(writer, where)} returning ${alias}.*`
}

/** The rows that are there and that a write is about to touch, locked, for those who must look before. */
export function targetStatement(plan: WritePlan): Statement | undefined {
  const writer = new SqlWriter()
  const where = plan.target ? whereSql(writer, plan.target.where) : conflictingSql(writer, plan)
  if (where === undefined) return undefined
  const alias = plan.target?.alias ?? 'target'
  const rows = `select ${alias}.* from ${ident(plan.relation.name)} as ${alias}${where} for update of ${alias}`
  return { text: `select to_json(t.*) as row from (${rows}) t`, params: writer.params }
}

/** Of an upsert: the rows it will find and change instead of inserting. */
function conflictingSql(writer: SqlWriter, plan: WritePlan): string | undefined {
  const { conflict, columns } = plan
  if (!conflict || conflict.update.length === 0) return undefined
  // A key that is not sent is made by the database and meets nothing.
  if (!conflict.target.every((name) => columns.some((column) => column.name === name))) return undefined
  const same = conflict.target.map((name) => `sent.${ident(name)} = target.${ident(name)}`)
  return ` where exists (select 1 from ${sentRowsSql(writer, plan)} where ${same.join(' and ')})`
}
