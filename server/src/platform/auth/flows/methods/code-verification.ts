import { Email, type Traits } from '@quarterdeck/contract/identity'
import type { Context } from '../../../../context.ts'
import { AddressTaken, createIdentity, storePassword } from '../../accounts.ts'
import { countUse, recoveryRules } from '../../attempts.ts'
import { audit } from '../../audit.ts'
import { authState, forgetPerson } from '../../auth-state.ts'
import { identityByEmail, identityById, markVerified } from '../../identity.sql.ts'
import { deliverMail } from '../../mail.ts'
import { addressKey } from '../../rate-limit.ts'
import { FlowInvalid } from '../flow-errors.ts'
import type { FlowCall, FlowInput, FlowMethod, FlowRecord, Outcome } from '../flow.ts'
import { codeMinutes, codeSecret, newCode, tryCode } from '../mailed-code.ts'
import { labels, messages } from '../messages.ts'
import { anchor, hidden, input, submit } from '../nodes.ts'
import { useUp } from '../sign-in.ts'

/** An account that comes into being when its address is proven. */
export interface Registration {
  traits: Traits
  hash: string
}

/** Proving an address with a code that was mailed to it. */
export const codeVerification: FlowMethod = {
  name: 'code',

  nodes(_call, { state }) {
    if (state.step === 'passed_challenge') return [anchor('code', 'continue', state.return_to ?? '/', labels.proceed)]
    const email = input('code', 'email', {
      type: 'email',
      required: true,
      autocomplete: 'email',
      maxlength: 254,
      label: labels.email,
    })
    if (state.step !== 'sent_email') return [email, submit('code', labels.submit)]
    const code = input('code', 'code', {
      required: true,
      autocomplete: 'one-time-code',
      maxlength: 16,
      label: labels.verificationCode,
    })
    // A registration is bound to the form that began it; another code would need the password again.
    const again = state.secret?.registration
      ? []
      : [submit('code', labels.resend, String(state.secret?.email ?? ''), 'email')]
    return [code, hidden('method', 'code', 'code'), submit('code', labels.proceed), ...again]
  },

  submit: (call, flow, given) =>
    flow.state.step === 'sent_email' && (!given.get('email') || flow.state.secret?.registration)
      ? checkCode(call, flow, given)
      : sendCode(call, flow, given),
}

/** `url`: the form that takes the code, in the browser that asked for it. */
export const verificationMail = (to: string, code: string, url?: string) => ({
  to,
  subject: 'Please verify your address',
  text: `Your verification code is ${code}. It is valid for ${codeMinutes} minutes.\n\n${url ? `Enter it at ${url}\n\n` : ''}If you did not ask for it, nothing needs to be done.\n`,
})

/** The state of a flow that waits for the code of this address. */
export function awaitingCode(ctx: Context, flowId: string, email: string, code: string, more: object = {}) {
  return {
    step: 'sent_email' as const,
    active: 'code',
    messages: [messages.verificationSent],
    secret: { email, ...codeSecret(flowId, code, ctx.clock.now()), ...more },
  }
}

async function sendCode({ ctx, request }: FlowCall, flow: FlowRecord, given: FlowInput): Promise<Outcome> {
  const parsed = Email.safeParse(given.get('email') ?? '')
  if (!parsed.success)
    throw new FlowInvalid([], { email: { messages: [messages.malformed('This is not an e-mail address.')] } })
  const email = parsed.data
  countUse(ctx, recoveryRules.address, addressKey(request.ip))
  const isTooOften = authState(ctx).limits.take(recoveryRules.account, email, ctx.clock.now().getTime()) > 0
  const identity = isTooOften ? undefined : await identityByEmail(ctx.db, email)
  const code = newCode()
  const isPending = identity !== undefined && identity.verified_at === null
  flow.state = {
    ...flow.state,
    ...awaitingCode(ctx, flow.id, email, code, isPending ? { identityId: identity.id } : {}),
  }
  // Not awaited: how long the answer takes must not tell whether the account exists.
  if (isPending) void deliverMail(ctx, verificationMail(email, code))
  return { kind: 'shown' }
}

async function checkCode(call: FlowCall, flow: FlowRecord, given: FlowInput): Promise<Outcome> {
  const { ctx, request } = call
  const verdict = await tryCode(call, flow, given.get('code') ?? '')
  if (verdict === 'too-often') throw new FlowInvalid([messages.verificationFailed])
  const { email, identityId, registration } = flow.state.secret as Record<string, unknown>
  const wrong = () => new FlowInvalid([], { code: { messages: [messages.wrongVerificationCode] } })
  if (verdict === 'wrong' || (!identityId && !registration)) throw wrong()
  const id = await ctx.db.tx(async (sql) => {
    await useUp(sql, flow)
    const now = ctx.clock.now()
    let owner = identityId as string | undefined
    if (registration) {
      const { traits, hash } = registration as Registration
      const identity = await createIdentity(ctx, sql, traits).catch((error: unknown) => {
        throw error instanceof AddressTaken ? wrong() : error
      })
      await storePassword(ctx, sql, { identityId: identity.id, hash })
      owner = identity.id
    }
    // Whoever changed their address meanwhile has proven the old one, which is worth nothing.
    const identity = await identityById(sql, owner as string)
    if (!identity || identity.traits.email !== email) throw wrong()
    await markVerified(sql, identity.id, identity.traits.email, now)
    await audit(sql, {
      action: registration ? 'registered' : 'address_verified',
      actor: { id: identity.id, name: identity.traits.email },
      target: { type: 'identity', id: identity.id, name: identity.traits.email },
      request,
    })
    return identity.id
  })
  forgetPerson(ctx, id)
  flow.state = {
    ...flow.state,
    completed: true,
    step: 'passed_challenge',
    messages: [messages.verified],
    secret: {},
  }
  return { kind: 'shown' }
}
