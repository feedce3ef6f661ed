import type { Context } from '../../context.ts'
import { type RateLimiter, rateLimiter } from './rate-limit.ts'
import type { Principal } from './principal.ts'
import type { ActiveSession } from './active-session.ts'
import { type TtlCache, ttlCache } from './ttl-cache.ts'

/** How long another process may still accept what was revoked here. */
const freshMs = 5000
const halfHourMs = 30 * 60_000

export interface AuthState {
  sessions: TtlCache<ActiveSession>
  /** Credentials that come with every request, by fingerprint. */
  credentials: TtlCache<Principal>
  people: TtlCache<Principal>
  limits: RateLimiter
  /** Sessions that scripts with a name and a password have at an identity service elsewhere. */
  remoteTokens: TtlCache<string>
}

const states = new WeakMap<object, AuthState>()

/** What this process remembers about who is signed in; one per database, shared by both listeners. */
export function authState(ctx: Pick<Context, 'db'>): AuthState {
  const found = states.get(ctx.db.pool)
  if (found) return found
  const made: AuthState = {
    sessions: ttlCache(freshMs, 10_000),
    credentials: ttlCache(freshMs, 10_000),
    people: ttlCache(freshMs, 10_000),
    limits: rateLimiter(ctx.db),
    remoteTokens: ttlCache(halfHourMs, 1000),
  }
  states.set(ctx.db.pool, made)
  return made
}

/** Forgets everything remembered about a person: call after a change of roles, state, password or tokens. */
export function forgetPerson(ctx: Pick<Context, 'db'>, personId: string): void {
  const state = authState(ctx)
  state.sessions.dropWhere((session) => session.identity.id === personId)
  state.credentials.dropWhere((principal) => principal.id === personId)
  state.people.drop(personId)
}
