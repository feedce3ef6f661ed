import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Context } from '../context.ts'
import { authenticate } from '../platform/auth/authenticate.ts'
import { mountRoute } from '../platform/http/mount.ts'
import type { Route } from '../platform/http/route.ts'
import { createServer } from '../platform/http/server.ts'

/** A server of only these routes, under /api as in the product. Close it when done. */
export async function testServer(ctx: Context, routes: readonly Route[]): Promise<FastifyInstance> {
  const app = await createServer({ log: ctx.log, trustedProxies: ['loopback'] })
  for (const route of routes) mountRoute(app, ctx, route, `/api${route.path}`, authenticate)
  return app
}

export interface Browser {
  /** Name → value, as a browser would hold them. */
  cookies: Map<string, string>
  send(options: InjectOptions): Promise<LightMyRequestResponse>
}

/** Keeps cookies between requests, as a browser does. */
export function browser(app: FastifyInstance): Browser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async send(options) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { accept: 'application/json', ...(cookie ? { cookie } : {}), ...options.headers }
      const answer = await app.inject({ ...options, headers })
      for (const set of answer.cookies) {
        if (set.maxAge === 0 || set.value === '') cookies.delete(set.name)
        else cookies.set(set.name, set.value)
      }
      return answer
    },
  }
}
