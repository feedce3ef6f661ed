import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { badRequest, unauthorized } from '../errors.ts'
import { beginAttempt, nameOf } from './attempts.ts'
import { audit } from './audit.ts'
import { isHalfWay } from './active-session.ts'
import { authState } from './auth-state.ts'
import { verifyCredentials } from './credentials.ts'
import { principalOf, principalOfToken } from './directory.ts'
import { hasSecondFactor } from './factors.sql.ts'
import { fingerprint } from './fingerprint.ts'
import { hostedPrincipal, hostedPrincipalOfToken, isHostedToken } from './modes/clerk.ts'
import { remotePrincipal, remotePrincipalByPassword } from './modes/kratos.ts'
import { localSession } from './modes/none.ts'
import type { Principal } from './principal.ts'
import { currentSession } from './sessions.ts'
import { isKnownToken, parseToken, tokenValue } from './tokens.ts'

/**
 * Who makes this request. Undefined when it carries nothing, or a cookie that is no longer good; credentials that are
 * given and wrong throw, so that a script hears why.
 */
export async function authenticate(ctx: Context, request: FastifyRequest): Promise<Principal | undefined> {
  const given = request.headers.authorization
  if (given !== undefined) return byHeader(ctx, request, given)
  switch (ctx.config.QUARTERDECK_AUTH) {
    case 'none':
      return (await localSession(ctx))?.principal
    case 'kratos':
      return remotePrincipal(ctx, request)
    case 'clerk':
      return hostedPrincipal(ctx, request)
    default:
      return bySession(ctx, request)
  }
}

/** With a second factor to come nobody is signed in yet. */
async function bySession(ctx: Context, request: FastifyRequest): Promise<Principal | undefined> {
  const session = await currentSession(ctx, request)
  return session && !isHalfWay(session) ? session.principal : undefined
}

async function byHeader(ctx: Context, request: FastifyRequest, header: string): Promise<Principal> {
  const [scheme, rest = ''] = splitOnce(header.trim(), ' ')
  if (/^bearer$/i.test(scheme)) return byToken(ctx, request, rest.trim())
  if (!/^basic$/i.test(scheme)) throw unauthorized('Sign in with a session, basic authentication or an access token')
  const [user, password] = splitOnce(Buffer.from(rest, 'base64').toString('utf8'), ':')
  if (password === undefined) throw badRequest('The Authorization header is not valid')
  return user === 'token' ? byToken(ctx, request, password) : byPassword(ctx, request, user, password)
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

/** Requests that carry the same credentials at the same time are one attempt, and for a few seconds one look-up. */
async function remembered(ctx: Context, parts: string[], load: () => Promise<Principal>): Promise<Principal> {
  const now = ctx.clock.now().getTime()
  return (await authState(ctx).credentials.get(fingerprint(...parts), now, load)) as Principal
}

function byToken(ctx: Context, request: FastifyRequest, text: string): Promise<Principal> {
  if (ctx.config.QUARTERDECK_AUTH === 'clerk' && isHostedToken(text)) return hostedPrincipalOfToken(ctx, text)
  const token = parseToken(text)
  if (!token) throw badRequest('invalid access token', 'A token has five fields separated by dots.')
  return remembered(ctx, ['token', text], async () => {
    // A token that was hashed before is no new guess, so busy scripts cost nothing here and are never locked out.
    const attempt = isKnownToken(token) ? undefined : await beginAttempt(ctx, request)
    const found = await principalOfToken(ctx.db, await tokenValue(token), ctx.clock.now())
    if (found?.expired) throw unauthorized('access token has expired')
    if (!found?.principal) {
      if (attempt) await recordFailure(ctx, request, 'access token', null)
      throw unauthorized('This access token is not known')
    }
    await attempt?.succeeded()
    return found.principal
  })
}

function byPassword(ctx: Context, request: FastifyRequest, user: string, password: string): Promise<Principal> {
  const wrong = () => unauthorized('The name or the password is not right')
  if (ctx.config.QUARTERDECK_AUTH === 'clerk') throw unauthorized('Nobody has a password here: use an access token')
  if (user === '' || user.includes('\0') || user.length > 254 || password === '' || password.length > 2048)
    throw wrong()
  return remembered(ctx, ['password', user, password], async () => {
    const attempt = await beginAttempt(ctx, request, user.toLowerCase())
    const principal = await personOf(ctx, user, password)
    if (!principal) {
      await recordFailure(ctx, request, 'basic', nameOf(user.toLowerCase()))
      throw wrong()
    }
    await attempt.succeeded()
    return principal
  })
}

const recordFailure = (ctx: Context, request: FastifyRequest, method: string, name: string | null) =>
  audit(ctx.db, {
    action: 'sign_in_failed',
    outcome: 'failure',
    target: { type: 'identity', name },
    details: { method, reason: 'wrong' },
    request,
  })

async function personOf(ctx: Context, identifier: string, password: string): Promise<Principal | undefined> {
  if (ctx.config.QUARTERDECK_AUTH === 'kratos') return remotePrincipalByPassword(ctx, identifier, password)
  const verdict = await verifyCredentials(ctx, { identifier, password, repeated: true })
  if (verdict.kind !== 'ok') return undefined
  if (await hasSecondFactor(ctx.db, verdict.identityId))
    throw unauthorized('This account has a second factor: use an access token instead of the password')
  return principalOf(ctx, verdict.identityId)
}
