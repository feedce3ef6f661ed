import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Sql } from '../db/db.ts'
import { newId } from '../ids.ts'
import type { ActiveSession } from './active-session.ts'
import { authState } from './auth-state.ts'
import { readCookie, sessionCookie, setCookie } from './cookies.ts'
import { renewCsrf, sameText } from './csrf.ts'
import { principalOf } from './directory.ts'
import {
  type AuthenticationMethod,
  endSession,
  extendSession,
  type IdentityJson,
  type IdentityRow,
  insertSession,
  liveSession,
  type SessionRow,
  writeProofs,
} from './identity.sql.ts'
import { isListed } from './modes/plain.ts'
import { isSecure, publicOrigin } from './origin.ts'

const hour = 3_600_000
/** A session ends a day after its last use, and two weeks after the sign-in in any case. */
const idleMs = 24 * hour
const longestMs = 14 * 24 * hour

const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The session of the request's cookie, when it may still be used. */
export async function currentSession(ctx: Context, request: FastifyRequest): Promise<ActiveSession | undefined> {
  const token = readCookie(request, sessionCookie)
  if (!token) return undefined
  const tokenHash = hashToken(token)
  const now = ctx.clock.now()
  const session = await authState(ctx).sessions.get(tokenHash, now.getTime(), async () => {
    const row = await liveSession(ctx.db, tokenHash, now)
    const principal = row && (await principalOf(ctx, row.identity.id))
    if (!row || !principal) return undefined
    if (ctx.config.QUARTERDECK_AUTH === 'plain' && !(await isListed(ctx, principal))) return undefined
    await slide(ctx, row, now)
    return { ...row, tokenHash, principal: { ...principal, sessionId: row.id } }
  })
  return session && session.expires_at > now ? session : undefined
}

/** Moves the end of a session that is in use; at most once an hour, so reads stay reads. */
async function slide(ctx: Context, session: SessionRow, now: Date): Promise<void> {
  const latest = session.authenticated_at.getTime() + longestMs
  const until = new Date(Math.min(now.getTime() + idleMs, latest))
  if (until.getTime() - session.expires_at.getTime() < hour) return
  await extendSession(ctx.db, session.id, until)
  session.expires_at = until
}

export interface SignIn {
  identityId: string
  method: string
  /** What the method proves; a second factor counts only on top of a first. */
  aal?: 'aal1' | 'aal2'
  /** What the same person proved in the session that this one replaces. */
  before?: readonly AuthenticationMethod[]
  request: FastifyRequest
}

/** What was proven before and now. A method that is repeated counts from now on. */
function proofs(given: Pick<SignIn, 'method' | 'aal' | 'before'>, now: Date): AuthenticationMethod[] {
  const { method, aal = 'aal1', before = [] } = given
  return [...before.filter((entry) => entry.method !== method), { method, aal, completed_at: now.toISOString() }]
}

const levelOf = (amr: readonly AuthenticationMethod[]): 'aal1' | 'aal2' =>
  amr.some(({ aal }) => aal === 'aal1') && amr.some(({ aal }) => aal === 'aal2') ? 'aal2' : 'aal1'

/** Writes a new session with a token nobody has seen before; hand the token over with `giveSession`. */
export async function openSession(ctx: Context, sql: Sql, { identityId, request, ...proof }: SignIn) {
  const token = randomBytes(32).toString('base64url')
  const now = ctx.clock.now()
  const amr = proofs(proof, now)
  const row = {
    id: newId(now.getTime()),
    issued_at: now,
    expires_at: new Date(now.getTime() + idleMs),
    authenticated_at: now,
    aal: levelOf(amr),
    amr,
    active: true,
    user_agent: (request.headers['user-agent'] ?? '').slice(0, 500) || null,
    ip: request.ip,
  }
  await insertSession(sql, { ...row, identity_id: identityId, token_hash: hashToken(token) })
  await sql.run('update people set last_login = $2 where id = $1', [identityId, now])
  return { row, token }
}

/** Whoever just set up a second factor has shown it, so that this session need not ask for it again. */
export async function raiseSession(ctx: Context, sql: Sql, session: SessionRow, method: string): Promise<void> {
  const amr = proofs({ method, aal: 'aal2', before: session.amr }, ctx.clock.now())
  await writeProofs(sql, session.id, levelOf(amr), amr)
}

export interface Handover {
  request: FastifyRequest
  reply: FastifyReply
  token: string
  identityId: string
}

/** Sets the cookie. A session the browser came with is ended, so that no usable one is left behind unseen. */
export async function giveSession(ctx: Context, { request, reply, token, identityId }: Handover): Promise<void> {
  const previous = await currentSession(ctx, request)
  if (previous) await revokeSession(ctx, previous.identity.id, previous.id)
  const secure = isSecure(publicOrigin(ctx, request))
  setCookie(reply, sessionCookie, token, { secure, maxAge: longestMs / 1000 })
  // Somebody who only confirmed who they are goes on with the forms they had open.
  if (previous?.identity.id !== identityId) renewCsrf(ctx, request, reply)
}

/** Removes the cookie. */
export function takeSession(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  setCookie(reply, sessionCookie, '', { secure: isSecure(publicOrigin(ctx, request)), maxAge: 0 })
  renewCsrf(ctx, request, reply)
}

/** Ends one session; at once here, within seconds in other processes. */
export async function revokeSession(ctx: Context, identityId: string, id: string): Promise<boolean> {
  const ended = await endSession(ctx.db, id, identityId)
  authState(ctx).sessions.dropWhere((session) => session.id === id)
  return ended > 0
}

/** Proves that a sign-out was asked for by our own page; worth nothing without the session's cookie. */
export const logoutToken = (session: ActiveSession): string =>
  createHmac('sha256', session.tokenHash).update(`logout ${session.id}`).digest('base64url')

export const isLogoutToken = (session: ActiveSession, given: string): boolean => sameText(logoutToken(session), given)

/** The session as the identity API shows it; `base` is where that API is. */
export function presentSession(session: SessionRow, identity?: IdentityRow | IdentityJson, base = '') {
  return {
    id: session.id,
    active: session.active,
    expires_at: session.expires_at.toISOString(),
    issued_at: session.issued_at.toISOString(),
    authenticated_at: session.authenticated_at.toISOString(),
    authenticator_assurance_level: session.aal,
    authentication_methods: session.amr,
    ...(identity ? { identity: presentIdentity(identity, base) } : {}),
    devices: [{ id: session.id, ip_address: session.ip ?? '', user_agent: session.user_agent ?? '', location: '' }],
  }
}

const iso = (time: Date | string): string => new Date(time).toISOString()

export const presentIdentity = (identity: IdentityRow | IdentityJson, base: string) => ({
  id: identity.id,
  schema_id: identity.schema_id,
  schema_url: `${base}/schemas/${identity.schema_id}`,
  state: identity.state,
  state_changed_at: iso(identity.state_changed_at),
  traits: identity.traits,
  created_at: iso(identity.created_at),
  updated_at: iso(identity.updated_at),
  verifiable_addresses: [
    {
      id: identity.id,
      value: identity.traits.email,
      via: 'email',
      verified: identity.verified_at !== null,
      status: identity.verified_at === null ? 'pending' : 'completed',
      ...(identity.verified_at === null ? {} : { verified_at: iso(identity.verified_at) }),
    },
  ],
  recovery_addresses: [{ id: identity.id, value: identity.traits.email, via: 'email' }],
})
