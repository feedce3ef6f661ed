import { covers, effectiveRoles, type Role } from '@quarterdeck/contract/permissions'
import type { Context } from '../../context.ts'
import { audit } from '../../platform/auth/audit.ts'
import { forgetPerson } from '../../platform/auth/auth-state.ts'
import { makeToken } from '../../platform/auth/tokens.ts'
import { badRequest, conflict, notFound } from '../../platform/errors.ts'
import { isUuid, newId } from '../../platform/ids.ts'
import { type Act, actor } from './act.ts'
import { findPerson } from './people.service.ts'
import { deleteToken, insertScope, insertToken, listTokenRows, type TokenRow } from './people.sql.ts'

export interface NewAccessToken {
  /** Id or address of the person it acts for. */
  person: string
  name: string
  /** Null: never. */
  expiresAt: Date | null
  /** What it may do, when less than the person. */
  roles?: readonly Role[]
}

export interface CreatedToken {
  id: string
  /** Shown once; only its hash is stored. */
  token: string
}

export async function createToken(ctx: Context, act: Act, given: NewAccessToken): Promise<CreatedToken> {
  const now = ctx.clock.now()
  const name = given.name.trim()
  if (name === '' || name.length > 100) throw badRequest('A token needs a name of at most 100 characters')
  if (given.expiresAt && given.expiresAt <= now) throw badRequest('The end of a token must lie ahead')
  const person = await findPerson(ctx.db, given.person)
  const tooMuch = given.roles?.find((role) => !covers(effectiveRoles(person.roles), role))
  if (tooMuch) throw badRequest(`A token cannot be ${tooMuch}: ${person.name} may not do all of that`)
  const { text, value } = await makeToken()
  const id = newId(now.getTime())
  await ctx.db
    .tx(async (sql) => {
      await insertToken(sql, { id, name, personId: person.id, value, now, expiresAt: given.expiresAt })
      if (given.roles) await insertScope(sql, id, given.roles)
      await audit(sql, {
        action: 'token_created',
        ...actor(act),
        target: { type: 'access_token', id, name },
        details: { person: person.id, person_name: person.name, expires_at: given.expiresAt, roles: given.roles },
      })
    })
    .catch((error: unknown) => {
      throw (error as { code?: string }).code === '23505'
        ? conflict(`${person.name} has a token named ${name} already`)
        : error
    })
  return { id, token: text }
}

export const listTokens = async (ctx: Context, person?: string): Promise<TokenRow[]> =>
  listTokenRows(ctx.db, person === undefined ? null : (await findPerson(ctx.db, person)).id)

/** A revoked token is gone at once here, within seconds in other processes. `ownedBy`: only one of this person's. */
export async function revokeToken(ctx: Context, act: Act, id: string, ownedBy?: string): Promise<void> {
  if (!isUuid(id)) throw notFound('The token')
  const gone = await ctx.db.tx(async (sql) => {
    const row = await deleteToken(sql, id)
    if (!row || (ownedBy !== undefined && row.person_id !== ownedBy)) throw notFound('The token')
    await audit(sql, {
      action: 'token_revoked',
      ...actor(act),
      target: { type: 'access_token', id, name: row.name },
      details: { person: row.person_id },
    })
    return row
  })
  forgetPerson(ctx, gone.person_id)
}
