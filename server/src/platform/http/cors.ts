import { livePositionHeader } from '@quarterdeck/contract/live-position'
import type { FastifyInstance } from 'fastify'
import { errorBody } from './error-answer.ts'

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** What clients of this API send beyond what every page may. */
const accepted = [
  'accept-profile',
  'authorization',
  'content-profile',
  'content-type',
  'if-match',
  'if-none-match',
  'last-event-id',
  'prefer',
  'range',
  'range-unit',
  'x-request-id',
].join(', ')
/** What they read: paging, places, waits, and where the stream of changes begins. */
const exposed = [
  'content-disposition',
  'content-location',
  'content-range',
  'etag',
  'location',
  'preference-applied',
  'range-unit',
  'retry-after',
  'x-request-id',
  livePositionHeader,
].join(', ')

/**
 * Lets consoles of other origins read answers. An origin is compared as a whole. `*` lets every page in that brings a
 * token of its own, never with cookies.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'origin')
    const { origin } = request.headers
    if (origin === undefined) return
    const isListed = isTrusted(origins, origin)
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (isListed || origins.includes('*')) {
      reply.headers({
        'access-control-allow-origin': isListed ? origin : '*',
        ...(isListed ? { 'access-control-allow-credentials': 'true' } : {}),
        'access-control-expose-headers': exposed,
      })
      if (!isPreflight) return
      return reply
        .headers({
          'access-control-allow-methods': methods,
          'access-control-allow-headers': accepted,
          'access-control-max-age': '3600',
        })
        .code(204)
        .send()
    }
    if (!isPreflight) return
    const words = 'Pages of this origin may not use this server. QUARTERDECK_ALLOWED_ORIGINS lists those that may.'
    return reply.code(403).send(errorBody('forbidden', words))
  })
}

/** Whether an origin is named; `*` names nobody. */
export const isTrusted = (origins: readonly string[], origin: string): boolean =>
  origin !== '*' && origins.includes(origin)
