import { normalizeEmail, Traits } from '@quarterdeck/contract/identity'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { authState } from '../auth-state.ts'
import { lockClass, locks } from '../../db/locks.ts'

/** Only what we use; Kratos sends more. */
export const RemoteSession = z.looseObject({
  active: z.boolean(),
  identity: z.looseObject({
    id: z.uuid(),
    state: z.enum(['active', 'inactive']).default('active'),
    traits: z.looseObject(Traits.shape),
    verifiable_addresses: z.array(z.looseObject({ value: z.string(), verified: z.boolean() })).default([]),
  }),
})
export type RemoteIdentity = z.infer<typeof RemoteSession>['identity']

const seen = new WeakMap<object, Map<string, string>>()

/**
 * Keeps our copy of an identity that Kratos owns, and with it the person of the same id. The identity whose verified
 * address is QUARTERDECK_ADMIN_EMAIL becomes administrator as long as there is none.
 */
export async function mirrorIdentity(ctx: Context, identity: RemoteIdentity): Promise<void> {
  const known = seen.get(ctx.db.pool) ?? new Map<string, string>()
  seen.set(ctx.db.pool, known)
  const now = JSON.stringify([identity.traits, identity.state, identity.verifiable_addresses])
  if (known.get(identity.id) === now) return
  const traits = { ...identity.traits, email: normalizeEmail(identity.traits.email) }
  await ctx.db.tx(async (sql) => {
    // Kratos decides whose an address is: whoever had it before has it no longer.
    await sql.run(`delete from identities where lower(traits ->> 'email') = $2 and id <> $1`, [
      identity.id,
      traits.email,
    ])
    await sql.run(`update people set email = null where lower(email) = $2 and id <> $1 and deleted_at is null`, [
      identity.id,
      traits.email,
    ])
    await sql.run(
      `insert into identities (id, traits, state) values ($1, $2, $3)
       on conflict (id) do update set traits = excluded.traits, state = excluded.state, updated_at = now()
       where (identities.traits, identities.state) is distinct from (excluded.traits, excluded.state)`,
      [identity.id, JSON.stringify(traits), identity.state],
    )
  })
  const admin = normalizeEmail(ctx.config.QUARTERDECK_ADMIN_EMAIL)
  const isProven = identity.verifiable_addresses.some(
    ({ value, verified }) => verified && normalizeEmail(value) === admin,
  )
  if (traits.email === admin && isProven) await becomeFirstAdministrator(ctx, identity.id)
  authState(ctx).people.drop(identity.id)
  if (known.size > 10_000) known.clear()
  known.set(identity.id, now)
}

async function becomeFirstAdministrator(ctx: Context, id: string): Promise<void> {
  await ctx.db.tx(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1, $2)', [lockClass, locks.administrators])
    await sql.run(
      `insert into casbin_rule (ptype, v0, v1, v2, v3, v4, v5) select 'g', $1, 'admin', '', '', '', ''
       where not exists (select 1 from casbin_rule r join people p on p.id::text = r.v0
         where r.ptype = 'g' and r.v1 = 'admin' and p.deleted_at is null)`,
      [id],
    )
  })
}
