import { livePositionHeader } from '@quarterdeck/contract/live-position'
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'

/** Tells a console that starts where its stream of changes begins. Call it before reading what the answer holds. */
export async function tellPosition(ctx: Context, reply: FastifyReply): Promise<void> {
  reply.header(livePositionHeader, await ctx.live.position())
}
