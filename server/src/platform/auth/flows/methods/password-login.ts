import { normalizeEmail, passwordLimits } from '@quarterdeck/contract/identity'
import { beginAttempt, nameOf } from '../../attempts.ts'
import { audit } from '../../audit.ts'
import { verifyCredentials } from '../../credentials.ts'
import { FlowInvalid, identityMismatch } from '../flow-errors.ts'
import type { FieldState, FlowCall, FlowMethod } from '../flow.ts'
import { labels, messages } from '../messages.ts'
import { hidden, input, submit } from '../nodes.ts'
import { signIn } from '../sign-in.ts'

/** Signing in with an address and a password. */
export const passwordLogin: FlowMethod = {
  name: 'password',

  // No maxlength: a browser would cut a longer password without a word.
  nodes(call, flow) {
    if (flow.state.aal === 'aal2') return []
    // Confirming who one is happens as oneself.
    const known = flow.state.refresh ? call.session?.identity.traits.email : undefined
    const identifier = known
      ? hidden('identifier', known)
      : input('default', 'identifier', { required: true, autocomplete: 'username', label: labels.field('E-mail') })
    return [
      identifier,
      input('password', 'password', {
        type: 'password',
        required: true,
        autocomplete: 'current-password',

        label: labels.password,
      }),
      submit('password', labels.signIn),
    ]
  },

  async submit(call, flow, given) {
    const identifier = given.get('identifier') || given.get('password_identifier') || ''
    const password = given.get('password') ?? ''
    checkShape(identifier, password)
    const attempt = await beginAttempt(call.ctx, call.request, normalizeEmail(identifier))
    const verdict = await verifyCredentials(call.ctx, { identifier, password })
    if (verdict.kind !== 'ok') {
      await recordFailure(call, identifier, verdict.kind, verdict.identityId)
      throw new FlowInvalid([verdict.kind === 'deactivated' ? messages.deactivated : messages.wrongCredentials])
    }
    await attempt.succeeded()
    const { identityId } = verdict
    if (flow.state.refresh && call.session && call.session.identity.id !== identityId) throw identityMismatch()
    return signIn(call, flow, { identityId, method: 'password' })
  },
}

function checkShape(identifier: string, password: string): void {
  const fields: Record<string, FieldState> = {}
  if (identifier.trim() === '') fields.identifier = { messages: [messages.missing('identifier')] }
  else if (identifier.length > 254) fields.identifier = { messages: [messages.textTooLong(254, identifier.length)] }
  if (password === '') fields.password = { messages: [messages.missing('password')] }
  else if ([...password].length > passwordLimits.max) {
    fields.password = { messages: [messages.tooLong(passwordLimits.max, [...password].length)] }
  }
  if (Object.keys(fields).length > 0) throw new FlowInvalid([], fields)
}

async function recordFailure({ ctx, request }: FlowCall, identifier: string, reason: string, identityId?: string) {
  await audit(ctx.db, {
    action: 'sign_in_failed',
    outcome: 'failure',
    target: { type: 'identity', id: identityId, name: nameOf(normalizeEmail(identifier)) },
    details: { method: 'password', reason },
    request,
  })
}
