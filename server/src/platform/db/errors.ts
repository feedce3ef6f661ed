import { AppError } from '../errors.ts'

interface DatabaseError extends Error {
  code: string
  detail?: string
  hint?: string
}

/** SQLSTATE, or the start of it, to HTTP status. The longest prefix counts. docs/errors.md shows the same table. */
const statuses: Record<string, number> = {
  '08': 503, // connection lost
  '08P01': 500,
  '0A': 400, // not supported
  '0L': 403,
  '0P': 403,
  '21': 400,
  '22': 400, // bad value
  '23': 400, // not null, check
  '23503': 409, // foreign key
  '23505': 409, // unique
  '23P01': 409, // exclusion
  '25006': 405, // read-only
  '26': 500,
  '28': 403,
  '40': 409, // lost against another transaction
  '42': 400,
  '42501': 403,
  '42P01': 404, // no such table
  '42P05': 500,
  '53': 503, // out of connections, memory, disk
  '54': 400, // too complex
  '55006': 409,
  '55P03': 409, // locked
  '57014': 504, // statement timeout
  '57P': 503, // shutting down
  '58': 500,
  P0: 400, // raised by a function
}

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'

const lostConnection =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Cannot use a pool after calling end)/
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
])

/** What an error of the database means to a caller; undefined when it is none. 5xx keep their words for the log. */
export function databaseError(error: unknown): AppError | undefined {
  if (isDatabaseError(error)) return mapped(error)
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  if (lostConnection.test(error.message) || (typeof code === 'string' && networkCodes.has(code))) {
    return new AppError(503, '08006', 'The database does not answer', null, 'Try again in a moment.')
  }
  return undefined
}

function mapped(error: DatabaseError): AppError {
  const status = statusOf(error.code)
  if (status === 504) {
    return new AppError(
      504,
      error.code,
      'The request took too long and was cancelled',
      null,
      'Ask for less: filter more, or select fewer columns.',
    )
  }
  if (status === 503)
    return new AppError(503, error.code, 'The database cannot answer now', null, 'Try again in a moment.')
  if (status >= 500) return new AppError(status, error.code, 'Internal Server Error')
  // "Failing row contains (…)" would show every value of the row, secrets included.
  const details = error.detail?.startsWith('Failing row contains') ? null : (error.detail ?? null)
  return new AppError(status, error.code, error.message, details, error.hint ?? null)
}

function statusOf(code: string): number {
  // A function may choose its status: raise exception using errcode = 'PT402'.
  const chosen = /^PT([45]\d\d)$/.exec(code)
  if (chosen) return Number(chosen[1])
  return statuses[code] ?? statuses[code.slice(0, 3)] ?? statuses[code.slice(0, 2)] ?? 500
}
