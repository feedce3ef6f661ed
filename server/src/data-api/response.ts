import { AppError } from '../platform/errors.ts'
import { databaseError } from '../platform/db/errors.ts'
import { rangeNotSatisfiable } from './errors.ts'
import type { Answer } from './parse/accept.ts'
import type { Preferences } from './parse/prefer.ts'
import type { RowRange } from './parse/range.ts'
import type { WritePlan } from './plan/write-plan.ts'

/** Fourth stage: status, headers and body of the answer. */
export interface HttpAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export function contentType(answer: Answer): string {
  const types = {
    array: answer.stripNulls ? 'application/vnd.pgrst.array+json; nulls=stripped' : 'application/json',
    object: `application/vnd.pgrst.object+json${answer.stripNulls ? '; nulls=stripped' : ''}`,
    csv: 'text/csv',
    openapi: 'application/openapi+json',
  }
  return `${types[answer.kind]}; charset=utf-8`
}

export interface ReadResult {
  rows: number
  /** Undefined when nobody asked. */
  total: number | undefined
  /** The total is a guess of the planner, so nothing can be refused by it. */
  guessed: boolean
  body: string
}

/** `0-24/200`; `*` for no rows, or for a total nobody asked for. */
export function contentRange(offset: number, rows: number, total: number | undefined): string {
  return `${rows > 0 ? `${offset}-${offset + rows - 1}` : '*'}/${total ?? '*'}`
}

export function readAnswer(result: ReadResult, range: RowRange, answer: Answer, prefer: Preferences): HttpAnswer {
  const { rows, guessed, body } = result
  // A guess must not contradict the rows in hand.
  const total = guessed ? Math.max(result.total ?? 0, range.offset + rows) : result.total
  if (total !== undefined && !guessed && range.offset > total) {
    throw rangeNotSatisfiable(`An offset of ${range.offset} was requested, but there are only ${total} rows.`)
  }
  return {
    status: total !== undefined && rows < total ? 206 : 200,
    headers: {
      'content-type': contentType(answer),
      'content-range': contentRange(range.offset, rows, total),
      'range-unit': 'items',
      ...applied(prefer, ['count', 'handling']),
    },
    body,
  }
}

export interface WriteResult {
  n: number
  body: string
  inserted: number | null
  location: string[] | null
}

export function writeAnswer(
  plan: WritePlan,
  result: WriteResult,
  answer: Answer,
  prefer: Preferences,
  put: boolean,
): HttpAnswer {
  const inserts = plan.kind === 'insert' || plan.kind === 'upsert'
  const total = prefer.count === undefined ? '*' : String(result.n)
  const range = plan.kind === 'update' && result.n > 0 ? `0-${result.n - 1}/${total}` : `*/${total}`
  const headers: Record<string, string> = {
    'content-range': range,
    'range-unit': 'items',
    ...applied(prefer, ['return', 'count', 'resolution', 'missing', 'handling', 'maxAffected', 'tx']),
  }
  if (result.location) headers.location = locationOf(plan, result.location)
  if (plan.returned) headers['content-type'] = contentType(answer)
  return { status: writeStatus(plan, result, inserts, put, prefer), headers, body: plan.returned ? result.body : '' }
}

function writeStatus(
  plan: WritePlan,
  result: WriteResult,
  inserts: boolean,
  put: boolean,
  prefer: Preferences,
): number {
  if (!inserts) return plan.returned ? 200 : 204
  const nothingNew = plan.conflict !== undefined && result.inserted === 0 && prefer.resolution !== 'ignore-duplicates'
  if (!nothingNew) return 201
  return put && !plan.returned ? 204 : 200
}

function locationOf(plan: WritePlan, key: string[]): string {
  const filters = plan.relation.primaryKey.map(
    (name, i) => `${encodeURIComponent(name)}=eq.${encodeURIComponent(key[i]!)}`,
  )
  return `/${encodeURIComponent(plan.relation.name)}?${filters.join('&')}`
}

function applied(prefer: Preferences, names: (keyof Preferences)[]): Record<string, string> {
  const given = names.filter((name) => prefer[name] !== undefined)
  if (given.length === 0) return {}
  return {
    'preference-applied': given
      .map((name) => `${name === 'maxAffected' ? 'max-affected' : name}=${prefer[name]}`)
      .join(', '),
  }
}

/** The error object every failure answers with; undefined when the failure is not the caller's business. */
export function errorAnswer(error: unknown): HttpAnswer | undefined {
  const known = error instanceof AppError ? error : databaseError(error)
  if (!known) return undefined
  const { code, details, hint, message } = known
  return {
    status: known.status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(known.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    },
    body: JSON.stringify({ code, details, hint, message }),
  }
}
