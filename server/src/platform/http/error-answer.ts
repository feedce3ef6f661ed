import type { ErrorBody } from '@quarterdeck/contract/errors'
import { ZodError } from 'zod'
import { databaseError } from '../db/errors.ts'
import { AppError } from '../errors.ts'

export interface ErrorAnswer {
  status: number
  body: ErrorBody
}

export function errorBody(
  code: string,
  message: string,
  details: string | null = null,
  hint: string | null = null,
): ErrorBody {
  return { code, message, details, hint, error: message }
}

interface HttpLike {
  statusCode?: number
  code?: string
  message: string
}

/** What the caller hears about a failure. Only words written for callers go out; everything else is "Internal Server Error". */
export function errorAnswer(error: unknown): ErrorAnswer {
  const known = error instanceof AppError ? error : databaseError(error)
  if (known) return { status: known.status, body: errorBody(known.code, known.message, known.details, known.hint) }
  if (error instanceof ZodError) return invalid('input', error)
  const { statusCode, code, message } = error as HttpLike
  // Fastify's own refusals: body too large, wrong media type, bad JSON, bad address.
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 && code?.startsWith('FST_')) {
    return {
      status: statusCode,
      body: errorBody(codes[statusCode] ?? 'invalid', message, null, hints[statusCode] ?? null),
    }
  }
  return {
    status: 500,
    body: errorBody(
      'internal',
      'Internal Server Error',
      null,
      'The log of the server says more, under the x-request-id of this answer.',
    ),
  }
}

const codes: Record<number, string> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'too_large',
  415: 'unsupported_media_type',
}
const hints: Record<number, string> = {
  413: 'Send a smaller body, or split it into several requests.',
  415: 'Send JSON with content-type application/json.',
}

/** Names the first field that is wrong, and all of them in the details. */
export function invalid(part: 'params' | 'query' | 'body' | 'input', error: ZodError): ErrorAnswer {
  const lines = error.issues.map((issue) => `${[part, ...issue.path.map(String)].join('.')}: ${issue.message}`)
  return {
    status: 400,
    body: errorBody('invalid', lines[0] ?? `${part} is not valid`, lines.slice(0, 20).join('\n'), null),
  }
}
