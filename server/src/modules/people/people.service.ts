import { Email, type InviteUser, passwordLimits, type Traits } from '@quarterdeck/contract/identity'
import { type Role, roles as knownRoles } from '@quarterdeck/contract/permissions'
import type { Context } from '../../context.ts'
import { AddressTaken, createIdentity, setIdentityState, storePassword } from '../../platform/auth/accounts.ts'
import { audit } from '../../platform/auth/audit.ts'
import { forgetPerson } from '../../platform/auth/auth-state.ts'
import { endSessionsOf } from '../../platform/auth/identity.sql.ts'
import { hashPassword, passwordFault } from '../../platform/auth/passwords.ts'
import type { Sql } from '../../platform/db/db.ts'
import { AppError, badRequest, conflict, notFound } from '../../platform/errors.ts'
import { type Act, actor } from './act.ts'
import {
  humans,
  lockAdministrators,
  otherAdministrators,
  personByEmail,
  personById,
  type PersonRow,
  replaceRoles,
} from './people.sql.ts'

export type NewPerson = Omit<InviteUser, 'roles'> & { roles?: readonly Role[] }

/** The person a command or route means, by id or address; throws 404. */
export async function findPerson(sql: Sql, idOrEmail: string): Promise<PersonRow> {
  const found = await (idOrEmail.includes('@') ? personByEmail(sql, idOrEmail) : personById(sql, idOrEmail))
  if (!found) throw notFound(`The person ${idOrEmail.slice(0, 100)}`)
  return found
}

export const listPeople = (ctx: Context): Promise<PersonRow[]> => humans(ctx.db)

/** Makes an account with its person, and gives it roles. Without a password it can be used only through a link. */
export async function addPerson(ctx: Context, act: Act, person: NewPerson & { password?: string }): Promise<string> {
  const { password, email } = person
  if (password !== undefined) refuseWeakPassword(password, email)
  const hash = password === undefined ? undefined : await hashPassword(password)
  return ctx.db.tx((sql) => insertPerson(ctx, sql, act, person, hash))
}

/** As addPerson, inside the caller's transaction and with a hash made before it. */
export async function insertPerson(
  ctx: Context,
  sql: Sql,
  act: Act,
  person: NewPerson,
  hash?: string,
): Promise<string> {
  const traits: Traits = { email: Email.parse(person.email), name: { first: person.firstName, last: person.lastName } }
  const identity = await createIdentity(ctx, sql, traits).catch((error: unknown) => {
    throw error instanceof AddressTaken
      ? conflict('User already exists', `${traits.email} belongs to another person.`)
      : error
  })
  if (hash) await storePassword(ctx, sql, { identityId: identity.id, hash })
  if (person.roles?.length) await replaceRoles(sql, identity.id, knownRoles, person.roles)
  await audit(sql, {
    action: hash ? 'person_added' : 'person_invited',
    ...actor(act),
    target: { type: 'identity', id: identity.id, name: traits.email },
    details: { roles: person.roles ?? [] },
  })
  return identity.id
}

function refuseWeakPassword(password: string, email: string): void {
  const fault = passwordFault(password, email)
  if (!fault) return
  const words = {
    'too-short': `The password needs at least ${passwordLimits.min} characters`,
    'too-long': `The password may have at most ${passwordLimits.max} characters`,
    common: 'This password is among the first that anybody would try',
    'like-name': 'The password must not be the address',
  }
  throw badRequest(words[fault])
}

/** Sets somebody's password and ends their sessions. */
export async function setPassword(ctx: Context, act: Act, idOrEmail: string, password: string): Promise<void> {
  const person = await findPerson(ctx.db, idOrEmail)
  if (person.state === null) throw badRequest(`${person.name} does not sign in with a password`)
  refuseWeakPassword(password, person.email ?? '')
  const hash = await hashPassword(password)
  await ctx.db.tx(async (sql) => {
    await storePassword(ctx, sql, { identityId: person.id, hash })
    await audit(sql, {
      action: 'password_changed',
      ...actor(act),
      target: { type: 'identity', id: person.id, name: person.email },
    })
  })
  forgetPerson(ctx, person.id)
}

/** Gives a person exactly these roles. */
export async function setRoles(ctx: Context, act: Act, idOrEmail: string, roles: readonly Role[]): Promise<void> {
  const { id } = await ctx.db.tx(async (sql) => {
    await lockAdministrators(sql)
    const person = await findPerson(sql, idOrEmail)
    if (person.type === 'agent') throw badRequest('An agent has no roles; what it may do is fixed')
    if (!roles.includes('admin')) await keepAnAdministrator(ctx, sql, [person], 'lose the role admin')
    await replaceRoles(sql, person.id, knownRoles, roles)
    // What was opened with other rights ends; whoever changes their own stays where they are.
    await endSessionsOf(sql, person.id, act.by?.id === person.id ? (act.by.sessionId ?? null) : null)
    await audit(sql, {
      action: 'roles_changed',
      ...actor(act),
      target: { type: 'identity', id: person.id, name: person.email ?? person.name },
      details: { from: person.roles, to: roles },
    })
    return person
  })
  forgetPerson(ctx, id)
}

/** Switches an account off, which ends its sessions and stops its tokens, or on again. */
export async function setState(ctx: Context, act: Act, idOrEmail: string, state: 'active' | 'inactive'): Promise<void> {
  const { id } = await ctx.db.tx(async (sql) => {
    await lockAdministrators(sql)
    const person = await findPerson(sql, idOrEmail)
    if (person.state === null) throw badRequest(`${person.name} does not sign in here`)
    if (state === 'inactive') await keepAnAdministrator(ctx, sql, [person], 'be deactivated')
    await setIdentityState(ctx, sql, person.id, state)
    if (person.state !== state) {
      await audit(sql, {
        action: state === 'active' ? 'person_activated' : 'person_deactivated',
        ...actor(act),
        target: { type: 'identity', id: person.id, name: person.email },
      })
    }
    return person
  })
  forgetPerson(ctx, id)
}

export const disable = (ctx: Context, act: Act, idOrEmail: string): Promise<void> =>
  setState(ctx, act, idOrEmail, 'inactive')

/** Throws when nobody could administer the server without these people. Hold the administrators' lock. */
export async function keepAnAdministrator(
  ctx: Context,
  sql: Sql,
  people: readonly Pick<PersonRow, 'id' | 'name' | 'email' | 'roles'>[],
  what: string,
): Promise<void> {
  const administrator = people.find(({ roles }) => roles.includes('admin'))
  if (!administrator) return
  const anyWay = ctx.config.QUARTERDECK_AUTH !== 'builtin'
  const ids = people.map(({ id }) => id)
  if ((await otherAdministrators(sql, ids, anyWay)) > 0) return
  throw new AppError(
    409,
    'last_administrator',
    `The last administrator cannot ${what}`,
    `Without ${administrator.email ?? administrator.name} no administrator could sign in.`,
    'Make somebody else administrator first.',
  )
}
