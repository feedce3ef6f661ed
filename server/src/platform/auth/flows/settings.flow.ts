import { identityById } from '../identity.sql.ts'
import { presentIdentity } from '../sessions.ts'
import { isHalfWay } from '../active-session.ts'
import { FlowError, identityMismatch, secondFactorRequired, sessionInactive } from './flow-errors.ts'
import type { Config } from '../../../config.ts'
import type { FlowKind, FlowMethod } from './flow.ts'
import { messages } from './messages.ts'
import { passwordSettings } from './methods/password-settings.ts'
import { lookupSettings } from './methods/lookup-secret.ts'
import { oidcSettings } from './methods/oidc.ts'
import { profileSettings } from './methods/profile-settings.ts'
import { totpSettings } from './methods/totp.ts'
import { webauthnSettings } from './methods/webauthn.ts'

/** With sessions switched off a second factor would guard nothing; a password file knows people by their names. */
const methods: Record<Config['QUARTERDECK_AUTH'], FlowMethod[]> = {
  builtin: [profileSettings, passwordSettings, oidcSettings, totpSettings, lookupSettings, webauthnSettings],
  none: [profileSettings, passwordSettings],
  plain: [],
  kratos: [],
  clerk: [],
}

/** Changing one's own profile, password and second factors. */
export const settings: FlowKind = {
  type: 'settings',
  page: '/profile-settings',
  lifetimeMs: 3_600_000,
  ids: { expired: 4050001, noMethod: 4050002 },
  methods: ({ ctx }) => methods[ctx.config.QUARTERDECK_AUTH],

  begin(call) {
    if (!call.session) throw sessionInactive()
    if (isHalfWay(call.session)) throw secondFactorRequired(call.base, '/profile-settings')
    const kept = call.ctx.config.QUARTERDECK_AUTH === 'plain' ? [messages.keptInFile] : []
    return { step: 'show_form', identity_id: call.session.identity.id, messages: kept }
  },

  guard(call, flow) {
    if (!call.session) throw sessionInactive()
    if (isHalfWay(call.session)) throw secondFactorRequired(call.base, `/profile-settings?flow=${flow.id}`)
    if (flow.id !== '' && call.session.identity.id !== flow.state.identity_id) throw identityMismatch()
  },

  async extra({ ctx, base }, flow) {
    const identity = await identityById(ctx.db, flow.state.identity_id ?? '')
    if (!identity) throw new FlowError(404, undefined, 'The account is gone.')
    const cameByLink = flow.state.secret?.recovered === true && flow.state.step === 'success'
    const target = flow.state.return_to ?? '/'
    return {
      identity: presentIdentity(identity, base),
      ...(cameByLink ? { continue_with: [{ action: 'redirect_browser_to', redirect_browser_to: target }] } : {}),
    }
  },
}
