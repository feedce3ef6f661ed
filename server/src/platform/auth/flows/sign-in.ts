import type { Sql } from '../../db/db.ts'
import { audit } from '../audit.ts'
import { readPrincipal } from '../directory.ts'
import { hasSecondFactor } from '../factors.sql.ts'
import { identityById, lockFlow, updateFlow } from '../identity.sql.ts'
import { giveSession, openSession, presentSession } from '../sessions.ts'
import { FlowError } from './flow-errors.ts'
import type { FlowCall, FlowRecord, FlowState, Outcome } from './flow.ts'

interface Proof {
  identityId: string
  /** How it was proven: password, oidc, … */
  method: string
  /** aal2 for a second factor. */
  aal?: 'aal1' | 'aal2'
}

/** Ends a login flow and starts a session, together; a flow that was used meanwhile starts none. */
export async function signIn(call: FlowCall, flow: FlowRecord, { identityId, method, aal }: Proof): Promise<Outcome> {
  const { ctx, request, reply, session } = call
  // What the same person proved before stays proven; what somebody else did on this machine does not count.
  const before = session?.identity.id === identityId ? session.amr : []
  const { row, token, identity, halfWay } = await ctx.db.tx(async (sql) => {
    await useUp(sql, flow)
    const opened = await openSession(ctx, sql, { identityId, method, aal, before, request })
    const person = await readPrincipal(sql, identityId)
    await audit(sql, {
      action: 'signed_in',
      actor: person ?? null,
      target: { type: 'identity', id: identityId, name: person?.email },
      details: { method, session: opened.row.id, confirmed_only: flow.state.refresh ?? false },
      request,
    })
    const halfWay = opened.row.aal === 'aal1' && (await hasSecondFactor(sql, identityId))
    return { ...opened, halfWay, identity: await identityById(sql, identityId) }
  })
  await giveSession(ctx, { request, reply, token, identityId })
  const target = flow.state.return_to ?? '/'
  const redirect = halfWay
    ? `${call.base}/self-service/login/browser?aal=aal2&return_to=${encodeURIComponent(target)}`
    : target
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
