import { normalizeEmail } from '@quarterdeck/contract/identity'
import { roles as knownRoles } from '@quarterdeck/contract/permissions'
import type { Context } from '../../context.ts'
import { createIdentity, storePassword } from '../../platform/auth/accounts.ts'
import { audit } from '../../platform/auth/audit.ts'
import { identityByEmail, updateIdentityState } from '../../platform/auth/identity.sql.ts'
import { generatePassword, hashPassword } from '../../platform/auth/passwords.ts'
import type { Sql } from '../../platform/db/db.ts'
import { lockAdministrators, otherAdministrators, replaceRoles } from './people.sql.ts'

export interface FirstAdministrator {
  email: string
  /** Only when it was generated; print it once and forget it. */
  password?: string
}

/**
 * Makes the first administrator when nobody could administer the server, and answers how to sign in; undefined when
 * there is one. Safe to call at every start, by many processes at once. Prints nothing.
 */
export async function ensureFirstAdministrator(ctx: Context): Promise<FirstAdministrator | undefined> {
  const mode = ctx.config.QUARTERDECK_AUTH
  // Their people come with their accounts; see docs/identity.md for who becomes administrator.
  if (mode === 'kratos' || mode === 'clerk') return undefined
  const needsPassword = mode === 'builtin'
  if ((await otherAdministrators(ctx.db, [], !needsPassword)) > 0) return undefined

  const given = ctx.config.QUARTERDECK_ADMIN_PASSWORD
  const password = needsPassword ? (given ?? generatePassword()) : undefined
  const hash = password === undefined ? undefined : await hashPassword(password)
  const email = normalizeEmail(ctx.config.QUARTERDECK_ADMIN_EMAIL)
  const isMade = await ctx.db.tx(async (sql) => {
    await lockAdministrators(sql)
    if ((await otherAdministrators(sql, [], !needsPassword)) > 0) return false
    await makeAdministrator(ctx, sql, email, hash)
    return true
  })
  if (!isMade) return undefined
  return password === undefined || given !== undefined ? { email } : { email, password }
}

async function makeAdministrator(ctx: Context, sql: Sql, email: string, hash: string | undefined): Promise<void> {
  const existing = await identityByEmail(sql, email)
  const identity = existing ?? (await createIdentity(ctx, sql, { email, name: { first: 'Admin', last: '' } }))
  if (identity.state === 'inactive') await updateIdentityState(sql, identity.id, 'active', ctx.clock.now())
  if (hash) await storePassword(ctx, sql, { identityId: identity.id, hash })
  await replaceRoles(sql, identity.id, knownRoles, ['admin'])
  await audit(sql, {
    action: 'person_added',
    actor: { id: null, name: 'first start' },
    target: { type: 'identity', id: identity.id, name: email },
    details: { roles: ['admin'] },
  })
}
