import { ApiError, messageOf } from './errors.ts'

type Show = (message: string) => void
let show: Show = () => {}
const told = new WeakSet<object>()

/** Where failures are shown; the shell registers its toasts once. */
export function onReport(sink: Show) {
  show = sink
}

/**
 * Tells the person about a failure, once: an error that was told already, here or by its own text, stays quiet.
 * A lost session is not told, because the visitor is on the way to the sign-in page.
 */
export function report(error: unknown, message?: string) {
  if (typeof error === 'object' && error !== null) {
    if (told.has(error)) return
    told.add(error)
  }
  if (error instanceof ApiError && error.status === 401) return
  show(message ?? messageOf(error))
}
