import { Email, type Traits } from '@quarterdeck/contract/identity'
import type { OidcProvider } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { createIdentity } from '../accounts.ts'
import { audit } from '../audit.ts'
import { personWithoutAccount, readPrincipal } from '../directory.ts'
import { factorByIdentifier, insertFactor } from '../factors.sql.ts'
import { FlowInvalid } from '../flows/flow-errors.ts'
import type { FlowCall } from '../flows/flow.ts'
import { messages } from '../flows/messages.ts'
import { hasCredentials, identityByEmail, lockIdentity, markVerified } from '../identity.sql.ts'
import type { Sql } from '../../db/db.ts'
import type { Claims } from './exchange.ts'

export const subjectOf = (provider: OidcProvider, claims: Claims): string => `${provider.id}:${claims.sub}`

/**
 * Whose account this sign-in opens: the one it is linked to; else that of somebody invited by the address, which the
 * provider must have verified; else a new one when the settings allow it. An account with other ways to sign in is not
 * taken over by an address: its owner links the provider in the settings.
 */
export async function accountOf(call: FlowCall, provider: OidcProvider, claims: Claims): Promise<string> {
  const { ctx } = call
  const linked = await factorByIdentifier(ctx.db, 'oidc', subjectOf(provider, claims))
  const id = linked?.identity_id ?? (await ctx.db.tx((sql) => firstSignIn(call, sql, provider, claims)))
  if (!(await readPrincipal(ctx.db, id))) throw new FlowInvalid([messages.deactivated])
  return id
}

async function firstSignIn(call: FlowCall, sql: Sql, provider: OidcProvider, claims: Claims): Promise<string> {
  const { ctx, request } = call
  const email = Email.safeParse(claims.email ?? '')
  const isVerified = claims.email_verified === true || claims.email_verified === 'true'
  if (!email.success || !isVerified) throw new FlowInvalid([messages.addressNotProven(provider.label)])
  const identity = (await identityByEmail(sql, email.data)) ?? (await admitted(ctx, sql, email.data, claims))
  await lockIdentity(sql, identity.id)
  if (await hasCredentials(sql, identity.id)) throw new FlowInvalid([messages.linkFirst(provider.label)])
  await linkProvider(ctx, sql, identity.id, provider, claims)
  await markVerified(sql, identity.id, email.data, ctx.clock.now())
  await audit(sql, {
    action: 'social_sign_in_linked',
    actor: { id: identity.id, name: email.data },
    target: { type: 'identity', id: identity.id, name: email.data },
    details: { provider: provider.id, first: true },
    request,
  })
  return identity.id
}

/** Somebody without an account: known to us, or welcome by the settings. */
async function admitted(ctx: Context, sql: Sql, email: string, claims: Claims) {
  const isKnown = (await personWithoutAccount(sql, email)) !== undefined
  if (!isKnown && ctx.config.QUARTERDECK_OIDC_UNKNOWN === 'refuse') throw new FlowInvalid([messages.notInvited])
  const clean = (text = '') =>
    text
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 100)
  const name = { first: clean(claims.given_name ?? claims.name), last: clean(claims.family_name) }
  return createIdentity(ctx, sql, { email, name } satisfies Traits)
}

export async function linkProvider(
  ctx: Context,
  sql: Sql,
  identityId: string,
  provider: OidcProvider,
  claims: Claims,
): Promise<void> {
  const identifiers = [subjectOf(provider, claims)]
  await insertFactor(sql, {
    identityId,
    type: 'oidc',
    identifiers,
    config: { provider: provider.id },
    now: ctx.clock.now(),
  }).catch((error: unknown) => {
    throw (error as { code?: string }).code === '23505' ? new FlowInvalid([messages.linkedElsewhere]) : error
  })
}
