import { identityById } from '../identity.sql.ts'
import { presentIdentity } from '../sessions.ts'
import { FlowError, identityMismatch, sessionInactive } from './flow-errors.ts'
import type { FlowKind } from './flow.ts'
import { messages } from './messages.ts'
import { passwordSettings } from './methods/password-settings.ts'
import { profileSettings } from './methods/profile-settings.ts'

/** Changing one's own profile and password. */
export const settings: FlowKind = {
  type: 'settings',
  page: '/profile-settings',
  lifetimeMs: 3_600_000,
  ids: { expired: 4050001, noMethod: 4050002 },
  // A password file knows people by their names, so neither names nor passwords are theirs to change.
  methods: ({ ctx }) => (ctx.config.QUARTERDECK_AUTH === 'plain' ? [] : [profileSettings, passwordSettings]),

  begin(call) {
    if (!call.session) throw sessionInactive()
    const kept = call.ctx.config.QUARTERDECK_AUTH === 'plain' ? [messages.keptInFile] : []
    return { step: 'show_form', identity_id: call.session.identity.id, messages: kept }
  },

  guard(call, flow) {
    if (!call.session) throw sessionInactive()
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
