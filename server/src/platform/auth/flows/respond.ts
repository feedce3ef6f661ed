import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { newId } from '../../ids.ts'
import { insertFlow } from '../identity.sql.ts'
import { identityBase, publicOrigin } from '../origin.ts'
import { localSession } from '../modes/none.ts'
import { currentSession } from '../sessions.ts'
import type { FlowError } from './flow-errors.ts'
import type { FlowCall, FlowKind } from './flow.ts'

/** Scripts ask for JSON by name; a browser that follows a link or sends a form asks for a page. */
function wantsJson(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? ''
  const [json, page] = [accept.search(/application\/(?:[\w.-]+\+)?json/i), accept.search(/text\/html/i)]
  if (json >= 0) return page < 0 || json < page
  return page < 0 && (request.headers['content-type'] ?? '').startsWith('application/json')
}

export async function flowCall(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FlowCall> {
  const [origin, base] = [publicOrigin(ctx, request), identityBase(ctx, request)]
  const session = await (ctx.config.QUARTERDECK_AUTH === 'none' ? localSession(ctx) : currentSession(ctx, request))
  void reply.header('cache-control', 'private, no-cache, no-store, must-revalidate')
  return { ctx, request, reply, origin, base, json: wantsJson(request), session }
}

export const redirectTo = (call: FlowCall, location: string): FastifyReply => call.reply.redirect(location, 303)

export const pageOf = (kind: FlowKind, flowId: string): string => `${kind.page}?flow=${flowId}`

/** Turns a refusal into JSON, or, for a browser without script, into the page that helps. */
export async function respondError(call: FlowCall, error: FlowError, kind?: FlowKind): Promise<FastifyReply> {
  const { reply, ctx } = call
  if (call.json) return reply.code(error.code).send(error.body())
  const { redirect, extra } = error.options
  if (redirect) return redirectTo(call, redirect)
  if (error.id === 'session_inactive')
    return redirectTo(call, `/login${kind ? `?return_to=${encodeURIComponent(kind.page)}` : ''}`)
  if (kind && typeof extra?.use_flow_id === 'string') return redirectTo(call, pageOf(kind, extra.use_flow_id))
  if (kind && error.code === 410) return redirectTo(call, kind.page)
  const now = ctx.clock.now()
  const id = newId(now.getTime())
  const expires_at = new Date(now.getTime() + 3_600_000)
  await insertFlow(ctx.db, { id, type: 'error', issued_at: now, expires_at, state: error.body().error })
  return redirectTo(call, `/error?id=${id}`)
}
