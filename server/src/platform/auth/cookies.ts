import type { FastifyReply, FastifyRequest } from 'fastify'

export const sessionCookie = 'ory_kratos_session'
export const csrfCookie = 'csrf_token_quarterdeck'

/** One cookie's value as it came. */
export function rawCookie(request: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at >= 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

/** One cookie's value. Only the characters our own values have are let through, so garbage reads as absent. */
export function readCookie(request: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const value = rawCookie(request, name)
  return value !== undefined && /^[\w.-]{1,256}$/.test(value) ? value : undefined
}

interface CookieOptions {
  secure: boolean
  /** Seconds; 0 removes the cookie. */
  maxAge: number
}

/** Scripts never see our cookies, and other sites cannot send them along with their forms. */
export function setCookie(reply: FastifyReply, name: string, value: string, { secure, maxAge }: CookieOptions): void {
  const parts = [`${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${Math.floor(maxAge)}`]
  if (secure) parts.push('Secure')
  void reply.header('set-cookie', parts.join('; '))
}
