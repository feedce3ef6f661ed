import type { Sql } from '../db/db.ts'

/** Credentials beside the password: totp, lookup_secret, webauthn, oidc. */
export type FactorType = 'totp' | 'lookup_secret' | 'webauthn' | 'oidc'

export interface Factor<Config> {
  id: string
  identity_id: string
  identifiers: string[]
  config: Config
  created_at: Date
}

const columns = 'id, identity_id, identifiers, config, created_at'

export const factorsOf = <Config>(sql: Sql, identityId: string, type: FactorType) =>
  sql.query<Factor<Config>>(
    `select ${columns} from identity_credentials where identity_id = $1 and type = $2 order by created_at, id`,
    [identityId, type],
  )

export const hasFactor = async (sql: Sql, identityId: string, type: FactorType): Promise<boolean> =>
  (await sql.run('select 1 from identity_credentials where identity_id = $1 and type = $2 limit 1', [
    identityId,
    type,
  ])) > 0

/** Backup codes alone ask for nothing: they only stand in for one of these. */
export const hasSecondFactor = async (sql: Sql, identityId: string): Promise<boolean> =>
  (await sql.run(`select 1 from identity_credentials where identity_id = $1 and type in ('totp', 'webauthn') limit 1`, [
    identityId,
  ])) > 0

export const factorByIdentifier = <Config>(sql: Sql, type: FactorType, identifier: string) =>
  sql.maybeOne<Factor<Config>>(
    `select ${columns} from identity_credentials where type = $1 and identifiers @> array[$2::text]`,
    [type, identifier],
  )

export interface NewFactor {
  identityId: string
  type: FactorType
  identifiers?: readonly string[]
  config: unknown
  now: Date
}

export const insertFactor = (sql: Sql, { identityId, type, identifiers = [], config, now }: NewFactor) =>
  sql.run(
    `insert into identity_credentials (identity_id, type, identifiers, config, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5)`,
    [identityId, type, identifiers, JSON.stringify(config), now],
  )

export const updateFactor = (sql: Sql, id: string, config: unknown, now: Date) =>
  sql.run('update identity_credentials set config = $2, updated_at = $3 where id = $1', [
    id,
    JSON.stringify(config),
    now,
  ])

export const deleteFactors = (sql: Sql, identityId: string, type: FactorType) =>
  sql.run('delete from identity_credentials where identity_id = $1 and type = $2', [identityId, type])

export const deleteFactor = (sql: Sql, identityId: string, type: FactorType, identifier: string) =>
  sql.run('delete from identity_credentials where identity_id = $1 and type = $2 and identifiers @> array[$3::text]', [
    identityId,
    type,
    identifier,
  ])

/** Takes a step of the authenticator's clock once: false when it, or a later one, was taken before. */
export const takeStep = async (sql: Sql, id: string, step: number): Promise<boolean> =>
  (await sql.run(
    `update identity_credentials set config = jsonb_set(config, '{last_step}', to_jsonb($2::bigint))
     where id = $1 and coalesce((config ->> 'last_step')::bigint, 0) < $2`,
    [id, step],
  )) > 0
