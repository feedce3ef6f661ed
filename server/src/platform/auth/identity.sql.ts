import type { Traits } from '@quarterdeck/contract/identity'
import type { Sql } from '../db/db.ts'

/** Every query on identities, their credentials, sessions and flows. Times come from the caller's clock. */

export interface IdentityRow {
  id: string
  schema_id: string
  traits: Traits
  state: 'active' | 'inactive'
  state_changed_at: Date
  created_at: Date
  updated_at: Date
  /** When the address was proven; null when it was not. */
  verified_at: Date | null
}

/** As PostgreSQL writes it into JSON. */
export type IdentityJson = {
  [Name in keyof IdentityRow]: IdentityRow[Name] extends Date
    ? string
    : IdentityRow[Name] extends Date | null
      ? string | null
      : IdentityRow[Name]
}

const verifiedAt = `(select a.verified_at from identity_addresses a
  where a.identity_id = i.id and a.value = lower(i.traits ->> 'email'))`
const identityColumns = `i.id, i.schema_id, i.traits, i.state, i.state_changed_at, i.created_at, i.updated_at,
  ${verifiedAt} as verified_at`

export const identityById = (sql: Sql, id: string) =>
  sql.maybeOne<IdentityRow>(`select ${identityColumns} from identities i where i.id = $1`, [id])

/** Locks the identity until the transaction ends, so that two changes of one account follow each other. */
export const lockIdentity = (sql: Sql, id: string) =>
  sql.maybeOne<IdentityRow>(`select ${identityColumns} from identities i where i.id = $1 for update`, [id])

export const identityByEmail = (sql: Sql, email: string) =>
  sql.maybeOne<IdentityRow>(
    `select ${identityColumns} from identities i where lower(i.traits ->> 'email') = lower($1)`,
    [email],
  )

/** A trigger makes the person with the same id, name and address. */
export const insertIdentity = (sql: Sql, id: string, traits: Traits, now: Date) =>
  sql.one<IdentityRow>(
    `insert into identities as i (id, traits, state_changed_at, created_at, updated_at) values ($1, $2, $3, $3, $3)
     returning ${identityColumns}`,
    [id, JSON.stringify(traits), now],
  )

export const updateTraits = (sql: Sql, id: string, traits: Traits, now: Date) =>
  sql.run('update identities set traits = $2, updated_at = $3 where id = $1', [id, JSON.stringify(traits), now])

export const updateIdentityState = (sql: Sql, id: string, state: string, now: Date) =>
  sql.run(
    `update identities set state = $2, updated_at = $3,
       state_changed_at = case when state = $2 then state_changed_at else $3 end
     where id = $1`,
    [id, state, now],
  )

interface PasswordRow extends IdentityRow {
  hash: string | null
}

/** The account that signs in under this identifier. */
export const passwordByIdentifier = (sql: Sql, identifier: string) =>
  sql.maybeOne<PasswordRow>(
    `select ${identityColumns}, c.config ->> 'hashed_password' as hash
     from identity_credentials c join identities i on i.id = c.identity_id
     where c.type = 'password' and c.identifiers @> array[$1::text]`,
    [identifier],
  )

export const hasPassword = async (sql: Sql, identityId: string): Promise<boolean> =>
  (await sql.run(`select 1 from identity_credentials where identity_id = $1 and type = 'password'`, [identityId])) > 0

/** Whether there is any way to sign in: an account that was only invited has none. */
export const hasCredentials = async (sql: Sql, identityId: string): Promise<boolean> =>
  (await sql.run(`select 1 from identity_credentials where identity_id = $1 limit 1`, [identityId])) > 0

/** Sets the one password of an account; the identity must be locked. */
export async function writePassword(sql: Sql, identityId: string, identifier: string, hash: string, now: Date) {
  const values = [identityId, [identifier], JSON.stringify({ hashed_password: hash }), now]
  const updated = await sql.run(
    `update identity_credentials set identifiers = $2, config = $3, updated_at = $4
     where identity_id = $1 and type = 'password'`,
    values,
  )
  if (updated > 0) return
  await sql.run(
    `insert into identity_credentials (identity_id, type, identifiers, config, created_at, updated_at)
     values ($1, 'password', $2, $3, $4, $4)`,
    values,
  )
}

export const renameIdentifier = (sql: Sql, identityId: string, identifier: string, now: Date) =>
  sql.run(
    `update identity_credentials set identifiers = $2, updated_at = $3 where identity_id = $1 and type = 'password'`,
    [identityId, [identifier], now],
  )

/** Whoever signs in with a link or code from a mail owns its address. */
export const markVerified = (sql: Sql, identityId: string, email: string, now: Date) =>
  sql.run(
    `insert into identity_addresses (identity_id, value, verified_at) values ($1, lower($2), $3)
     on conflict (identity_id, value) do nothing`,
    [identityId, email, now],
  )

export interface AuthenticationMethod {
  method: string
  aal: 'aal1' | 'aal2'
  completed_at: string
}

