import { createHmac, randomInt } from 'node:crypto'
import { Email } from '@quarterdeck/contract/identity'
import { addressKey } from '../../rate-limit.ts'
import { countUse, recoveryRules } from '../../attempts.ts'
import { audit } from '../../audit.ts'
import { authState } from '../../auth-state.ts'
import { sameText } from '../../csrf.ts'
import { readPrincipal } from '../../directory.ts'
import { identityByEmail, lockFlow, updateFlow } from '../../identity.sql.ts'
import { sendMail } from '../../mail.ts'
import { FlowInvalid } from '../flow-errors.ts'
import type { FlowCall, FlowInput, FlowMethod, FlowRecord, FlowState, Outcome } from '../flow.ts'
import { labels, messages } from '../messages.ts'
import { hidden, input, submit } from '../nodes.ts'
import { recovered } from '../recovered.ts'
import { useUp } from '../sign-in.ts'

const tries = 5
const codeMinutes = 15

/** Recovering an account with a code that was mailed to its address. */
export const codeRecovery: FlowMethod = {
  name: 'code',

  nodes(_call, { state }) {
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
      label: labels.recoveryCode,
    })
    const again = String(state.secret?.email ?? '')
    return [
      code,
      hidden('method', 'code', 'code'),
      submit('code', labels.proceed),
      submit('code', labels.resend, again, 'email'),
    ]
  },

  // The button that sends another code carries the address; the one that continues does not.
  submit: (call, flow, given) =>
    flow.state.step === 'sent_email' && !given.get('email')
      ? checkCode(call, flow, given)
      : sendCode(call, flow, given),
}

const digestOf = (flowId: string, code: string) => createHmac('sha256', flowId).update(code).digest('base64url')

async function sendCode(call: FlowCall, flow: FlowRecord, given: FlowInput): Promise<Outcome> {
  const { ctx, request } = call
  const parsed = Email.safeParse(given.get('email') ?? '')
  if (!parsed.success)
    throw new FlowInvalid([], { email: { messages: [messages.malformed('This is not an e-mail address.')] } })
  const email = parsed.data
  countUse(ctx, recoveryRules.address, addressKey(request.ip))
  const now = ctx.clock.now().getTime()
  const isTooOften = authState(ctx).limits.take(recoveryRules.account, email, now) > 0
  const code = String(randomInt(100_000_000)).padStart(8, '0')
  const identity = isTooOften ? undefined : await identityByEmail(ctx.db, email)
  const isUsable = identity !== undefined && (await readPrincipal(ctx.db, identity.id)) !== undefined
  flow.state = {
    ...flow.state,
    step: 'sent_email',
    active: 'code',
    messages: [messages.codeSent],
    secret: {
      email,
      tries: 0,
      digest: digestOf(flow.id, code),
      until: now + codeMinutes * 60_000,
      ...(isUsable ? { identityId: identity.id } : {}),
    },
  }
  await audit(ctx.db, {
    action: 'recovery_requested',
    outcome: isUsable ? 'success' : 'failure',
    target: { type: 'identity', id: identity?.id, name: email },
    request,
  })
  // Not awaited: how long the answer takes must not tell whether the account exists.
  if (isUsable) sendMail(ctx, codeMail(email, code)).catch(() => undefined)
  return { kind: 'shown' }
}

const codeMail = (to: string, code: string) => ({
  to,
  subject: 'Your recovery code',
  text: `Your recovery code is ${code}. It is valid for ${codeMinutes} minutes.\n\nIf you did not ask for it, nothing needs to be done.\n`,
})

async function checkCode(call: FlowCall, flow: FlowRecord, given: FlowInput): Promise<Outcome> {
  const { ctx } = call
  const secret = await countTry(call, flow)
  const isLate = Number(secret.until) < ctx.clock.now().getTime()
  const fits = sameText(digestOf(flow.id, (given.get('code') ?? '').replace(/\s/g, '')), String(secret.digest))
  if (!fits || isLate || typeof secret.identityId !== 'string') {
    throw new FlowInvalid([], { code: { messages: [messages.wrongCode] } })
  }
  const proof = { identityId: secret.identityId, method: 'code_recovery' as const, returnTo: flow.state.return_to }
  return { kind: 'moved', redirect: await recovered(call, proof, (sql) => useUp(sql, flow)) }
}

/** Counts before comparing, under the row's lock, so that codes tried at once are counted too. */
async function countTry({ ctx }: FlowCall, flow: FlowRecord): Promise<Record<string, unknown>> {
  const state = await ctx.db.tx(async (sql) => {
    const current = await lockFlow<FlowState>(sql, 'recovery', flow.id)
    const secret = { ...current?.state.secret, tries: Number(current?.state.secret?.tries ?? tries) + 1 }
    await updateFlow(sql, flow.id, { ...flow.state, secret })
    return secret as Record<string, unknown>
  })
  flow.state = { ...flow.state, secret: state }
  if (Number(state.tries) > tries) {
    flow.state = { ...flow.state, step: 'choose_method', secret: {} }
    throw new FlowInvalid([messages.recoveryFailed])
  }
  return state
}
