import { AppError } from '../platform/errors.ts'

/** The refusals of the data API, with the codes a PostgREST client knows. docs/errors.md lists them. */

export const cannotParse = (what: string, text: string, column: number, expecting: string) =>
  new AppError(
    400,
    'PGRST100',
    `"failed to parse ${what} (${shorten(text)})" (line 1, column ${column})`,
    `expecting ${expecting}`,
  )

export const malformed = (message: string, details: string | null = null, hint: string | null = null) =>
  new AppError(400, 'PGRST100', message, details, hint)

export const badBody = (message: string, details: string | null = null) =>
  new AppError(400, 'PGRST102', message, details)

export const rangeNotSatisfiable = (details: string) =>
  new AppError(416, 'PGRST103', 'Requested range not satisfiable', details)

export const badPut = (message: string) => new AppError(400, 'PGRST105', message)

export const schemaRefused = (name: string) =>
  new AppError(
    406,
    'PGRST106',
    `Invalid schema: ${shorten(name)}`,
    null,
    'Only the following schemas are exposed: public',
  )

export const mediaTypeRefused = (accept: string) =>
  new AppError(406, 'PGRST107', `None of these media types are available: ${shorten(accept)}`)

export const bodyTypeRefused = (type: string) =>
  new AppError(
    415,
    'PGRST102',
    `Content-Type not acceptable: ${shorten(type)}`,
    null,
    'Send application/json, text/csv or application/x-www-form-urlencoded.',
  )

export const notEmbedded = (name: string) =>
  new AppError(
    400,
    'PGRST108',
    `'${shorten(name)}' is not an embedded resource in this request`,
    null,
    `Verify that '${shorten(name)}' is included in the 'select' query parameter.`,
  )

export const notSingular = (count: number) =>
  new AppError(
    406,
    'PGRST116',
    'JSON object requested, multiple (or no) rows returned',
    `The result contains ${count} rows`,
  )

export const methodRefused = (message: string, hint: string | null = null) =>
  new AppError(405, 'PGRST117', message, null, hint)

export const badPreferences = (names: string[]) =>
  new AppError(
    400,
    'PGRST122',
    'Invalid preferences given with handling=strict',
    `Invalid preferences: ${names.map(shorten).join(', ')}`,
  )

export const tooManyAffected = (count: number) =>
  new AppError(
    400,
    'PGRST124',
    'Query result exceeds max-affected preference constraint',
    `The query affects ${count} rows`,
  )

export const noSuchRelation = (name: string, hint: string | null) =>
  new AppError(404, 'PGRST205', `Could not find the table 'public.${shorten(name)}' in the schema cache`, null, hint)

export const noSuchColumn = (relation: string, column: string) =>
  new AppError(400, '42703', `column ${shorten(relation)}.${shorten(column)} does not exist`)

export const noSuchBodyColumn = (relation: string, column: string) =>
  new AppError(400, 'PGRST204', `Could not find the '${shorten(column)}' column of '${relation}' in the schema cache`)

export const denied = (kind: 'table' | 'column' | 'function', name: string) =>
  new AppError(
    403,
    '42501',
    `permission denied for ${kind} ${name}`,
    null,
    'Ask an administrator for a role that may do this.',
  )

export const tooComplex = (message: string) => new AppError(400, '54000', message)

const longest = 200

/** Request text repeated in an answer is kept short: a client that sent a megabyte does not need it back. */
export function shorten(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
