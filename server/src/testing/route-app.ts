import type { Role } from '@quarterdeck/contract/permissions'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Context } from '../context.ts'
import { mountRoute } from '../platform/http/mount.ts'
import type { Route } from '../platform/http/route.ts'
import { createServer } from '../platform/http/server.ts'

/** A server with only these routes, where the header x-roles says who asks: for tests of single areas. */
export async function routeApp(ctx: Context, routes: readonly Route[]): Promise<FastifyInstance> {
  const app = await createServer({ log: ctx.log, trustedProxies: [] })
  for (const route of routes) {
    mountRoute(app, ctx, route, `/api${route.path}`, async (_, { headers }) =>
      typeof headers['x-roles'] === 'string'
        ? {
            kind: 'person',
            id: '00000000-0000-4000-8000-000000000001',
            name: 'System',
            email: null,
            roles: headers['x-roles'].split(',') as Role[],
          }
        : undefined,
    )
  }
  return app
}

/** Calls a route of such a server as somebody with this role; `undefined` is nobody. */
export async function callAs(
  app: FastifyInstance,
  role: Role | undefined,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
): Promise<{ status: number; body: unknown; response: LightMyRequestResponse }> {
  const headers = role ? { 'x-roles': role } : {}
  const response = await app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) })
  return { status: response.statusCode, body: response.body === '' ? undefined : response.json(), response }
}
