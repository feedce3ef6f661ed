import { covers, effectiveRoles, type Role } from '@quarterdeck/contract/permissions'
import type { Context } from '../../context.ts'
import type { Sql } from '../db/db.ts'
import { authState } from './auth-state.ts'
import type { Principal } from './principal.ts'

interface PersonRow {
  id: string
  name: string
  email: string | null
  type: string | null
  roles: string[]
  agent_id: string | null
}

const person = `
  select p.id, p.name, p.email, p.type,
    array(select r.v1 from casbin_rule r where r.ptype = 'g' and r.v0 = p.id::text order by r.id) as roles,
    (select a.id from agents a where a.person_id = p.id and a.deleted_at is null limit 1) as agent_id
  from people p left join identities i on i.id = p.id
  where p.deleted_at is null and coalesce(i.state, 'active') = 'active'`

/** An agent holds no role of the matrix: what it may do is named on the routes made for agents. */
function toPrincipal(row: PersonRow): Principal {
  const shared = { id: row.id, name: row.name, email: row.email }
  if (row.type === 'agent' || row.roles.includes('agent')) {
    return { kind: 'agent', ...shared, roles: [], ...(row.agent_id ? { agentId: row.agent_id } : {}) }
  }
  return { kind: 'person', ...shared, roles: effectiveRoles(row.roles) }
}

/** The person as they may act now; undefined when deleted or deactivated. */
export async function readPrincipal(sql: Sql, id: string): Promise<Principal | undefined> {
  const row = await sql.maybeOne<PersonRow>(`${person} and p.id = $1`, [id])
  return row && toPrincipal(row)
}

/** As readPrincipal, remembered for a few seconds. */
export const principalOf = (ctx: Context, id: string): Promise<Principal | undefined> =>
  authState(ctx).people.get(id, ctx.clock.now().getTime(), () => readPrincipal(ctx.db, id))

/** The person behind an access token that has not expired. */
export async function principalOfToken(sql: Sql, value: string, now: Date) {
  const token = await sql.maybeOne<{ person_id: string; expired: boolean; roles: Role[] | null }>(
    `select t.person_id, coalesce(t.expires_at <= $2, false) as expired, s.roles
     from access_tokens t left join access_token_scopes s on s.token_id = t.id where t.value = $1`,
    [value, now],
  )
  if (!token) return undefined
  const person = await readPrincipal(sql, token.person_id)
  return { expired: token.expired, principal: person && bounded(person, token.roles) }
}

/** A token never does more than its person may now, whatever it was made for; one that may do nothing is none. */
function bounded(person: Principal, scope: readonly Role[] | null): Principal | undefined {
  if (person.kind === 'agent') return person
  const roles = scope ? scope.filter((role) => covers(person.roles, role)) : person.roles
  return scope && roles.length === 0 ? undefined : { ...person, roles, viaToken: true }
}

/** The people whose name or address is this one, for the password file. */
export const peopleNamed = (sql: Sql, name: string) =>
  sql.query<{ id: string; name: string; email: string | null }>(
    `select id, name, email from people
     where deleted_at is null and type is distinct from 'agent' and (lower(email) = lower($1) or lower(name) = lower($1))`,
    [name],
  )

/** Somebody who is known by an address but cannot sign in. */
export const personWithoutAccount = (sql: Sql, email: string) =>
  sql.maybeOne<{ id: string }>(
    `select p.id from people p
     where p.deleted_at is null and p.type is distinct from 'agent' and lower(p.email) = lower($1)
       and not exists (select 1 from identities i where i.id = p.id)`,
    [email],
  )

/** The administrator who was there first; the one who acts when sessions are switched off. */
export async function firstAdministrator(sql: Sql): Promise<Principal | undefined> {
  const row = await sql.maybeOne<PersonRow>(
    `${person} and p.type is distinct from 'agent'
       and exists (select 1 from casbin_rule r where r.ptype = 'g' and r.v0 = p.id::text and r.v1 = 'admin')
     order by p.created_at, p.id limit 1`,
  )
  return row && toPrincipal(row)
}
