import { normalizeEmail, type Traits } from '@quarterdeck/contract/identity'
import type { Context } from '../../context.ts'
import type { Sql } from '../db/db.ts'
import { newId } from '../ids.ts'
import { personWithoutAccount } from './directory.ts'
import {
  endSessionsOf,
  type IdentityRow,
  insertIdentity,
  lockIdentity,
  renameIdentifier,
  updateIdentityState,
  updateTraits,
  writePassword,
} from './identity.sql.ts'

/** Another account has the address. */
export class AddressTaken extends Error {
  override name = 'AddressTaken'
}

const isDuplicate = (error: unknown) => (error as { code?: string }).code === '23505'
const orTaken = (error: unknown) => {
  throw isDuplicate(error) ? new AddressTaken('Another account has this address') : error
}

/**
 * Makes an account and, by trigger, its person; somebody who is known by this address and has no account yet gets it.
 * Without a password it can be used only through a link.
 */
export async function createIdentity(ctx: Context, sql: Sql, traits: Traits): Promise<IdentityRow> {
  const now = ctx.clock.now()
  const clean = { ...traits, email: normalizeEmail(traits.email) }
  const known = await personWithoutAccount(sql, clean.email)
  return insertIdentity(sql, known?.id ?? newId(now.getTime()), clean, now).catch(orTaken)
}

/** Sets a password and ends all sessions but one, since whoever knew the old one may hold one. Call forgetPerson after. */
export async function storePassword(
  ctx: Context,
  sql: Sql,
  { identityId, hash, keepSession }: { identityId: string; hash: string; keepSession?: string },
): Promise<void> {
  const identity = await lockIdentity(sql, identityId)
  if (!identity) throw new Error('there is no such identity')
  await writePassword(sql, identityId, normalizeEmail(identity.traits.email), hash, ctx.clock.now())
  await endSessionsOf(sql, identityId, keepSession ?? null)
}

/** Changes name and address; a trigger brings the person along. */
export async function changeTraits(ctx: Context, sql: Sql, identityId: string, traits: Traits): Promise<void> {
  const now = ctx.clock.now()
  const clean = { ...traits, email: normalizeEmail(traits.email) }
  await lockIdentity(sql, identityId)
  await updateTraits(sql, identityId, clean, now).catch(orTaken)
  await renameIdentifier(sql, identityId, clean.email, now)
}

/** Switches an account on or off; off ends its sessions. */
export async function setIdentityState(ctx: Context, sql: Sql, identityId: string, state: 'active' | 'inactive') {
  await lockIdentity(sql, identityId)
  await updateIdentityState(sql, identityId, state, ctx.clock.now())
  if (state === 'inactive') await endSessionsOf(sql, identityId)
}
