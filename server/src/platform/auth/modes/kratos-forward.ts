import { normalizeEmail } from '@quarterdeck/contract/identity'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { notFound } from '../../errors.ts'
import { forms } from '../../http/raw-form.ts'
import { type Attempt, beginAttempt } from '../attempts.ts'
import { sessionCookie } from '../cookies.ts'
import { flatten } from '../flows/input.ts'
import { identityBase, isSecure, publicOrigin } from '../origin.ts'
import { askKratos, kratosUrl } from './kratos.ts'

/** Between two neighbours only, said anew by us, or not Kratos' business: our access tokens. */
const kept = new Set([
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** What a visitor could use to pass for another address. */
const isAboutVisitor = (name: string) => /^(?:x-forwarded-|x-real-ip$|true-client-ip$|forwarded$)/.test(name)
/** Which origins may read our answers is ours to say. */
const isAboutOrigins = (name: string) => name.startsWith('access-control-')

/**
 * Passes a request under /.ory on to Kratos and its answer back. To the browser the identity service is here: addresses
 * that lead to Kratos itself lead to us, and its cookies are ours.
 */
export async function forwardToKratos(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = /\/(?:\.ory|kratos)(\/.*)?$/.exec(request.url)?.[1] ?? '/'
  const there = kratosUrl(ctx)
  // Dots must not lead out of the folder that Kratos answers in.
  if (!new URL(`${there}${path}`).href.startsWith(`${new URL(there).href.replace(/\/$/, '')}/`)) {
    throw notFound('The address')
  }
  const attempt = await attemptOf(ctx, request, path)
  const answer = await askKratos(ctx, path, {
    method: request.method,
    headers: headersFor(request),
    ...bodyOf(request),
  })
  if (attempt && isSignedIn(answer)) await attempt.succeeded()
  const here = identityBase(ctx, request)
  void reply.code(answer.status)
  for (const [name, value] of answer.headers) {
    if (kept.has(name) || name === 'set-cookie' || isAboutOrigins(name)) continue
    void reply.header(name, name === 'location' ? moved(value, there, here) : value)
  }
  const origin = publicOrigin(ctx, request)
  for (const cookie of answer.headers.getSetCookie()) void reply.header('set-cookie', ownCookie(cookie, origin))
  const isJson = (answer.headers.get('content-type') ?? '').includes('json')
  if (!isJson) return reply.send(Buffer.from(await answer.arrayBuffer()))
  return reply.send((await answer.text()).replaceAll(`"${there}/`, `"${here}/`))
}

const guessed = ['password', 'totp_code', 'lookup_secret', 'code']

/** Kratos bounds no guesses, so we do, as if the passwords were ours. */
async function attemptOf(ctx: Context, request: FastifyRequest, path: string): Promise<Attempt | undefined> {
  if (request.method !== 'POST' || !/^\/self-service\/login(?:\?|$)/.test(path)) return undefined
  const fields = flatten(request.body)
  if (!guessed.some((name) => fields.get(name))) return undefined
  const identifier = fields.get('identifier')
  return beginAttempt(ctx, request, identifier ? normalizeEmail(identifier).slice(0, 254) : undefined)
}

/** Scripts hear of success by 200, forms by the cookie that comes with a redirect. */
const isSignedIn = (answer: Response): boolean =>
  answer.status === 200 || answer.headers.getSetCookie().some((line) => line.startsWith(`${sessionCookie}=`))

function headersFor(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !kept.has(name) && !isAboutVisitor(name)) headers.set(name, value)
  }
  headers.set('x-forwarded-for', request.ip)
  headers.set('x-forwarded-proto', request.protocol)
  headers.set('x-forwarded-host', request.host)
  return headers
}

function bodyOf(request: FastifyRequest): { body?: string } {
  if (['GET', 'HEAD'].includes(request.method)) return {}
  const form = forms.get(request)
  if (form !== undefined) return { body: form }
  return request.body === undefined || request.body === null ? {} : { body: JSON.stringify(request.body) }
}

const moved = (location: string, there: string, here: string): string =>
  location === there || location.startsWith(`${there}/`) ? `${here}${location.slice(there.length)}` : location

/** A browser takes no cookie for a domain it is not at; over TLS it should send ours nowhere else. */
function ownCookie(cookie: string, origin: string): string {
  const { hostname } = new URL(origin)
  const domain = /;\s*domain=\.?([^;\s]+)/i.exec(cookie)?.[1]?.toLowerCase()
  const fits = domain === undefined || hostname === domain || hostname.endsWith(`.${domain}`)
  const own = fits ? cookie : cookie.replace(/;\s*domain=[^;]*/i, '')
  return isSecure(origin) && !/;\s*secure\b/i.test(own) ? `${own}; Secure` : own
}
