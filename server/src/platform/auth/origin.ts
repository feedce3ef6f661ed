import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'

const host = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Where this server is reached: the setting when given, else what the request itself says. */
export function publicOrigin(ctx: Pick<Context, 'config'>, request: FastifyRequest): string {
  const { QUARTERDECK_PUBLIC_URL: fixed, HOST, PORT } = ctx.config
  if (fixed) return new URL(fixed).origin
  const asked = request.host
  return `${request.protocol}://${asked && host.test(asked) ? asked : `${HOST}:${PORT}`}`
}

/** Where the identity API answers for this caller: `https://host/api/.ory`, or `/kratos` on the second listener. */
export function identityBase(ctx: Pick<Context, 'config'>, request: FastifyRequest): string {
  const mounted = /^(.*?\/(?:\.ory|kratos))(?:\/|$)/.exec(request.url.split('?')[0] ?? '')?.[1] ?? '/api/.ory'
  return `${publicOrigin(ctx, request)}${mounted}`
}

export const isSecure = (origin: string): boolean => origin.startsWith('https:')
