import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { csrfCookie, readCookie, setCookie } from './cookies.ts'
import { isSecure, publicOrigin } from './origin.ts'

/**
 * One secret per browser in a cookie, one token per flow derived from it. A flow remembers the secret's digest, so it
 * belongs to the browser that started it, and a token of one flow is worth nothing on another.
 */
const lifetime = 24 * 3600

/** Secrets set in this very request; its own Cookie header does not show them yet. */
const issued = new WeakMap<FastifyRequest, string>()

export const csrfSecret = (request: FastifyRequest): string | undefined =>
  issued.get(request) ?? readCookie(request, csrfCookie)

/** Gives the browser a new secret. Done at sign-in and sign-out: what was known before is worth nothing after. */
export function renewCsrf(ctx: Context, request: FastifyRequest, reply: FastifyReply): string {
  const secret = randomBytes(32).toString('base64url')
  issued.set(request, secret)
  setCookie(reply, csrfCookie, secret, { secure: isSecure(publicOrigin(ctx, request)), maxAge: lifetime })
  return secret
}

export const csrfToken = (secret: string, flowId: string): string =>
  createHmac('sha256', secret).update(`flow ${flowId}`).digest('base64url')

export const csrfDigest = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
