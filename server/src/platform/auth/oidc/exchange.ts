import { createHash } from 'node:crypto'
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { z } from 'zod'
import type { OidcProvider } from '../../../config.ts'
import { sameText } from '../csrf.ts'
import { FlowInvalid } from '../flows/flow-errors.ts'
import type { FlowCall, FlowRecord } from '../flows/flow.ts'
import { messages } from '../flows/messages.ts'
import { updateFlow } from '../identity.sql.ts'
import { providerConfiguration } from './client.ts'

export const providerById = ({ ctx }: FlowCall, id: string): OidcProvider | undefined =>
  ctx.config.QUARTERDECK_OIDC_PROVIDERS.find((provider) => provider.id === id)

const callbackOf = ({ base }: FlowCall, { id }: OidcProvider) => `${base}/self-service/methods/oidc/callback/${id}`
const digestOf = (state: string) => createHash('sha256').update(state).digest('base64url')

const Pending = z.object({ provider: z.string(), state: z.string(), nonce: z.string(), verifier: z.string() })

const unavailable = ({ label }: OidcProvider) => new FlowInvalid([messages.providerDown(label)])

/** The provider's address to go to. State, nonce and verifier stay in the flow, which belongs to this browser. */
export async function beginExchange(call: FlowCall, flow: FlowRecord, provider: OidcProvider): Promise<string> {
  const { ctx } = call
  const configuration = await providerConfiguration(ctx, provider).catch((error: unknown) => {
    ctx.log.warn({ err: error, provider: provider.id }, 'the sign-in provider could not be asked')
    throw unavailable(provider)
  })
  const state = `${flow.type}.${flow.id}.${randomState()}`
  const [nonce, verifier] = [randomNonce(), randomPKCECodeVerifier()]
  const oidc = { provider: provider.id, state: digestOf(state), nonce, verifier: ctx.secrets.encrypt(verifier) }
  flow.state = { ...flow.state, messages: [], secret: { ...flow.state.secret, oidc } }
  await updateFlow(ctx.db, flow.id, flow.state)
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: callbackOf(call, provider),
    scope: provider.scope,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // Whoever confirms that it is them must do so, also at the provider.
    ...(flow.state.refresh ? { prompt: 'login' } : {}),
  })
  return url.href
}

/** Which flow an answer of a provider belongs to. */
export function flowOfState(state: string | null): { type: 'login' | 'settings'; id: string } | undefined {
  const [type, id] = (state ?? '').split('.')
  return (type === 'login' || type === 'settings') && id ? { type, id } : undefined
}

const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  name: z.string().optional(),
})
export type Claims = z.infer<typeof Claims>

/** Trades the answer of the provider for who it is about. An answer is looked at once, whatever becomes of it. */
export async function finishExchange(
  call: FlowCall,
  flow: FlowRecord,
  provider: OidcProvider,
  query: URLSearchParams,
): Promise<Claims> {
  const { ctx } = call
  const pending = Pending.safeParse(flow.state.secret?.oidc)
  const state = query.get('state') ?? ''
  const isOurs =
    pending.success && pending.data.provider === provider.id && sameText(digestOf(state), pending.data.state)
  flow.state = { ...flow.state, secret: { ...flow.state.secret, oidc: undefined } }
  await updateFlow(ctx.db, flow.id, flow.state)
  if (!isOurs) throw new FlowInvalid([messages.providerRefused(provider.label)])
  try {
    const configuration = await providerConfiguration(ctx, provider)
    const tokens = await authorizationCodeGrant(
      configuration,
      new URL(`${callbackOf(call, provider)}?${query.toString()}`),
      {
        expectedState: state,
        expectedNonce: pending.data.nonce,
        pkceCodeVerifier: ctx.secrets.decrypt(pending.data.verifier),
        idTokenExpected: true,
      },
    )
    return Claims.parse(tokens.claims())
  } catch (error) {
    ctx.log.warn({ provider: provider.id, reason: (error as Error).message }, 'a sign-in at a provider failed')
    throw new FlowInvalid([messages.providerRefused(provider.label)])
  }
}
