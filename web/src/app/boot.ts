import type { Capabilities } from '@quarterdeck/contract/capabilities'
import type { AuthMode } from '@/api/capabilities.ts'
import { ApiError, hasStatus } from '@/api/errors.ts'
import type { FlagProperty, Me } from '@/api/session.ts'
import { paths } from './paths.ts'

/** The part of a query that the start of the console looks at. */
export interface Answer<T> {
  data: T | undefined
  error: Error | null
}
export interface Answers {
  capabilities: Answer<Capabilities>
  session: Answer<unknown>
  me: Answer<Me>
  properties: Answer<FlagProperty[]>
}

export type Boot =
  | { kind: 'loading' }
  | { kind: 'go'; to: string }
  | { kind: 'provisioning' }
  | { kind: 'failed'; error: Error }
  | { kind: 'ready'; capabilities: Capabilities; me: Me; properties: FlagProperty[] }

export const usesFlows = (mode: AuthMode) => mode === 'builtin' || mode === 'kratos'

/** Where a failed session check leads; null means the failure is not about the session and is raised. */
export function afterFailedSession(error: Error, here: string): string | null {
  if (hasStatus(error, 401)) return paths.loginFor({ return_to: here })
  if (hasStatus(error, 403, 422)) return paths.loginFor({ aal: 'aal2', return_to: here })
  return null
}

/** What a failed whoami means. A hosted instance that is not there yet is being made; anything else is an error. */
export function afterFailedWhoami(error: Error, mode: AuthMode): Boot {
  const missing = error instanceof ApiError && (error.status === 404 || error.status >= 500)
  return mode === 'clerk' && missing ? { kind: 'provisioning' } : { kind: 'failed', error }
}

/**
 * What to show, given the answers that have come so far. All questions are asked at once; this decides which of them count.
 * `waitForFlags` is off only for the standalone topology view.
 */
export function bootOf(answers: Answers, here: string, waitForFlags = true): Boot {
  const { capabilities, session, me, properties } = answers
  // What is known stays known: a server that is away for a while does not take the page from people's eyes.
  if (!capabilities.data)
    return capabilities.error ? { kind: 'failed', error: capabilities.error } : { kind: 'loading' }
  const mode = capabilities.data.auth
  if (usesFlows(mode)) {
    if (session.error) {
      const to = afterFailedSession(session.error, here)
      return to === null ? { kind: 'failed', error: session.error } : { kind: 'go', to }
    }
    if (session.data === undefined) return { kind: 'loading' }
  }
  if (mode === 'clerk' && hasStatus(me.error, 401)) {
    // Whom the provider knows and the server does not would go round in circles between here and sign-in.
    const to = capabilities.data.hosted ? `${paths.error}?error_code=BAD_SESSION` : paths.loginFor({ return_to: here })
    return { kind: 'go', to }
  }
  if (!me.data) return me.error ? afterFailedWhoami(me.error, mode) : { kind: 'loading' }
  if (waitForFlags && !properties.data)
    return properties.error ? { kind: 'failed', error: properties.error } : { kind: 'loading' }
  return { kind: 'ready', capabilities: capabilities.data, me: me.data, properties: properties.data ?? [] }
}
