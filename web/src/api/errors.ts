/** The one error of every call: what the server said, or that it could not be reached (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly details: string | null
  readonly hint: string | null
  /** The answer as it came: a flow of the identity service, an error object, or text. */
  readonly body: unknown

  constructor(status: number, message: string, body: unknown = null, cause?: unknown) {
    super(message, { cause })
    this.status = status
    this.body = body
    this.code = textField(body, 'code') ?? ''
    this.details = textField(body, 'details')
    this.hint = textField(body, 'hint')
  }

  /** Worth another try: no answer came at all. An answer with an error status is final. */
  get isTransient() {
    return this.status === 0
  }
}

/** No answer came, or one that says the server cannot serve right now: it may be back by itself. */
export const isAway = (error: unknown) => error instanceof ApiError && (error.isTransient || error.status >= 500)

export const unknownFailure = 'An error occurred'

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textField(body: unknown, field: string): string | null {
  const value = isRecord(body) ? body[field] : null
  return typeof value === 'string' && value !== '' ? value : null
}

/** The sentence of an error answer. The identity service nests it one level deeper than everybody else. */
export function messageOfBody(body: unknown): string | null {
  const nested = isRecord(body) && isRecord(body.error) ? body.error : null
  return (
    textField(body, 'message') ??
    textField(body, 'error') ??
    textField(nested, 'reason') ??
    textField(nested, 'message')
  )
}

/** What to tell a person about anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message
  return typeof error === 'string' && error !== '' ? error : unknownFailure
}

/** Whether a call failed with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: number[]): error is ApiError {
  return error instanceof ApiError && statuses.includes(error.status)
}
