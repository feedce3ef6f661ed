import { operatorOf } from '../parse/operators.ts'
import type { Condition, Field, Param } from '../plan/model.ts'
import { ident, type SqlWriter } from './sql-writer.ts'

/** A column, or a place inside it, as an expression. */
export function fieldSql(writer: SqlWriter, field: Field): string {
  const { column, path, cast } = field
  let sql = `${field.alias}.${ident(column.name)}`
  if (path) sql = `(${asJsonb(sql, column.family)} ${path.text ? '#>>' : '#>'} ${writer.param(path.keys)}::text[])`
  return cast === undefined ? sql : `(${sql})::${cast}`
}

function asJsonb(sql: string, family: string): string {
  if (family === 'jsonb') return sql
  return family === 'json' ? `${sql}::jsonb` : `to_jsonb(${sql})`
}

/** What the field holds once its path is followed. */
function familyOf(field: Field): string {
  if (!field.path) return field.column.family
  return field.path.text ? 'text' : 'jsonb'
}

/** json has neither equality nor an order; jsonb has both. */
export function comparableSql(writer: SqlWriter, field: Field): string {
  const sql = fieldSql(writer, field)
  return familyOf(field) === 'json' ? `${sql}::jsonb` : sql
}

export type Comparison = Extract<Condition, { kind: 'compare' }>

export function compareSql(writer: SqlWriter, condition: Comparison): string {
  const { field, op, is, quantifier } = condition
  if (is !== undefined) return `${fieldSql(writer, field)} is ${is === 'not_null' ? 'not null' : is}`
  const value = writer.param(condition.value!)
  const operator = operatorOf(op)
  if (operator.search) return searchSql(writer, condition, operator.search, value)
  const family = familyOf(field)
  const left = operator.textual && family !== 'text' ? `${fieldSql(writer, field)}::text` : comparableSql(writer, field)
  if (condition.contains) return `(${containsSql(writer, field, condition.contains)} and ${left} = ${value})`
  if (op === 'in') return `${left} = any(${value})`
  return quantifier === undefined
    ? `${left} ${operator.sql} ${value}`
    : `${left} ${operator.sql} ${quantifier}(${value})`
}

function containsSql(writer: SqlWriter, field: Field, objects: Param[]): string {
  const checks = objects.map((object) => `${field.alias}.${ident(field.column.name)} @> ${writer.param(object)}::jsonb`)
  return checks.length > 1 ? `(${checks.join(' or ')})` : checks[0]!
}

function searchSql(writer: SqlWriter, condition: Comparison, reader: string, value: string): string {
  const language = condition.language === undefined ? '' : `${writer.param(condition.language)}::text::regconfig, `
  const family = familyOf(condition.field)
  const sql = fieldSql(writer, condition.field)
  const readable = family === 'text' || family === 'json' || family === 'jsonb'
  const vector = family === 'tsvector' ? sql : `to_tsvector(${language}${readable ? sql : `${sql}::text`})`
  return `${vector} @@ ${reader}(${language}${value}::text)`
}
