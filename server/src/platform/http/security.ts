import type { FastifyInstance, FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'
import { isTrusted } from './cors.ts'

/** Scripts only from our own files; styles inline too, because charts and the editor place things with them. */
const policy = (scripts: string, hosted?: string) =>
  [
    "default-src 'self'",
    // The hosted identity provider brings its forms, and the riddle of the company it trusts, from its own hosts.
    `script-src ${scripts}${hosted ? ` ${hosted} https://challenges.cloudflare.com` : ''}`,
    `worker-src 'self'${hosted ? ' blob:' : ''}`,
    ...(hosted ? ["frame-src 'self' https://challenges.cloudflare.com"] : []),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "font-src 'self' data:",
    // An organisation of the hosted provider may have its backend anywhere.
    `connect-src 'self'${hosted ? ' https:' : ''}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
/** Whatever the API answers is data, never a document to run. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

/** On every answer there is. */
export const always = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/** `hosted`: where the hosted identity provider is, when there is one. */
export function addSecurityHeaders(app: FastifyInstance, snippets = false, hosted?: string): void {
  // Evaluation only where the operator lets a property of the server's own file run script.
  const pagePolicy = policy(snippets ? "'self' 'unsafe-eval'" : "'self'", hosted)
  app.addHook('onSend', async (request, reply) => {
    reply.headers(always)
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html')
    if (!reply.hasHeader('content-security-policy'))
      reply.header('content-security-policy', isPage ? pagePolicy : dataPolicy)
    // Over plain HTTP browsers ignore it, and a test of the product on localhost must not bind the whole host to HTTPS.
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
  })
}

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

interface WriteRules {
  /** Origins whose pages may write with our cookies. */
  origins: readonly string[]
  /** Nobody signs in, so that every request counts as somebody's, with or without cookies. */
  ambient: boolean
}

/**
 * Refuses writes that another site makes a browser send in somebody's name. Clients that are no browsers send neither
 * header, and a page that brings a token of its own acts in its own name.
 */
export function refuseForeignWrites(app: FastifyInstance, { origins, ambient }: WriteRules): void {
  app.addHook('onRequest', async (request) => {
    const { cookie, authorization } = request.headers
    const isInName = cookie !== undefined || (ambient && authorization === undefined)
    if (reading.has(request.method) || !isInName) return
    if (isForeign(request, origins)) throw forbidden('This request was made by a page of another site')
  })
}

function isForeign(request: FastifyRequest, origins: readonly string[]): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site === 'same-origin' || site === 'none') return false
  if (origin !== undefined && isTrusted(origins, origin)) return false
  if (site !== undefined) return true
  if (origin === undefined) return false
  try {
    return new URL(origin).host !== request.host
  } catch {
    return true
  }
}
