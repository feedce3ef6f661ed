import { alreadySignedIn, FlowError } from './flow-errors.ts'
import type { FlowKind } from './flow.ts'
import { messages } from './messages.ts'
import { passwordLogin } from './methods/password-login.ts'

/** Signing in. */
export const login: FlowKind = {
  type: 'login',
  page: '/login',
  lifetimeMs: 3_600_000,
  ids: { expired: 4010001, noMethod: 4010002 },
  methods: () => [passwordLogin],

  begin(call, query, returnTo) {
    const refresh = query.get('refresh') === 'true' && call.session !== undefined
    const aal = query.get('aal') || 'aal1'
    if (aal !== 'aal1' && aal !== 'aal2') throw new FlowError(400, undefined, 'aal must be aal1 or aal2.')
    if (call.session && !refresh && call.session.aal >= aal) throw alreadySignedIn(returnTo ?? '/')
    if (!call.session && aal === 'aal2') {
      throw new FlowError(401, 'session_aal1_required', 'Sign in with your password first.')
    }
    const shown = [...(refresh ? [messages.confirmItIsYou] : []), ...(aal === 'aal2' ? [messages.secondFactor] : [])]
    return { refresh, aal, messages: shown, ...(call.session ? { identity_id: call.session.identity.id } : {}) }
  },

  guard(call, flow) {
    if (call.session && !flow.state.refresh && call.session.aal >= (flow.state.aal ?? 'aal1')) {
      throw alreadySignedIn(flow.state.return_to ?? '/')
    }
  },

  extra: (_call, { state }) => ({ refresh: state.refresh ?? false, requested_aal: state.aal ?? 'aal1' }),
}
