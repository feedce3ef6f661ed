import { effectiveRoles } from '@quarterdeck/contract/permissions'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { authenticate } from '../../platform/auth/authenticate.ts'
import type { Principal } from '../../platform/auth/principal.ts'
import { activeRoles, liveSessions } from './sessions.sql.ts'

/** A stream outlives its session by this much at most. */
const lookEveryMs = 5000
/** Credentials sent with the request cost much to check again, so they are checked less often. */
const authenticateEvery = 12

interface Watcher {
  request: FastifyRequest
  user: Principal
  changed(now: Principal): void
  ended(): void
}

interface Watch {
  watchers: Set<Watcher>
  timer: NodeJS.Timeout
  round: number
}
const watches = new WeakMap<object, Watch>()

/**
 * Looks every few seconds whether those who opened streams may still read, and with which roles: two queries for all of
 * them together.
 */
export function watchSession(ctx: Context, watcher: Watcher): () => void {
  const { pool } = ctx.db
  const watch = watches.get(pool) ?? begin(ctx)
  watch.watchers.add(watcher)
  return () => {
    watch.watchers.delete(watcher)
    if (watch.watchers.size > 0 || watches.get(pool) !== watch) return
    clearInterval(watch.timer)
    watches.delete(pool)
  }
}

function begin(ctx: Context): Watch {
  const watch: Watch = {
    watchers: new Set(),
    round: 0,
    timer: setInterval(() => {
      look(ctx, watch).catch((error: unknown) =>
        ctx.log.debug({ err: error }, 'could not look which sessions still live'),
      )
    }, lookEveryMs),
  }
  watches.set(ctx.db.pool, watch)
  return watch
}

async function look(ctx: Context, watch: Watch): Promise<void> {
  const watchers = [...watch.watchers]
  const again = ++watch.round % authenticateEvery === 0
  // Sessions of our own are looked up by id: going through the cookie would count as use and keep an idle one alive.
  const isOwn = ({ user }: Watcher) => user.sessionId !== undefined && ctx.config.QUARTERDECK_AUTH !== 'kratos'
  const sessions = await liveSessions(
    ctx.db,
    watchers.filter(isOwn).map(({ user }) => user.sessionId!),
    ctx.clock.now(),
  )
  const roles = await activeRoles(ctx.db, [...new Set(watchers.map(({ user }) => user.id))])
  for (const watcher of watchers) {
    const { user } = watcher
    const held = roles.get(user.id)
    const lives =
      held !== undefined &&
      (isOwn(watcher) ? sessions.has(user.sessionId!) : !again || (await isAccepted(ctx, watcher)))
    if (lives) watcher.changed({ ...user, roles: effectiveRoles(held) })
    else watcher.ended()
  }
}

async function isAccepted(ctx: Context, { request }: Watcher): Promise<boolean> {
  try {
    return (await authenticate(ctx, request)) !== undefined
  } catch (error) {
    // A refusal ends the stream; a service that does not answer does not.
    return (error as { status?: number }).status === undefined
  }
}
