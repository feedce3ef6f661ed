import { Email, type UiText } from '@quarterdeck/contract/identity'
import { addressKey } from '../../rate-limit.ts'
import { countUse, isTooOften, mailRules } from '../../attempts.ts'
import { deliverMail, type Mail } from '../../mail.ts'
import { FlowInvalid } from '../flow-errors.ts'
import type { FlowCall, FlowInput, FlowMethod, FlowRecord, FlowState, Outcome } from '../flow.ts'
import { codeSecret, newCode, tryCode } from '../mailed-code.ts'
import { labels, messages } from '../messages.ts'
import { hidden, input, submit } from '../nodes.ts'

/** What a kind of flow adds to a code that is mailed and comes back. */
export interface MailedCode {
  /** Of the field that takes the code. */
  label: UiText
  sent: UiText
  wrong: UiText
  tooOften: UiText
  /** Who gets a mail. Nobody may learn it from the answer, so it must take as long whoever it is. */
  ownerOf(call: FlowCall, asked: AskedAddress): Promise<string | undefined>
  /** The mail, and what the flow keeps of it beside the code. */
  compose(call: FlowCall, flowId: string, email: string, code: string): { mail: Mail; secret?: object }
  /** The code was right; `wrong` refuses it all the same. */
  proven(call: FlowCall, flow: FlowRecord, wrong: () => FlowInvalid): Promise<Outcome>
}

export interface AskedAddress {
  email: string
  /** So many mails went there that it gets no more for a while. */
  tooOften: boolean
}

/** The address that was typed. Counts the question against who asks and whom it concerns. */
export async function askedAddress({ ctx, request }: FlowCall, given: FlowInput): Promise<AskedAddress> {
  const parsed = Email.safeParse(given.get('email') ?? '')
  if (!parsed.success)
    throw new FlowInvalid([], { email: { messages: [messages.malformed('This is not an e-mail address.')] } })
  const email = parsed.data
  await countUse(ctx, mailRules.address, addressKey(request.ip))
  return { email, tooOften: await isTooOften(ctx, mailRules.account, email) }
}

/** The state of a flow that waits for the code of this address. */
export const awaitingCode = (
  { ctx }: FlowCall,
  flowId: string,
  { email, code, sent, more }: { email: string; code: string; sent: UiText; more: object },
) =>
  ({
    step: 'sent_email',
    active: 'code',
    messages: [sent],
    secret: { email, ...codeSecret(flowId, code, ctx.clock.now()), ...more },
  }) satisfies Partial<FlowState>

/** Asks for an address, mails a code to it, and takes the code. */
export const mailedCodeMethod = (kind: MailedCode): FlowMethod => ({
  name: 'code',

  nodes(_call, { state }) {
    if (state.step !== 'sent_email') {
      const email = input('code', 'email', {
        type: 'email',
        required: true,
        autocomplete: 'email',
        maxlength: 254,
        label: labels.email,
      })
      return [email, submit('code', labels.submit)]
    }
    if (state.active !== 'code') return []
    const code = input('code', 'code', {
      required: true,
      autocomplete: 'one-time-code',
      maxlength: 16,
      label: kind.label,
    })
    const again = submit('code', labels.resend, String(state.secret?.email ?? ''), 'email')
    return [
      code,
      hidden('method', 'code', 'code'),
      submit('code', labels.proceed),
      ...(state.secret?.bound === true ? [] : [again]),
    ]
  },

  // The button that sends another code carries the address; the one that continues does not. A flow that is bound to
  // the form it began with sends no other code.
  submit: (call, flow, given) =>
    flow.state.step === 'sent_email' && (!given.get('email') || flow.state.secret?.bound === true)
      ? checkCode(kind, call, flow, given)
      : sendCode(kind, call, flow, given),
})

async function sendCode(kind: MailedCode, call: FlowCall, flow: FlowRecord, given: FlowInput): Promise<Outcome> {
  const asked = await askedAddress(call, given)
  const identityId = await kind.ownerOf(call, asked)
  const { email } = asked
  const code = newCode()
  const { mail, secret } = kind.compose(call, flow.id, email, code)
  const more = { ...secret, ...(identityId ? { identityId } : {}) }
  flow.state = { ...flow.state, ...awaitingCode(call, flow.id, { email, code, sent: kind.sent, more }) }
  // Not awaited: how long the answer takes must not tell whether the account exists.
  if (identityId) void deliverMail(call.ctx, mail)
  return { kind: 'shown' }
}

async function checkCode(kind: MailedCode, call: FlowCall, flow: FlowRecord, given: FlowInput): Promise<Outcome> {
  const verdict = await tryCode(call, flow, given.get('code') ?? '')
  if (verdict === 'too-often') throw new FlowInvalid([kind.tooOften])
  const wrong = () => new FlowInvalid([], { code: { messages: [kind.wrong] } })
  if (verdict === 'wrong') throw wrong()
  return kind.proven(call, flow, wrong)
}
