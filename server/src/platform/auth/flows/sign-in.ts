import type { Sql } from '../../db/db.ts'
import { audit } from '../audit.ts'
import { readPrincipal } from '../directory.ts'
import { identityById, lockFlow, updateFlow } from '../identity.sql.ts'
import { giveSession, openSession, presentSession } from '../sessions.ts'
import { FlowError } from './flow-errors.ts'
import type { FlowCall, FlowRecord, FlowState, Outcome } from './flow.ts'

interface Proof {
  identityId: string
  /** How it was proven: password, oidc, … */
  method: string
}

/** Ends a login flow and starts a session, together; a flow that was used meanwhile starts none. */
export async function signIn(call: FlowCall, flow: FlowRecord, { identityId, method }: Proof): Promise<Outcome> {
  const { ctx, request, reply } = call
  const { row, token, identity } = await ctx.db.tx(async (sql) => {
    await useUp(sql, flow)
    const opened = await openSession(ctx, sql, { identityId, method, request })
    const person = await readPrincipal(sql, identityId)
    await audit(sql, {
      action: 'signed_in',
      actor: person ?? null,
      target: { type: 'identity', id: identityId, name: person?.email },
      details: { method, session: opened.row.id, confirmed_only: flow.state.refresh ?? false },
      request,
    })
    return { ...opened, identity: await identityById(sql, identityId) }
  })
  await giveSession(ctx, { request, reply, token, identityId })
  const redirect = flow.state.return_to ?? '/'
  const body = {
    session: presentSession(row, identity, call.base),
    continue_with: [{ action: 'redirect_browser_to', redirect_browser_to: redirect }],
  }
  return { kind: 'finished', body, redirect }
}

/** Marks a flow as done inside the transaction of its work; the second of two at once finds it done. */
export async function useUp(sql: Sql, flow: FlowRecord): Promise<void> {
  const current = await lockFlow<FlowState>(sql, flow.type, flow.id)
  if (!current || current.state.completed) {
    throw new FlowError(410, 'self_service_flow_expired', 'This form was sent already. Start a new one.')
  }
  await updateFlow(sql, flow.id, { ...flow.state, completed: true, step: 'passed_challenge' })
}
