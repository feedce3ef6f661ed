import type { FastifyRequest } from 'fastify'
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { AppError, StartupError, unauthorized } from '../../errors.ts'
import { authState } from '../auth-state.ts'
import { principalOf } from '../directory.ts'
import { fingerprint } from '../fingerprint.ts'
import { fetchThrough } from '../outgoing.ts'
import type { Principal } from '../principal.ts'
import { type HostedUser, keepHostedPerson } from './clerk-people.ts'

/** Where the hosted provider serves this application; its address is part of the publishable key. */
export function clerkHost(config: Pick<Config, 'CLERK_PUBLISHABLE_KEY'>): string {
  const key = config.CLERK_PUBLISHABLE_KEY ?? ''
  const encoded = /^pk_(?:test|live)_([\w+/=-]+)$/.exec(key)?.[1]
  const host = Buffer.from(encoded ?? '', 'base64')
    .toString()
    .replace(/\$$/, '')
  if (!/^[a-z0-9][a-z0-9.-]*(?::\d+)?$/i.test(host))
    throw new StartupError('QUARTERDECK_AUTH=clerk needs CLERK_PUBLISHABLE_KEY: the key that begins with pk_.')
  return host
}

const issuerOf = (config: Config) => `https://${clerkHost(config)}`
const keySets = new WeakMap<Config, JWTVerifyGetKey>()

function keysOf(ctx: Context): JWTVerifyGetKey {
  const known = keySets.get(ctx.config)
  if (known) return known
  const url = ctx.config.CLERK_JWKS_URL ?? `${issuerOf(ctx.config)}/.well-known/jwks.json`
  const made = createRemoteJWKSet(new URL(url), {
    [customFetch]: fetchThrough(ctx) as typeof fetch,
    // A key that is not known yet is looked for again after this long: new keys work soon, forged ones cost little.
    cooldownDuration: 5000,
  })
  keySets.set(ctx.config, made)
  return made
}

const organisation = z.looseObject({ id: z.string(), rol: z.string().optional() })
const SessionClaims = z.looseObject({
  sub: z.string().min(1),
  azp: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  /** Sessions that still lack something, such as a second factor, say so. */
  sts: z.string().optional(),
  org_id: z.string().optional(),
  org_role: z.string().optional(),
  /** The same in tokens of the second version. */
  o: organisation.optional(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
  image_url: z.string().optional(),
})

/** A token of the hosted provider: three parts, where an access token of ours has five. */
export const isHostedToken = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)

const sessionToken = (request: FastifyRequest): string | undefined =>
  /(?:^|;\s*)__session=([\w-]+\.[\w-]+\.[\w-]+)(?:;|$)/.exec(request.headers.cookie ?? '')?.[1]

/** Who the cookie of the hosted provider belongs to. One that is no longer good reads as absent: its page renews it. */
export async function hostedPrincipal(ctx: Context, request: FastifyRequest): Promise<Principal | undefined> {
  const token = sessionToken(request)
  if (!token) return undefined
  return hostedPrincipalOfToken(ctx, token).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 401) return undefined
    throw error
  })
}

/** As hostedPrincipal, for a token sent as a header; one that is not good throws 401. */
export async function hostedPrincipalOfToken(ctx: Context, token: string): Promise<Principal> {
  const now = ctx.clock.now()
  const principal = await authState(ctx).credentials.get(fingerprint('clerk', token), now.getTime(), async () => {
    const user = await userOf(ctx, token, now)
    const id = await keepHostedPerson(ctx, user)
    return principalOf(ctx, id)
  })
  if (!principal) throw unauthorized('This account cannot be used here')
  return principal
}

const keysUnreadable = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'])

async function userOf(ctx: Context, token: string, now: Date): Promise<HostedUser> {
  const { payload } = await jwtVerify(token, keysOf(ctx), {
    issuer: issuerOf(ctx.config),
    algorithms: ['RS256', 'ES256', 'EdDSA'],
    requiredClaims: ['sub', 'exp'],
    clockTolerance: 5,
    currentDate: now,
  }).catch((error: unknown) => {
    if (error instanceof errors.JOSEError && !keysUnreadable.has(error.code))
      throw unauthorized('The token of the identity provider is not valid')
    ctx.log.error({ err: error }, 'the keys of the identity provider could not be read')
    throw new AppError(502, 'identity_unavailable', 'The identity service does not answer. Try again in a moment.')
  })
  const claims = SessionClaims.safeParse(payload)
  if (!claims.success) throw unauthorized('The token of the identity provider is not valid')
  const { sub, azp, aud, sts, org_id, org_role, o, email, email_verified, name, image_url } = claims.data
  const allowed = ctx.config.CLERK_AUTHORIZED_PARTIES
  // Tokens of sessions name no audience; one that does was made for somebody else unless it is one of ours.
  const isMeant = aud === undefined || [aud].flat().some((one) => allowed.includes(one))
  if (!isMeant || (allowed.length > 0 && !allowed.includes(azp ?? '')))
    throw unauthorized('The token was made for another site')
  if (sts !== undefined && sts !== 'active') throw unauthorized('The sign-in is not complete')
  if ((o?.id ?? org_id) !== ctx.config.CLERK_ORG_ID)
    throw unauthorized('The token belongs to another organisation. Choose the one of this server.')
  const isAdmin = /^(?:org:)?admin$/.test(o?.rol ?? org_role ?? '')
  return {
    sub,
    email: email_verified === false ? undefined : email,
    name,
    avatar: image_url,
    role: isAdmin ? 'admin' : 'viewer',
  }
}
