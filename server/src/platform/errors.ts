/** A failure the caller may hear about: a stable code, an HTTP status, and words that say what to do. */
export class AppError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: string | null = null,
    readonly hint: string | null = null,
  ) {
    super(message)
    this.name = 'AppError'
  }
}

export const badRequest = (message: string, details: string | null = null, hint: string | null = null) =>
  new AppError(400, 'invalid', message, details, hint)
export const unauthorized = (message = 'Sign in to continue') => new AppError(401, 'unauthorized', message)
export const forbidden = (message = 'You do not have permission to do this') => new AppError(403, 'forbidden', message)
export const notFound = (what: string) => new AppError(404, 'not_found', `${what} was not found`)
export const conflict = (message: string, details: string | null = null) =>
  new AppError(409, 'conflict', message, details)
export const notImplemented = (message: string) => new AppError(501, 'not_implemented', message)

/** Start-up problems: printed as one line, without a stack, and the process exits. */
export class StartupError extends Error {
  override name = 'StartupError'
}
