import { beginAttempt } from '../attempts.ts'
import { audit } from '../audit.ts'
import { forgetPerson } from '../auth-state.ts'
import type { Sql } from '../../db/db.ts'
import { lockIdentity } from '../identity.sql.ts'
import { raiseSession } from '../sessions.ts'
import { identityMismatch, sessionInactive } from './flow-errors.ts'
import { demandFreshSession } from './fresh-session.ts'
import type { FlowCall, FlowRecord, Outcome } from './flow.ts'
import { messages } from './messages.ts'
import { signIn } from './sign-in.ts'

interface Change {
  /** Name of the method, which becomes the active one of the form. */
  method: string
  action:
    | 'second_factor_added'
    | 'second_factor_removed'
    | 'recovery_codes_made'
    | 'recovery_codes_removed'
    | 'social_sign_in_linked'
    | 'social_sign_in_unlinked'
  details?: Record<string, unknown>
  /** The method was shown to work, so that this session counts as having both factors. */
  raises?: boolean
}

/** Changes how the signed-in person signs in: soon after signing in, alone, written down, known to all caches. */
export async function changeFactors(
  call: FlowCall,
  flow: FlowRecord,
  change: Change,
  work: (sql: Sql, identityId: string) => Promise<void>,
): Promise<Outcome> {
  const { ctx, request, session } = call
  demandFreshSession(call, flow)
  if (!session) throw sessionInactive()
  const { id, traits } = session.identity
  await ctx.db.tx(async (sql) => {
    await lockIdentity(sql, id)
    await work(sql, id)
    if (change.raises) await raiseSession(ctx, sql, session, change.method)
    await audit(sql, {
      action: change.action,
      actor: session.principal,
      target: { type: 'identity', id, name: traits.email },
      details: { method: change.method, ...change.details },
      request,
    })
  })
  forgetPerson(ctx, id)
  flow.state = { ...flow.state, step: 'success', active: change.method, messages: [messages.saved] }
  return { kind: 'shown' }
}

/**
 * Takes the second step of signing in. Guesses are bounded like those of passwords, and written down; `prove` throws
 * when what was sent does not do.
 */
export async function showSecondFactor(
  call: FlowCall,
  flow: FlowRecord,
  method: string,
  prove: (sql: Sql, identityId: string) => Promise<void>,
): Promise<Outcome> {
  const { ctx, request, session } = call
  if (!session) throw sessionInactive()
  const { id, traits } = session.identity
  if (flow.state.identity_id !== id) throw identityMismatch()
  const attempt = await beginAttempt(ctx, request, `second factor of ${id}`)
  try {
    await ctx.db.tx(async (sql) => {
      await lockIdentity(sql, id)
      await prove(sql, id)
    })
  } catch (error) {
    await audit(ctx.db, {
      action: 'sign_in_failed',
      outcome: 'failure',
      target: { type: 'identity', id, name: traits.email },
      details: { method, reason: 'second factor' },
      request,
    })
    throw error
  }
  await attempt.succeeded()
  return signIn(call, flow, { identityId: id, method, aal: 'aal2' })
}

/** The second step is shown only to who has done the first, and has this kind of factor. */
export const isSecondStep = (call: FlowCall, flow: FlowRecord): boolean =>
  flow.state.aal === 'aal2' && call.session !== undefined
