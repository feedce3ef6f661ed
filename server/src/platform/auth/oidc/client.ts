import { allowInsecureRequests, type Configuration, customFetch, discovery } from 'openid-client'
import type { OidcProvider } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { fetchThrough } from '../outgoing.ts'

const found = new WeakMap<OidcProvider, Promise<Configuration>>()

/** The provider as its own discovery document describes it; asked once, again after a failure. */
export function providerConfiguration(ctx: Context, provider: OidcProvider): Promise<Configuration> {
  const known = found.get(provider)
  if (known) return known
  const asked = discovery(new URL(provider.issuer), provider.client_id, provider.client_secret, undefined, {
    execute: provider.issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    [customFetch]: fetchThrough(ctx),
    timeout: 10,
  })
  found.set(provider, asked)
  asked.catch(() => found.delete(provider))
  return asked
}
