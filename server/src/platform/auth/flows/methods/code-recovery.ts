import { Email } from '@quarterdeck/contract/identity'
import { addressKey } from '../../rate-limit.ts'
import { countUse, recoveryRules } from '../../attempts.ts'
import { audit } from '../../audit.ts'
import { authState } from '../../auth-state.ts'
import { readPrincipal } from '../../directory.ts'
import { identityByEmail } from '../../identity.sql.ts'
import { makeLink } from '../../links.ts'
import { deliverMail } from '../../mail.ts'
import { FlowInvalid } from '../flow-errors.ts'
import type { FlowCall, FlowInput, FlowMethod, FlowRecord, Outcome } from '../flow.ts'
import { codeMinutes, codeSecret, newCode, tryCode } from '../mailed-code.ts'
import { labels, messages } from '../messages.ts'
import { hidden, input, submit } from '../nodes.ts'
import { recovered } from '../recovered.ts'
import { useUp } from '../sign-in.ts'

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
    if (state.active === 'link') return []
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

/** Recovering an account with a link; the form is the one of the code. */
export const linkRecovery: FlowMethod = {
  name: 'link',
  nodes: (_call, { state }) => (state.step === 'sent_email' ? [] : [submit('link', labels.mailLink)]),
  submit: sendLink,
}

interface Owner {
  email: string
  /** Undefined when nobody can be recovered by this address, or it was asked too often; the answer is the same. */
  identityId?: string
}

/** Whose address this is; counts the question and writes it down. */
async function ownerOf({ ctx, request }: FlowCall, given: FlowInput, method: string): Promise<Owner> {
  const parsed = Email.safeParse(given.get('email') ?? '')
  if (!parsed.success)
    throw new FlowInvalid([], { email: { messages: [messages.malformed('This is not an e-mail address.')] } })
  const email = parsed.data
  countUse(ctx, recoveryRules.address, addressKey(request.ip))
  const now = ctx.clock.now().getTime()
  const isTooOften = authState(ctx).limits.take(recoveryRules.account, email, now) > 0
  const identity = isTooOften ? undefined : await identityByEmail(ctx.db, email)
  const isUsable = identity !== undefined && (await readPrincipal(ctx.db, identity.id)) !== undefined
  await audit(ctx.db, {
    action: 'recovery_requested',
    outcome: isUsable ? 'success' : 'failure',
    target: { type: 'identity', id: identity?.id, name: email },
    details: { method },
    request,
  })
  return { email, ...(isUsable ? { identityId: identity.id } : {}) }
}

async function sendCode(call: FlowCall, flow: FlowRecord, given: FlowInput): Promise<Outcome> {
  const { ctx } = call
  const { email, identityId } = await ownerOf(call, given, 'code')
  const code = newCode()
  flow.state = {
    ...flow.state,
    step: 'sent_email',
    active: 'code',
    messages: [messages.codeSent],
    secret: { email, ...codeSecret(flow.id, code, ctx.clock.now()), ...(identityId ? { identityId } : {}) },
  }
  // Not awaited: how long the answer takes must not tell whether the account exists.
  if (identityId) void deliverMail(ctx, codeMail(email, code))
  return { kind: 'shown' }
}

async function sendLink(call: FlowCall, flow: FlowRecord, given: FlowInput): Promise<Outcome> {
  const { ctx, base } = call
  const { email, identityId } = await ownerOf(call, given, 'link')
  flow.state = { ...flow.state, step: 'sent_email', active: 'link', messages: [messages.linkSent], secret: { email } }
  if (identityId) {
    void makeLink(ctx, ctx.db, { identityId, purpose: 'recovery', base })
      .then(({ link }) => deliverMail(ctx, linkMail(email, link)))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'a recovery link could not be made'))
  }
  return { kind: 'shown' }
}

const codeMail = (to: string, code: string) => ({
  to,
  subject: 'Your recovery code',
  text: `Your recovery code is ${code}. It is valid for ${codeMinutes} minutes.\n\nIf you did not ask for it, nothing needs to be done.\n`,
})

const linkMail = (to: string, link: string) => ({
  to,
  subject: 'Your recovery link',
  text: `Open this link to sign in and set a new password:\n\n${link}\n\nIt works once, within an hour. If you did not ask for it, nothing needs to be done.\n`,
})

async function checkCode(call: FlowCall, flow: FlowRecord, given: FlowInput): Promise<Outcome> {
  const verdict = await tryCode(call, flow, given.get('code') ?? '')
  if (verdict === 'too-often') throw new FlowInvalid([messages.recoveryFailed])
  const identityId = flow.state.secret?.identityId
  if (verdict === 'wrong' || typeof identityId !== 'string')
    throw new FlowInvalid([], { code: { messages: [messages.wrongCode] } })
  const proof = { identityId, method: 'code_recovery' as const, returnTo: flow.state.return_to }
  return { kind: 'moved', redirect: await recovered(call, proof, (sql) => useUp(sql, flow)) }
}
