import { passwordLimits, type UiNode, type UiText } from '@quarterdeck/contract/identity'
import { storePassword } from '../../accounts.ts'
import { audit } from '../../audit.ts'
import { forgetPerson } from '../../auth-state.ts'
import { hashPassword, passwordFault } from '../../passwords.ts'
import { FlowInvalid } from '../flow-errors.ts'
import { demandFreshSession } from '../fresh-session.ts'
import type { FlowMethod } from '../flow.ts'
import { labels, messages } from '../messages.ts'
import { input, submit } from '../nodes.ts'

/** Where a new password is typed; what it needs is said before it is refused. */
export const newPasswordField = (): UiNode => ({
  // No maxlength: a browser would cut a longer password without a word.
  ...input('password', 'password', {
    type: 'password',
    required: true,
    autocomplete: 'new-password',
    label: labels.password,
  }),
  messages: [messages.newPassword(passwordLimits.min)],
})

/** Setting a new password; every other session of the account ends. */
export const passwordSettings: FlowMethod = {
  name: 'password',

  nodes: () => [newPasswordField(), submit('password', labels.save)],

  async submit(call, flow, given) {
    const { ctx, request, session } = call
    demandFreshSession(call, flow)
    const password = given.get('password') ?? ''
    const fault = passwordMessage(password, session!.identity.traits.email)
    if (fault) throw new FlowInvalid([], { password: { messages: [fault] } })
    const hash = await hashPassword(password)
    const identityId = session!.identity.id
    await ctx.db.tx(async (sql) => {
      await storePassword(ctx, sql, { identityId, hash, keepSession: session!.id })
      await audit(sql, {
        action: 'password_changed',
        actor: session!.principal,
        target: { type: 'identity', id: identityId, name: session!.identity.traits.email },
        request,
      })
    })
    forgetPerson(ctx, identityId)
    flow.state = { ...flow.state, step: 'success', active: 'password', messages: [messages.saved] }
    return { kind: 'shown' }
  },
}

/** Why a new password is not good enough, in words; undefined when it is. */
export function passwordMessage(password: string, email: string): UiText | undefined {
  const length = [...password].length
  const fault = password === '' ? 'missing' : passwordFault(password, email)
  if (!fault) return undefined
  const words = {
    missing: messages.missing('password'),
    'too-short': messages.tooShort(passwordLimits.min, length),
    'too-long': messages.tooLong(passwordLimits.max, length),
    common: messages.weak('This password is among the first that anybody would try. Please choose another.'),
    'like-name': messages.weak('The password must not be your address. Please choose another.'),
  }
  return words[fault]
}