export interface SessionRow {
  id: string
  issued_at: Date
  expires_at: Date
  authenticated_at: Date
  aal: 'aal1' | 'aal2'
  amr: AuthenticationMethod[]
  active: boolean
  user_agent: string | null
  ip: string | null
}

const sessionColumns = 's.id, s.issued_at, s.expires_at, s.authenticated_at, s.aal, s.amr, s.active, s.user_agent, s.ip'

export interface NewSession extends Omit<SessionRow, 'active'> {
  identity_id: string
  token_hash: string
}

export const insertSession = (sql: Sql, session: NewSession) =>
  sql.run(
    `insert into identity_sessions
       (id, identity_id, token_hash, issued_at, expires_at, authenticated_at, aal, amr, user_agent, ip)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      session.id,
      session.identity_id,
      session.token_hash,
      session.issued_at,
      session.expires_at,
      session.authenticated_at,
      session.aal,
      JSON.stringify(session.amr),
      session.user_agent,
      session.ip,
    ],
  )

/** A session that may be used now, with the identity it belongs to. */
export const liveSession = (sql: Sql, tokenHash: string, now: Date) =>
  sql.maybeOne<SessionRow & { identity: IdentityJson; second_factor: boolean }>(
    `select ${sessionColumns}, jsonb_build_object('id', i.id, 'schema_id', i.schema_id, 'traits', i.traits,
       'state', i.state, 'state_changed_at', i.state_changed_at, 'created_at', i.created_at,
       'updated_at', i.updated_at, 'verified_at', ${verifiedAt}) as identity,
       exists (select 1 from identity_credentials c
         where c.identity_id = i.id and c.type in ('totp', 'webauthn')) as second_factor
     from identity_sessions s join identities i on i.id = s.identity_id
     where s.token_hash = $1 and s.active and s.expires_at > $2 and i.state = 'active'`,
    [tokenHash, now],
  )

export const sessionsOf = (sql: Sql, identityId: string, now: Date) =>
  sql.query<SessionRow>(
    `select ${sessionColumns} from identity_sessions s
     where s.identity_id = $1 and s.active and s.expires_at > $2 order by s.authenticated_at desc limit 250`,
    [identityId, now],
  )

export const extendSession = (sql: Sql, id: string, until: Date) =>
  sql.run('update identity_sessions set expires_at = $2 where id = $1 and active', [id, until])

export const writeProofs = (sql: Sql, id: string, aal: 'aal1' | 'aal2', amr: readonly AuthenticationMethod[]) =>
  sql.run('update identity_sessions set aal = $2, amr = $3 where id = $1', [id, aal, JSON.stringify(amr)])

export const endSession = (sql: Sql, id: string, identityId: string) =>
  sql.run('update identity_sessions set active = false where id = $1 and identity_id = $2 and active', [id, identityId])

/** Ends every session of an account but the given one. */
export const endSessionsOf = (sql: Sql, identityId: string, except: string | null = null) =>
  sql.run(
    `update identity_sessions set active = false
     where identity_id = $1 and active and ($2::uuid is null or id <> $2)`,
    [identityId, except],
  )

export interface FlowRow<State> {
  id: string
  type: string
  state: State
  issued_at: Date
  expires_at: Date
}

export const insertFlow = <State>(sql: Sql, flow: FlowRow<State>) =>
  sql.run('insert into identity_flows (id, type, state, issued_at, expires_at) values ($1, $2, $3, $4, $5)', [
    flow.id,
    flow.type,
    JSON.stringify(flow.state),
    flow.issued_at,
    flow.expires_at,
  ])

export const flowById = <State>(sql: Sql, type: string, id: string) =>
  sql.maybeOne<FlowRow<State>>(
    'select id, type, state, issued_at, expires_at from identity_flows where id = $1 and type = $2',
    [id, type],
  )

export const lockFlow = <State>(sql: Sql, type: string, id: string) =>
  sql.maybeOne<FlowRow<State>>(
    'select id, type, state, issued_at, expires_at from identity_flows where id = $1 and type = $2 for update',
    [id, type],
  )

const isDone = `coalesce((state ->> 'completed')::boolean, false)`

/** Writes the whole state. A flow that has done its work meanwhile stays done. */
export const updateFlow = <State>(sql: Sql, id: string, state: State) =>
  sql.run(
    `update identity_flows set state = $2
     where id = $1 and (not ${isDone} or coalesce(($2::jsonb ->> 'completed')::boolean, false))`,
    [id, JSON.stringify(state)],
  )

/** Writes what is wrong with a form, and nothing else: another request may have moved the flow on. */
export const noteFlow = (sql: Sql, id: string, messages: unknown, fields: unknown) =>
  sql.run(
    `update identity_flows set state = state || jsonb_build_object('messages', $2::jsonb, 'fields', $3::jsonb)
     where id = $1 and not ${isDone}`,
    [id, JSON.stringify(messages), JSON.stringify(fields)],
  )
