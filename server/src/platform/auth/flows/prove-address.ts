import type { Traits } from '@quarterdeck/contract/identity'
import { AddressTaken, createIdentity, storePassword } from '../accounts.ts'
import { audit } from '../audit.ts'
import { forgetPerson } from '../auth-state.ts'
import { flowById, identityById, markVerified } from '../identity.sql.ts'
import { FlowInvalid } from './flow-errors.ts'
import type { FlowCall, FlowRecord, FlowState, Outcome } from './flow.ts'
import { messages } from './messages.ts'
import { useUp } from './sign-in.ts'

/** An account that comes into being when its address is proven. */
export interface Registration {
  traits: Traits
  hash: string
}

/** What a verification flow looks like once the address is proven. */
export const passed = {
  step: 'passed_challenge',
  messages: [messages.verified],
  secret: {},
} satisfies Partial<FlowState>

/** The address changed meanwhile, or somebody else has it. */
class Void extends Error {}

/**
 * Marks the address of a flow as proven, and makes the account that was waiting for it; uses the flow up. False when
 * the proof is worth nothing any more.
 */
export async function proveAddress(call: FlowCall, flow: FlowRecord): Promise<boolean> {
  const { ctx, request } = call
  const { email, identityId, registration } = (flow.state.secret ?? {}) as Record<string, unknown>
  if (!identityId && !registration) return false
  try {
    const id = await ctx.db.tx(async (sql) => {
      await useUp(sql, flow)
      let owner = identityId as string | undefined
      if (registration) {
        const { traits, hash } = registration as Registration
        const made = await createIdentity(ctx, sql, traits)
        await storePassword(ctx, sql, { identityId: made.id, hash })
        owner = made.id
      }
      // Whoever changed their address meanwhile has proven the old one, which is worth nothing.
      const identity = await identityById(sql, owner as string)
      if (!identity || identity.traits.email !== email) throw new Void()
      await markVerified(sql, identity.id, identity.traits.email, ctx.clock.now())
      await audit(sql, {
        action: registration ? 'registered' : 'address_verified',
        actor: { id: identity.id, name: identity.traits.email },
        target: { type: 'identity', id: identity.id, name: identity.traits.email },
        request,
      })
      return identity.id
    })
    forgetPerson(ctx, id)
    return true
  } catch (error) {
    if (error instanceof Void || error instanceof AddressTaken) return false
    throw error
  }
}

/** The button of a link that was opened in another browser than the one that asked for it. */
export async function proveByLink(call: FlowCall, flow: FlowRecord): Promise<Outcome> {
  const asked = await flowById<FlowState>(call.ctx.db, 'verification', String(flow.state.secret?.of))
  const isOpen = asked && !asked.state.completed && asked.expires_at > call.ctx.clock.now()
  if (!isOpen || !(await proveAddress(call, asked))) {
    throw new FlowInvalid([messages.verificationLinkUsed])
  }
  flow.state = { ...flow.state, ...passed, completed: true, return_to: asked.state.return_to ?? '/' }
  return { kind: 'shown' }
}
