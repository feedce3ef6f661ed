import { deleteFactor, type Factor, factorsOf } from '../../factors.sql.ts'
import { hasPassword } from '../../identity.sql.ts'
import { beginExchange, finishExchange, providerById } from '../../oidc/exchange.ts'
import { accountOf, linkProvider } from '../../oidc/person.ts'
import { FlowInvalid, identityMismatch } from '../flow-errors.ts'
import { demandFreshSession } from '../fresh-session.ts'
import type { FlowCall, FlowInput, FlowMethod, FlowRecord, Outcome } from '../flow.ts'
import { labels, messages } from '../messages.ts'
import { submit } from '../nodes.ts'
import { changeFactors } from '../second-factor.ts'
import { signIn } from '../sign-in.ts'

const providersOf = ({ ctx }: FlowCall) =>
  ctx.config.QUARTERDECK_AUTH === 'builtin' ? ctx.config.QUARTERDECK_OIDC_PROVIDERS : []

function asked(call: FlowCall, given: FlowInput, field: string) {
  const provider = providerById(call, given.get(field) ?? '')
  if (!provider) throw new FlowInvalid([messages.noMethod(4000001)])
  return provider
}

/** Signing in at another site. */
export const oidcLogin: FlowMethod = {
  name: 'oidc',
  owns: (given) => (given.get('provider') ?? '') !== '',
  nodes: (call, flow) =>
    flow.state.aal === 'aal2'
      ? []
      : providersOf(call).map(({ id, label }) => submit('oidc', labels.signInWith(label), id, 'provider')),
  submit: async (call, flow, given) => ({
    kind: 'moved',
    redirect: await beginExchange(call, flow, asked(call, given, 'provider')),
  }),
}

const linksOf = ({ ctx, session }: FlowCall) => factorsOf<{ provider: string }>(ctx.db, session!.identity.id, 'oidc')
const linkTo = (links: readonly Factor<{ provider: string }>[], id: string) =>
  links.find(({ config }) => config.provider === id)

/** Linking another site to the account, and unlinking it while another way to sign in is left. */
export const oidcSettings: FlowMethod = {
  name: 'oidc',
  owns: (given) => (given.get('link') ?? '') !== '' || (given.get('unlink') ?? '') !== '',

  async nodes(call) {
    if (!call.session || providersOf(call).length === 0) return []
    const links = await linksOf(call)
    const canUnlink = links.length > 1 || (await hasPassword(call.ctx.db, call.session.identity.id))
    return providersOf(call).map(({ id, label }) => {
      if (!linkTo(links, id)) return submit('oidc', labels.linkProvider(label), id, 'link')
      const unlink = submit('oidc', labels.unlinkProvider(label), id, 'unlink')
      if (canUnlink) return unlink
      // The link is shown all the same, with the reason why it cannot be taken away.
      return { ...unlink, attributes: { ...unlink.attributes, disabled: true }, messages: [messages.onlyWayIn] }
    })
  },

  async submit(call, flow, given) {
    demandFreshSession(call, flow)
    if (!given.get('unlink')) {
      return { kind: 'moved', redirect: await beginExchange(call, flow, asked(call, given, 'link')) }
    }
    const provider = asked(call, given, 'unlink')
    const change = {
      method: 'oidc',
      action: 'social_sign_in_unlinked',
      details: { provider: provider.id },
    } as const
    return changeFactors(call, flow, change, async (sql, id) => {
      const links = await factorsOf<{ provider: string }>(sql, id, 'oidc')
      const link = linkTo(links, provider.id)
      if (!link || (links.length < 2 && !(await hasPassword(sql, id)))) throw new FlowInvalid([messages.lastWayIn])
      await deleteFactor(sql, id, 'oidc', link.identifiers[0] as string)
    })
  },
}

/** The way back from the provider. */
export async function comeBack(
  call: FlowCall,
  flow: FlowRecord,
  providerId: string,
  query: URLSearchParams,
): Promise<Outcome> {
  const provider = providerById(call, providerId)
  if (!provider) throw new FlowInvalid([messages.noMethod(4000001)])
  const claims = await finishExchange(call, flow, provider, query)
  if (flow.type === 'login') {
    const identityId = await accountOf(call, provider, claims)
    if (flow.state.refresh && call.session && call.session.identity.id !== identityId) throw identityMismatch()
    return signIn(call, flow, { identityId, method: 'oidc' })
  }
  const change = { method: 'oidc', action: 'social_sign_in_linked', details: { provider: provider.id } } as const
  return changeFactors(call, flow, change, (sql, id) => linkProvider(call.ctx, sql, id, provider, claims))
}
