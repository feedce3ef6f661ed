import { normalizeEmail } from '@quarterdeck/contract/identity'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { AppError, StartupError, unauthorized } from '../../errors.ts'
import { authState } from '../auth-state.ts'
import { rawCookie, sessionCookie } from '../cookies.ts'
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

/** One request to Kratos; a Kratos that does not answer is a clear 502. */
export async function askKratos(ctx: Context, path: string, init: RequestInit = {}): Promise<Response> {
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

function notUnderstood(ctx: Context, status: number, reason?: unknown): AppError {
  ctx.log.error({ status, reason }, 'Kratos gave an answer that was not understood')
  return new AppError(502, 'identity_unavailable', 'The identity service gave an answer we do not understand.')
}

/** Who the session cookie belongs to, by Kratos' word, remembered for a few seconds. */
export async function remotePrincipal(ctx: Context, request: FastifyRequest): Promise<Principal | undefined> {
  const value = rawCookie(request, sessionCookie)
  if (!value) return undefined
  return authState(ctx).credentials.get(fingerprint('kratos', value), ctx.clock.now().getTime(), async () => {
    const answer = await whoami(ctx, { cookie: `${sessionCookie}=${value}` })
    return answer === 'half-way' ? undefined : answer
  })
}

/** The person behind a session at Kratos; half-way when it asks for a second factor. */
async function whoami(ctx: Context, headers: Record<string, string>): Promise<Principal | 'half-way' | undefined> {
  const answer = await askKratos(ctx, '/sessions/whoami', { headers: { accept: 'application/json', ...headers } })
  if (answer.status === 401) return undefined
  if (answer.status === 403 || answer.status === 422) return 'half-way'
  const session = RemoteSession.safeParse(await answer.json().catch(() => undefined))
  if (!answer.ok || !session.success) throw notUnderstood(ctx, answer.status, session.error?.issues)
  const { active, identity } = session.data
  if (!active || identity.state !== 'active') return undefined
  await mirrorIdentity(ctx, identity)
  return principalOf(ctx, identity.id)
}

/**
 * The person of a name and a password that a script sends with every request. It is signed in at Kratos once; then its
 * session there is looked at, as that of a browser is.
 */
export async function remotePrincipalByPassword(
  ctx: Context,
  identifier: string,
  password: string,
): Promise<Principal | undefined> {
  const { remoteTokens } = authState(ctx)
  const key = fingerprint('kratos password', identifier, password)
  const now = ctx.clock.now().getTime()
  let isNew = false
  const signedIn = () =>
    remoteTokens.get(key, now, () => {
      isNew = true
      return signInThere(ctx, identifier, password)
    })
  const look = async () => {
    const token = await signedIn()
    return token ? whoami(ctx, { 'x-session-token': token }) : undefined
  }
  let person = await look()
  if (person === undefined) {
    remoteTokens.drop(key)
    // The session ended there; whether the password still holds is another question.
    if (!isNew) person = await look()
  }
  if (person === 'half-way')
    throw unauthorized('This account has a second factor: use an access token instead of the password')
  return person
}

const ApiFlow = z.looseObject({ id: z.string() })
const ApiLogin = z.looseObject({ session_token: z.string() })

async function signInThere(ctx: Context, identifier: string, password: string): Promise<string | undefined> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const begun = await askKratos(ctx, '/self-service/login/api', { headers })
  const flow = ApiFlow.safeParse(await begun.json().catch(() => undefined))
  if (!begun.ok || !flow.success) throw notUnderstood(ctx, begun.status)
  const body = JSON.stringify({ method: 'password', identifier: normalizeEmail(identifier), password })
  const path = `/self-service/login?flow=${encodeURIComponent(flow.data.id)}`
  const answer = await askKratos(ctx, path, { method: 'POST', headers, body })
  if (answer.status >= 400 && answer.status < 500) return undefined
  const login = ApiLogin.safeParse(await answer.json().catch(() => undefined))
  if (!answer.ok || !login.success) throw notUnderstood(ctx, answer.status)
  return login.data.session_token
}
