import { normalizeEmail } from '@quarterdeck/contract/identity'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { AppError, notFound, StartupError } from '../../errors.ts'
import { authState } from '../auth-state.ts'
import { readCookie, sessionCookie } from '../cookies.ts'
import { principalOf } from '../directory.ts'
import { fingerprint } from '../fingerprint.ts'
import type { Principal } from '../principal.ts'
import { mirrorIdentity, RemoteSession } from './kratos-people.ts'

const timeoutMs = 10_000

export function kratosUrl(ctx: Pick<Context, 'config'>): string {
  const url = ctx.config.KRATOS_URL
  if (!url) throw new StartupError('QUARTERDECK_AUTH=kratos needs KRATOS_URL: the public address of Ory Kratos.')
  return url.replace(/\/+$/, '')
}

async function ask(ctx: Context, path: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(`${kratosUrl(ctx)}${path}`, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    ctx.log.error({ err: error }, 'Kratos does not answer')
    throw new AppError(502, 'identity_unavailable', 'The identity service does not answer. Try again in a moment.')
  }
}

/** Who the session cookie belongs to, by Kratos' word, remembered for a few seconds. */
export async function remotePrincipal(ctx: Context, request: FastifyRequest): Promise<Principal | undefined> {
  const cookie = request.headers.cookie
  if (!cookie || !cookie.includes(sessionCookie)) return undefined
  // Kratos' own cookies hold more characters than ours, so the header goes along as it came.
  const key = fingerprint('kratos', readCookie(request, sessionCookie) ?? cookie)
  return authState(ctx).credentials.get(key, ctx.clock.now().getTime(), async () => {
    const answer = await ask(ctx, '/sessions/whoami', { headers: { accept: 'application/json', cookie } })
    if (answer.status === 401 || answer.status === 403 || answer.status === 422) return undefined
    return personOf(ctx, answer)
  })
}

async function personOf(ctx: Context, answer: Response): Promise<Principal | undefined> {
  const session = RemoteSession.safeParse(await answer.json().catch(() => undefined))
  if (!answer.ok || !session.success) {
    throw new AppError(502, 'identity_unavailable', 'The identity service gave an answer we do not understand.')
  }
  const { active, identity } = session.data
  if (!active || identity.state !== 'active') return undefined
  await mirrorIdentity(ctx, identity)
  return principalOf(ctx, identity.id)
}

const ApiFlow = z.looseObject({ id: z.string(), ui: z.looseObject({ action: z.string() }) })
const ApiLogin = z.looseObject({ session: RemoteSession })

/** Signs in at Kratos on behalf of a script that sends a name and a password. */
export async function remotePrincipalByPassword(ctx: Context, identifier: string, password: string) {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const started = ApiFlow.safeParse(
    await (await ask(ctx, '/self-service/login/api', { headers })).json().catch(() => undefined),
  )
  if (!started.success)
    throw new AppError(502, 'identity_unavailable', 'The identity service gave an answer we do not understand.')
  const body = JSON.stringify({ method: 'password', identifier: normalizeEmail(identifier), password })
  const path = `/self-service/login?flow=${encodeURIComponent(started.data.id)}`
  const answer = await ask(ctx, path, { method: 'POST', headers, body })
  if (answer.status >= 400 && answer.status < 500) return undefined
  const login = ApiLogin.safeParse(await answer.json().catch(() => undefined))
  if (!login.success || !login.data.session.active) return undefined
  await mirrorIdentity(ctx, login.data.session.identity)
  return principalOf(ctx, login.data.session.identity.id)
}

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'content-encoding',
  'te',
  'trailer',
  'proxy-authorization',
  'proxy-authenticate',
  'authorization',
])

/** Passes a request under /.ory on to Kratos and its answer back, cookies and redirects included. */
export async function forwardToKratos(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = /\/(?:\.ory|kratos)(\/.*)?$/.exec(request.url)?.[1] ?? '/'
  // Dots must not lead out of the folder that Kratos answers in.
  if (!new URL(`${kratosUrl(ctx)}${path}`).href.startsWith(`${new URL(kratosUrl(ctx)).href.replace(/\/$/, '')}/`)) {
    throw notFound('The address')
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !hopByHop.has(name)) headers.set(name, value)
  }
  headers.set('x-forwarded-for', request.ip)
  headers.set('x-forwarded-proto', request.protocol)
  headers.set('x-forwarded-host', request.host)
  const isForm = (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
  const hasBody = request.body !== undefined && request.body !== null && !['GET', 'HEAD'].includes(request.method)
  const body = isForm
    ? new URLSearchParams(request.body as Record<string, string>).toString()
    : JSON.stringify(request.body)
  const answer = await ask(ctx, path, { method: request.method, headers, ...(hasBody ? { body } : {}) })
  void reply.code(answer.status)
  for (const [name, value] of answer.headers)
    if (!hopByHop.has(name) && name !== 'set-cookie') void reply.header(name, value)
  for (const cookie of answer.headers.getSetCookie()) void reply.header('set-cookie', cookie)
  return reply.send(Buffer.from(await answer.arrayBuffer()))
}
