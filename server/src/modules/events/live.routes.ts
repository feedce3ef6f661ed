import type { OutgoingHttpHeaders } from 'node:http'
import type { Principal } from '../../platform/auth/principal.ts'
import { conflict } from '../../platform/errors.ts'
import { newestChange } from '../../platform/events/live.sql.ts'
import { type Position, readPosition } from '../../platform/events/position.ts'
import { type EventStream, openStream } from '../../platform/events/stream.ts'
import { type Route, route, signedIn } from '../../platform/http/route.ts'
import { maySee } from './visible.ts'
import { watchSession } from './watch-sessions.ts'

/** Streams of one process; beyond it, consoles fall back to polling. */
const maxStreams = 1000

const open = new Set<EventStream>()

/** Closes all streams of this process, so that a server that stops need not wait for them. */
export function closeStreams(): void {
  for (const stream of open) stream.close()
}

/** One stream of changes per console. The answer never ends by itself, except with the session. */
export function liveRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/events',
      access: signedIn,
      summary: 'Stream of changes (server-sent events): which relations changed, and which of their rows',
      async handle({ ctx, user, request, reply }) {
        if (open.size >= maxStreams) throw conflict('Too many streams are open on this server; try again later')
        const asked = askedPosition(
          request.headers['last-event-id'],
          (request.query as { lastEventId?: unknown }).lastEventId,
        )
        const startId = await newestChange(ctx.db)

        reply.hijack()
        const response = reply.raw
        response.writeHead(200, {
          ...(reply.getHeaders() as OutgoingHttpHeaders),
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store, no-transform',
          'x-accel-buffering': 'no',
          'x-content-type-options': 'nosniff',
        })
        response.flushHeaders()
        request.raw.socket.setNoDelay(true)
        request.raw.socket.setTimeout(0)

        const stream = openStream(response, { startId: asked?.id ?? startId })
        open.add(stream)
        let reader: Principal = user
        const unsubscribe = ctx.live.subscribe({
          change: (id, change) => (maySee(reader, change.relation) ? stream.change(id, change) : stream.skip(id)),
          missed: () => stream.refetch(),
        })
        const unwatch = watchSession(ctx, {
          request,
          user,
          changed: (now) => void (reader = now),
          ended: () => stream.end(),
        })
        stream.onClose(() => {
          open.delete(stream)
          unsubscribe()
          unwatch()
        })

        if (asked !== undefined) {
          const missed = await ctx.live.changesAfter(asked)
          if (!missed) stream.refetch()
          for (const change of missed ?? []) {
            if (maySee(reader, change.relation)) stream.change(change.id, change)
            else stream.skip(change.id)
          }
        }
        return reply
      },
    }),
  ]
}

/** Where a console begins: what it last heard, or where it was before its first reads. The browser's own word is newer. */
const askedPosition = (header: unknown, query: unknown): Position | undefined =>
  readPosition(typeof header === 'string' && header !== '' ? header : query)
