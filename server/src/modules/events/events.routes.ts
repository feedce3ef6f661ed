import { z } from 'zod'
import { audit } from '../../platform/auth/audit.ts'
import { notFound } from '../../platform/errors.ts'
import { anyOf, type Route, route } from '../../platform/http/route.ts'
import { discardEvent, discardFailed, retryEvent, retryFailed } from './events.sql.ts'

const ById = z.object({ id: z.uuid() })
const ByName = z.object({ name: z.string().min(1).max(200) })
const Count = z.object({ count: z.number().int() })

/** Failed events wait for a person: once more, or away with them. */
export function eventRoutes(): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/event-queue/:id/retry',
      access: anyOf('admin'),
      summary: 'Handle a failed event once more',
      params: ById,
      output: z.object({ name: z.string() }),
      handle: ({ ctx, user, params, request }) =>
        ctx.db.tx(async (sql) => {
          const event = await retryEvent(sql, params.id)
          if (!event) throw notFound('The event')
          await audit(sql, {
            action: 'event_retried',
            actor: user,
            target: { type: 'event', id: params.id, name: event.name },
            request,
          })
          return event
        }),
    }),
    route({
      method: 'DELETE',
      path: '/v1/event-queue/:id',
      access: anyOf('admin'),
      summary: 'Take an event off the queue',
      params: ById,
      output: z.object({ name: z.string() }),
      handle: ({ ctx, user, params, request }) =>
        ctx.db.tx(async (sql) => {
          const event = await discardEvent(sql, params.id)
          if (!event) throw notFound('The event')
          await audit(sql, {
            action: 'event_discarded',
            actor: user,
            target: { type: 'event', id: params.id, name: event.name },
            request,
          })
          return event
        }),
    }),
    route({
      method: 'POST',
      path: '/v1/event-queue/retry',
      access: anyOf('admin'),
      summary: 'Handle all failed events of one name once more',
      body: ByName,
      output: Count,
      handle: ({ ctx, user, body, request }) =>
        ctx.db.tx(async (sql) => {
          const count = await retryFailed(sql, body.name)
          await audit(sql, {
            action: 'event_retried',
            actor: user,
            target: { type: 'event', name: body.name },
            details: { count },
            request,
          })
          return { count }
        }),
    }),
    route({
      method: 'DELETE',
      path: '/v1/event-queue',
      access: anyOf('admin'),
      summary: 'Take all failed events of one name off the queue',
      query: ByName,
      output: Count,
      handle: ({ ctx, user, query, request }) =>
        ctx.db.tx(async (sql) => {
          const count = await discardFailed(sql, query.name)
          await audit(sql, {
            action: 'event_discarded',
            actor: user,
            target: { type: 'event', name: query.name },
            details: { count },
            request,
          })
          return { count }
        }),
    }),
  ]
}
