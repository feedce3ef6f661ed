import { safeReturnTo } from '../return-to.ts'
import { alreadySignedIn, FlowError, returnToForbidden } from './flow-errors.ts'
import type { FlowKind } from './flow.ts'
import { passwordRegistration } from './methods/password-registration.ts'

/** Making an account for oneself, where the operator allows it. */
export const registration: FlowKind = {
  type: 'registration',
  page: '/registration',
  lifetimeMs: 3_600_000,
  ids: { expired: 4040001, noMethod: 4040002 },
  methods: () => [passwordRegistration],

  begin(call, query, returnTo) {
    const { QUARTERDECK_AUTH: mode, QUARTERDECK_REGISTRATION: isOn } = call.ctx.config
    if (mode !== 'builtin' || !isOn) {
      throw new FlowError(
        400,
        'self_service_registration_disabled',
        'This server does not offer registration. Ask an administrator to invite you.',
      )
    }
    if (call.session) throw alreadySignedIn(returnTo ?? '/')
    const after = query.get('after_verification_return_to') ?? ''
    const path = after === '' ? undefined : safeReturnTo(after, call.origin)
    if (after !== '' && path === undefined) throw returnToForbidden()
    return path ? { secret: { after: path } } : {}
  },

  guard(call) {
    if (call.session) throw alreadySignedIn('/')
  },
}
