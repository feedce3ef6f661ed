import { z } from 'zod'
import { isUuid } from '../ids.ts'
import { open, type Route, route } from '../http/route.ts'
import { audit } from './audit.ts'
import { forgetPerson } from './auth-state.ts'
import { FlowError, secondFactorRequired, sessionInactive } from './flows/flow-errors.ts'
import { queryOf, selfServiceRoutes } from './flows/flow.routes.ts'
import type { FlowCall } from './flows/flow.ts'
import { data, visit } from './flows/handler.ts'
import { redirectTo } from './flows/respond.ts'
import { endSessionsOf, flowById, sessionsOf } from './identity.sql.ts'
import { identitySchema } from './identity-schema.ts'
import { isLogoutToken, logoutToken, presentSession, revokeSession, takeSession } from './sessions.ts'
import { safeReturnTo } from './return-to.ts'
import { webauthnScript } from './webauthn-script.ts'
import { type ActiveSession, isHalfWay } from './active-session.ts'

const get = (path: string, summary: string, work: (call: FlowCall) => unknown): Route =>
  route({ method: 'GET', path: `/.ory${path}`, access: open, summary, handle: data(work) })

function sessionOf(call: FlowCall): ActiveSession {
  if (!call.session) throw sessionInactive()
  return call.session
}

/** The session of somebody who has shown everything they must. */
function wholeSession(call: FlowCall): ActiveSession {
  const session = sessionOf(call)
  if (isHalfWay(session)) throw secondFactorRequired(call.base)
  return session
}

/** A session that can be ended; with sessions switched off there is none. */
function ownSession(call: FlowCall): ActiveSession {
  const session = sessionOf(call)
  if (session.tokenHash === '')
    throw new FlowError(401, 'session_inactive', 'Sessions are switched off on this server.')
  return session
}

async function signOut(call: FlowCall) {
  const session = ownSession(call)
  const query = queryOf(call)
  if (!isLogoutToken(session, query.get('token') ?? '')) {
    throw new FlowError(403, 'security_csrf_violation', 'The sign-out was not asked for by a page of this site.')
  }
  await revokeSession(call.ctx, session.identity.id, session.id)
  await audit(call.ctx.db, {
    action: 'signed_out',
    actor: session.principal,
    target: { type: 'identity', id: session.identity.id, name: session.identity.traits.email },
    details: { session: session.id },
    request: call.request,
  })
  takeSession(call.ctx, call.request, call.reply)
  const returnTo = safeReturnTo(query.get('return_to') || '/login', call.origin) ?? '/login'
  return call.json ? call.reply.code(204).send() : redirectTo(call, returnTo)
}

async function endOthers(call: FlowCall) {
  wholeSession(call)
  const session = ownSession(call)
  const count = await endSessionsOf(call.ctx.db, session.identity.id, session.id)
  forgetPerson(call.ctx, session.identity.id)
  if (count > 0) await recordEnd(call, session, { count })
  return { count }
}

async function endOne(call: FlowCall) {
  wholeSession(call)
  const session = ownSession(call)
  const { id } = call.request.params as { id: string }
  const ended = isUuid(id) && id !== session.id && (await revokeSession(call.ctx, session.identity.id, id))
  if (!ended) throw new FlowError(404, undefined, 'You have no other session with this id.')
  await recordEnd(call, session, { session: id })
  return call.reply.code(204).send()
}

const recordEnd = (call: FlowCall, session: ActiveSession, details: Record<string, unknown>) =>
  audit(call.ctx.db, {
    action: 'session_ended',
    actor: session.principal,
    target: { type: 'identity', id: session.identity.id, name: session.identity.traits.email },
    details,
    request: call.request,
  })

async function flowError(call: FlowCall) {
  const id = queryOf(call).get('id')
  const found = isUuid(id) ? await flowById<Record<string, unknown>>(call.ctx.db, 'error', id) : undefined
  if (!found) throw new FlowError(404, undefined, 'There is no such error.')
  if (found.expires_at <= call.ctx.clock.now())
    throw new FlowError(410, undefined, 'This error is too old to be shown.')
  const time = found.issued_at.toISOString()
  return { id: found.id, error: found.state, created_at: time, updated_at: time }
}

const nothing = () => {
  throw new FlowError(404, undefined, 'The identity service has no such address.')
}

/** The identity API, in the shapes of Ory Kratos' public one. */
export const identityRoutes: Route[] = [
  ...selfServiceRoutes,
  webauthnScript,
  get('/sessions/whoami', 'Answers the current session', (call) => {
    const session = sessionOf(call)
    if (isHalfWay(session)) throw secondFactorRequired(call.base)
    return presentSession(session, session.identity, call.base)
  }),
  get('/sessions', 'Lists the other sessions of the account', async (call) => {
    const session = wholeSession(call)
    const rows = await sessionsOf(call.ctx.db, session.identity.id, call.ctx.clock.now())
    return rows.filter(({ id }) => id !== session.id).map((row) => presentSession(row))
  }),
  route({
    method: 'DELETE',
    path: '/.ory/sessions',
    access: open,
    summary: 'Ends the other sessions of the account',
    handle: data(endOthers),
  }),
  route({
    method: 'DELETE',
    path: '/.ory/sessions/:id',
    access: open,
    summary: 'Ends one other session of the account',
    params: z.object({ id: z.string() }),
    handle: data(endOne),
  }),
  get('/self-service/logout/browser', 'Answers the token that signs out', (call) => {
    const session = ownSession(call)
    const token = logoutToken(session)
    return { logout_token: token, logout_url: `${call.base}/self-service/logout?token=${token}` }
  }),
  route({
    method: 'GET',
    path: '/.ory/self-service/logout',
    access: open,
    summary: 'Signs out',
    // Prefetchers ask with HEAD; only a real visit signs out.
    handle: visit((call) => (call.request.method === 'HEAD' ? call.reply.code(200).send() : signOut(call))),
  }),
  get('/self-service/errors', 'Answers an error by id', flowError),
  get('/schemas/default', 'The JSON schema of an identity', () => identitySchema),
  ...(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
    route({
      method,
      path: '/.ory/*',
      access: open,
      summary: 'Anything else of the identity service',
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: z.unknown() }),
      handle: data(nothing),
    }),
  ),
]
