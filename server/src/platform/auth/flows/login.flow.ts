import { alreadySignedIn, FlowError } from './flow-errors.ts'
import type { FlowKind } from './flow.ts'
import { messages } from './messages.ts'
import { lookupLogin } from './methods/lookup-secret.ts'
import { oidcLogin } from './methods/oidc.ts'
import { passwordLogin } from './methods/password-login.ts'
import { totpLogin } from './methods/totp.ts'
import { webauthnLogin } from './methods/webauthn.ts'

/** Signing in. */
export const login: FlowKind = {
  type: 'login',
  page: '/login',
  lifetimeMs: 3_600_000,
  ids: { expired: 4010001, noMethod: 4010002 },
  methods: () => [passwordLogin, oidcLogin, totpLogin, webauthnLogin, lookupLogin],

  begin(call, query, returnTo) {
    const refresh = query.get('refresh') === 'true' && call.session !== undefined
    const aal = query.get('aal') || 'aal1'
    if (aal !== 'aal1' && aal !== 'aal2') throw new FlowError(400, undefined, 'aal must be aal1 or aal2.')
    if (call.session && !refresh && call.session.aal >= aal) throw alreadySignedIn(returnTo ?? '/')
    if (!call.session && aal === 'aal2') {
      throw new FlowError(401, 'session_aal1_required', 'Sign in with your password first.')
    }
    // Without a second factor there is nothing more to show.
    if (aal === 'aal2' && !call.session?.second_factor) throw alreadySignedIn(returnTo ?? '/')
    const shown = aal === 'aal2' ? [messages.secondFactor] : refresh ? [messages.confirmItIsYou] : []
    return { refresh, aal, messages: shown, ...(call.session ? { identity_id: call.session.identity.id } : {}) }
  },

  guard(call, flow) {
    if (call.session && !flow.state.refresh && call.session.aal >= (flow.state.aal ?? 'aal1')) {
      throw alreadySignedIn(flow.state.return_to ?? '/')
    }
  },

  extra: (_call, { state }) => ({ refresh: state.refresh ?? false, requested_aal: state.aal ?? 'aal1' }),
}
