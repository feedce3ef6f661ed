import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { authenticate } from '../../platform/auth/authenticate.ts'
import { principalOf } from '../../platform/auth/directory.ts'
import type { Principal } from '../../platform/auth/principal.ts'

/** A stream outlives its session by this much at most. */
const checkEveryMs = 5000

interface Watcher {
  changed(now: Principal): void
  ended(): void
}

/** Looks every few seconds whether whoever opened a stream may still read, and with which roles. */
export function watchSessions(ctx: Context, request: FastifyRequest, user: Principal, watcher: Watcher): () => void {
  const timer = setInterval(() => {
    stillGood(ctx, request, user).then(
      (now) => (now ? watcher.changed(now) : watcher.ended()),
      (error: unknown) => {
        // A refusal (token revoked, deactivated) ends the stream; a database that does not answer does not.
        if ((error as { status?: number }).status) watcher.ended()
        else ctx.log.debug({ err: error }, 'could not look whether a session still lives')
      },
    )
  }, checkEveryMs)
  return () => clearInterval(timer)
}

/** Does not go through the request's cookie for own sessions: that would count as use and keep an idle session alive. */
async function stillGood(ctx: Context, request: FastifyRequest, user: Principal): Promise<Principal | undefined> {
  if (user.sessionId === undefined || ctx.config.QUARTERDECK_AUTH === 'kratos') return authenticate(ctx, request)
  const session = await ctx.db.maybeOne('select from identity_sessions where id = $1 and active and expires_at > $2', [
    user.sessionId,
    ctx.clock.now(),
  ])
  const now = session && (await principalOf(ctx, user.id))
  return now && { ...now, sessionId: user.sessionId }
}
