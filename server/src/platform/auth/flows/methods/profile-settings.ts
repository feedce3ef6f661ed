import { Email, normalizeEmail } from '@quarterdeck/contract/identity'
import { AddressTaken, changeTraits } from '../../accounts.ts'
import { audit } from '../../audit.ts'
import { forgetPerson } from '../../auth-state.ts'
import { canSendMail, deliverMail } from '../../mail.ts'
import { FlowInvalid } from '../flow-errors.ts'
import { demandFreshSession } from '../fresh-session.ts'
import type { FieldState, FlowCall, FlowInput, FlowMethod } from '../flow.ts'
import { labels, messages } from '../messages.ts'
import { input, submit } from '../nodes.ts'
import { startVerification } from '../start-verification.ts'

const nameLimit = 100

/** Changing one's name and address. */
export const profileSettings: FlowMethod = {
  name: 'profile',

  async nodes({ ctx }, flow) {
    const row = await ctx.db.maybeOne<{ traits: { email: string; name?: { first?: string; last?: string } } }>(
      'select traits from identities where id = $1',
      [flow.state.identity_id],
    )
    const { email = '', name } = row?.traits ?? {}
    const field = (id: string, title: string, value: string, extra = {}) =>
      input('profile', `traits.${id}`, { value, label: labels.field(title), ...extra })
    return [
      field('email', 'E-mail', email, { type: 'email', required: true, autocomplete: 'email', maxlength: 254 }),
      field('name.first', 'First name', name?.first ?? '', { maxlength: nameLimit }),
      field('name.last', 'Last name', name?.last ?? '', { maxlength: nameLimit }),
      submit('profile', labels.save),
    ]
  },

  async submit(call, flow, given) {
    const { ctx, request, session } = call
    const { id: identityId, traits: before } = session!.identity
    const traits = readTraits(given, before.email)
    if (traits.email !== before.email) demandFreshSession(call, flow)
    try {
      await ctx.db.tx(async (sql) => {
        await changeTraits(ctx, sql, identityId, traits)
        await audit(sql, {
          action: 'profile_changed',
          actor: session!.principal,
          target: { type: 'identity', id: identityId, name: traits.email },
          details: { from: before, to: traits },
          request,
        })
      })
    } catch (error) {
      if (!(error instanceof AddressTaken)) throw error
      throw new FlowInvalid([], { 'traits.email': { messages: [messages.taken] } })
    }
    forgetPerson(ctx, identityId)
    if (traits.email !== before.email && canSendMail(ctx)) await mailCode(call, identityId, traits.email)
    flow.state = { ...flow.state, step: 'success', active: 'profile', messages: [messages.saved] }
    return { kind: 'shown' }
  },
}

/** A new address has to be proven; its owner gets a code for it. */
async function mailCode(call: FlowCall, identityId: string, email: string): Promise<void> {
  const { mail } = await startVerification(call, { email, returnTo: '/profile-settings', more: { identityId } })
  void deliverMail(call.ctx, mail)
}

function readTraits(given: FlowInput, current: string) {
  const fields: Record<string, FieldState> = {}
  const typed = given.get('traits.email') ?? ''
  const email = Email.safeParse(typed)
  // Accounts made outside may have an address without a dot; they may keep it.
  const kept = normalizeEmail(typed) === current
  if (!email.success && !kept)
    fields['traits.email'] = { messages: [messages.malformed('This is not an e-mail address.')] }
  const name = (part: 'first' | 'last') => {
    const text = (given.get(`traits.name.${part}`) ?? '').trim()
    if (text.length > nameLimit)
      fields[`traits.name.${part}`] = { messages: [messages.textTooLong(nameLimit, text.length)] }
    return text
  }
  const traits = { email: kept ? current : (email.data ?? ''), name: { first: name('first'), last: name('last') } }
  if (Object.keys(fields).length > 0) throw new FlowInvalid([], fields)
  return traits
}
