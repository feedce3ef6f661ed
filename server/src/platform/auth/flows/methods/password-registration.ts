import { Email } from '@quarterdeck/contract/identity'
import { newId } from '../../../ids.ts'
import { countUse, isTooOften, registrationRules } from '../../attempts.ts'
import { identityByEmail } from '../../identity.sql.ts'
import { deliverMail } from '../../mail.ts'
import { hashPassword } from '../../passwords.ts'
import { addressKey } from '../../rate-limit.ts'
import { presentIdentity } from '../../sessions.ts'
import { FlowInvalid } from '../flow-errors.ts'
import type { FieldState, FlowCall, FlowInput, FlowMethod, FlowRecord, Outcome } from '../flow.ts'
import { labels, messages } from '../messages.ts'
import { input, submit } from '../nodes.ts'
import { useUp } from '../sign-in.ts'
import { startVerification } from '../start-verification.ts'
import type { Registration } from '../prove-address.ts'
import { newPasswordField, passwordMessage } from './password-settings.ts'

const nameLimit = 100

/**
 * An account with an address and a password. It comes into being when the address is proven, so nobody can take the
 * address of another, and the answer is the same whether or not the address has an account already.
 */
export const passwordRegistration: FlowMethod = {
  name: 'password',

  nodes: () => [
    input('default', 'traits.email', {
      type: 'email',
      required: true,
      autocomplete: 'email',
      maxlength: 254,
      label: labels.field('E-mail'),
    }),
    input('default', 'traits.name.first', { maxlength: nameLimit, label: labels.field('First name') }),
    input('default', 'traits.name.last', { maxlength: nameLimit, label: labels.field('Last name') }),
    newPasswordField(),
    submit('password', labels.signUp),
  ],

  async submit(call, flow, given) {
    const { ctx, request } = call
    const { traits, password } = readForm(given)
    await countUse(ctx, registrationRules.address, addressKey(request.ip))
    const hash = await hashPassword(password)
    return begin(call, flow, { traits, hash })
  },
}

async function begin(call: FlowCall, flow: FlowRecord, registration: Registration): Promise<Outcome> {
  const { ctx, origin, base } = call
  const { traits } = registration
  const now = ctx.clock.now()
  const tooOften = await isTooOften(ctx, registrationRules.account, traits.email)
  const owner = await identityByEmail(ctx.db, traits.email)
  await ctx.db.tx((sql) => useUp(sql, flow))
  const after = flow.state.secret?.after
  const returnTo = typeof after === 'string' ? after : '/'
  const more = { registration, bound: true } as const
  const next = await startVerification(call, { email: traits.email, returnTo, more })
  // Somebody who has an account already is told by mail, and the code that the form asks for is one nobody has.
  const mail = owner ? knownMail(traits.email, origin) : next.mail
  if (!tooOften) void deliverMail(ctx, mail)
  const identity = {
    id: newId(now.getTime()),
    schema_id: 'default',
    traits,
    state: 'active' as const,
    state_changed_at: now,
    created_at: now,
    updated_at: now,
    verified_at: null,
  }
  const body = {
    identity: presentIdentity(identity, base),
    continue_with: [
      { action: 'show_verification_ui', flow: { id: next.id, verifiable_address: traits.email, url: next.url } },
    ],
  }
  return { kind: 'finished', body, redirect: next.page }
}

const knownMail = (to: string, origin: string) => ({
  to,
  subject: 'You have an account already',
  text: `Somebody asked for an account with this address at ${origin}, and there is one already.\n\nIf it was you, sign in, or reset the password there. If not, nothing needs to be done.\n`,
})

function readForm(given: FlowInput) {
  const fields: Record<string, FieldState> = {}
  const email = Email.safeParse(given.get('traits.email') ?? '')
  if (!email.success) fields['traits.email'] = { messages: [messages.malformed('This is not an e-mail address.')] }
  const part = (name: 'first' | 'last') => {
    const text = (given.get(`traits.name.${name}`) ?? '').trim()
    if (text.length > nameLimit)
      fields[`traits.name.${name}`] = { messages: [messages.textTooLong(nameLimit, text.length)] }
    else if (/\p{Cc}/u.test(text))
      fields[`traits.name.${name}`] = { messages: [messages.malformed('Plain text, please.')] }
    return text
  }
  const traits = { email: email.data ?? '', name: { first: part('first'), last: part('last') } }
  const password = given.get('password') ?? ''
  const fault = passwordMessage(password, traits.email)
  if (fault) fields.password = { messages: [fault] }
  if (Object.keys(fields).length > 0) throw new FlowInvalid([], fields)
  return { traits, password }
}
