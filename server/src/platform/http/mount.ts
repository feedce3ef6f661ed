import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Principal } from '../auth/principal.ts'
import { demand } from './access.ts'
import { invalid } from './error-answer.ts'
import type { Route } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes the request, once it has been looked up. */
    principal: Principal | undefined
  }
}

export type Authenticate = (ctx: Context, request: FastifyRequest) => Promise<Principal | undefined>

/** Registers one route: who may, then what comes in, then the call. The body is not read for those who may not. */
export function mountRoute(
  app: FastifyInstance,
  ctx: Context,
  route: Route,
  path: string,
  authenticate: Authenticate,
): void {
  app.route({
    method: route.method,
    url: path,
    bodyLimit: route.bodyLimit,
    onRequest: async (request) => {
      if (route.access.kind === 'public') return
      request.principal ??= await authenticate(ctx, request)
      demand(route.access, request.principal)
    },
    handler: async (request, reply) => {
      const input = parseInput(route, request, reply)
      if (!input) return reply
      const call = { ctx, user: request.principal as Principal, request, reply, ...input }
      const answer = await route.handle(call as never)
      if (reply.sent || answer === reply) return reply
      return answer === undefined ? reply.code(204).send() : reply.send(answer)
    },
  })
}

const parts = ['params', 'query', 'body'] as const

function parseInput(route: Route, request: FastifyRequest, reply: FastifyReply): Record<string, unknown> | undefined {
  const input: Record<string, unknown> = {}
  for (const part of parts) {
    const schema: z.ZodType | undefined = route[part]
    if (!schema) continue
    const parsed = schema.safeParse(request[part])
    if (!parsed.success) {
      const answer = invalid(part, parsed.error)
      void reply.code(answer.status).send(answer.body)
      return undefined
    }
    input[part] = parsed.data
  }
  return input
}
