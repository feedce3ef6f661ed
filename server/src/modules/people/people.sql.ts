import type { Sql } from '../../platform/db/db.ts'
import { lockClass, locks } from '../../platform/db/locks.ts'

export interface PersonRow {
  id: string
  name: string
  email: string | null
  avatar: string | null
  type: string | null
  external_id: string | null
  properties: Record<string, unknown> | null
  /** Of the identity; null when the person has none. */
  state: string | null
  roles: string[]
}

const person = `
  select p.id, p.name, p.email, p.avatar, p.type, p.external_id, p.properties, i.state,
    array(select r.v1 from casbin_rule r where r.ptype = 'g' and r.v0 = p.id::text order by r.id) as roles
  from people p left join identities i on i.id = p.id
  where p.deleted_at is null`

export const personById = (sql: Sql, id: string) => sql.maybeOne<PersonRow>(`${person} and p.id = $1`, [id])

export const peopleById = (sql: Sql, ids: readonly string[]) =>
  sql.query<PersonRow>(`${person} and p.id = any($1)`, [ids])

export const personByEmail = (sql: Sql, email: string) =>
  sql.maybeOne<PersonRow>(`${person} and lower(p.email) = lower($1)`, [email])

/** People who sign in; machine users and the system's own row are left out. */
export const humans = (sql: Sql) =>
  sql.query<PersonRow>(`${person} and i.id is not null and p.type is distinct from 'agent' order by p.name, p.id`)

/** Until the transaction ends nobody else counts or changes administrators. */
export const lockAdministrators = (sql: Sql) =>
  sql.query('select pg_advisory_xact_lock($1, $2)', [lockClass, locks.administrators])

/** Administrators who can sign in, but these. `anyWay`: passwords are kept elsewhere, so having none here is fine. */
export async function otherAdministrators(sql: Sql, except: readonly string[], anyWay: boolean): Promise<number> {
  const row = await sql.one<{ count: number }>(
    `select count(*)::int as count
     from people p left join identities i on i.id = p.id
     where p.deleted_at is null and p.type is distinct from 'agent' and coalesce(i.state, 'active') = 'active'
       and p.id <> all($1::uuid[])
       and exists (select 1 from casbin_rule r where r.ptype = 'g' and r.v0 = p.id::text and r.v1 = 'admin')
       and ($2 or exists (select 1 from identity_credentials c where c.identity_id = p.id))`,
    [except, anyWay],
  )
  return row.count
}

/** Roles we do not know (another console's `everyone`) stay as they are. */
export async function replaceRoles(
  sql: Sql,
  id: string,
  known: readonly string[],
  roles: readonly string[],
): Promise<void> {
  await sql.run(`delete from casbin_rule where ptype = 'g' and v0 = $1 and v1 = any($2)`, [id, known])
  await sql.run(
    `insert into casbin_rule (ptype, v0, v1, v2, v3, v4, v5)
     select 'g', $1, role, '', '', '', '' from unnest($2::text[]) as role`,
    [id, [...new Set(roles)]],
  )
}

export const removeRoles = (sql: Sql, id: string) =>
  sql.run(`delete from casbin_rule where ptype = 'g' and v0 = $1`, [id])

export interface TokenRow {
  id: string
  name: string
  person_id: string
  person_name: string
  created_at: Date
  expires_at: Date | null
  /** Null: whatever the person may. */
  roles: string[] | null
}

/** Tokens, without their value; it is a secret even as a hash. */
export const listTokenRows = (sql: Sql, personId: string | null) =>
  sql.query<TokenRow>(
    `select t.id, t.name, t.person_id, p.name as person_name, t.created_at, t.expires_at, s.roles
     from access_tokens t join people p on p.id = t.person_id left join access_token_scopes s on s.token_id = t.id
     where ($1::uuid is null or t.person_id = $1) order by t.created_at desc, t.id`,
    [personId],
  )

export const insertToken = (
  sql: Sql,
  token: { id: string; name: string; personId: string; value: string; now: Date; expiresAt: Date | null },
) =>
  sql.run(
    'insert into access_tokens (id, name, person_id, value, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)',
    [token.id, token.name, token.personId, token.value, token.now, token.expiresAt],
  )

export const insertScope = (sql: Sql, tokenId: string, roles: readonly string[]) =>
  sql.run('insert into access_token_scopes (token_id, roles) values ($1, $2)', [tokenId, [...new Set(roles)]])

export const deleteToken = (sql: Sql, id: string) =>
  sql.maybeOne<{ name: string; person_id: string }>(
    'delete from access_tokens where id = $1 returning name, person_id',
    [id],
  )

/** How a person can reach the server right now. */
export const reachOf = (sql: Sql, id: string, now: Date) =>
  sql.one<{ password: boolean; sessions: number; tokens: number }>(
    `select exists (select 1 from identity_credentials where identity_id = $1 and type = 'password') as password,
       (select count(*)::int from identity_sessions where identity_id = $1 and active and expires_at > $2) as sessions,
       (select count(*)::int from access_tokens where person_id = $1 and (expires_at is null or expires_at > $2)) as tokens`,
    [id, now],
  )
