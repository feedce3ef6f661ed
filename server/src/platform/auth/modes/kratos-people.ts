import { normalizeEmail, Traits } from '@quarterdeck/contract/identity'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { audit } from '../audit.ts'
import { authState } from '../auth-state.ts'
import { lockClass, locks } from '../../db/locks.ts'

/** Only what we use; Kratos sends more. */
export const RemoteSession = z.looseObject({
  active: z.boolean(),
  identity: z.looseObject({
    id: z.uuid(),
    state: z.enum(['active', 'inactive']).default('active'),
    // Schemas of others may call something else a name.
    traits: z.looseObject({ email: z.string().min(1), name: Traits.shape.name.catch(undefined) }),
    verifiable_addresses: z.array(z.looseObject({ value: z.string(), verified: z.boolean() })).default([]),
  }),
})
export type RemoteIdentity = z.infer<typeof RemoteSession>['identity']

/**
 * Keeps our copy of an identity that Kratos owns, and with it the person of the same id. The identity whose verified
 * address is QUARTERDECK_ADMIN_EMAIL becomes administrator as long as there is none.
 */
export async function mirrorIdentity(ctx: Context, identity: RemoteIdentity): Promise<void> {
  const traits = { ...identity.traits, email: normalizeEmail(identity.traits.email) }
  if (!(await isUpToDate(ctx, identity, traits))) await copy(ctx, identity, traits)
  const admin = normalizeEmail(ctx.config.QUARTERDECK_ADMIN_EMAIL)
  const isProven = identity.verifiable_addresses.some(
    ({ value, verified }) => verified && normalizeEmail(value) === admin,
  )
  if (traits.email === admin && isProven) await becomeFirstAdministrator(ctx, identity.id)
}

const isUpToDate = async (ctx: Context, { id, state }: RemoteIdentity, traits: object): Promise<boolean> =>
  (await ctx.db.run('select 1 from identities where id = $1 and traits = $2::jsonb and state = $3', [
    id,
    JSON.stringify(traits),
    state,
  ])) > 0

async function copy(ctx: Context, identity: RemoteIdentity, traits: { email: string }): Promise<void> {
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
    const isNew = (await sql.run('select 1 from identities where id = $1', [identity.id])) === 0
    await sql.run(
      `insert into identities (id, traits, state) values ($1, $2, $3)
       on conflict (id) do update set traits = excluded.traits, state = excluded.state, updated_at = now()
       where (identities.traits, identities.state) is distinct from (excluded.traits, excluded.state)`,
      [identity.id, JSON.stringify(traits), identity.state],
    )
    await audit(sql, {
      action: isNew ? 'person_added' : 'profile_changed',
      actor: { id: null, name: 'Kratos' },
      target: { type: 'identity', id: identity.id, name: traits.email },
    })
  })
  authState(ctx).people.drop(identity.id)
}

async function becomeFirstAdministrator(ctx: Context, id: string): Promise<void> {
  const made = await ctx.db.tx(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1, $2)', [lockClass, locks.administrators])
    const given = await sql.run(
      `insert into casbin_rule (ptype, v0, v1, v2, v3, v4, v5) select 'g', $1, 'admin', '', '', '', ''
       where not exists (select 1 from casbin_rule r join people p on p.id::text = r.v0
         where r.ptype = 'g' and r.v1 = 'admin' and p.deleted_at is null)`,
      [id],
    )
    if (given > 0) {
      await audit(sql, {
        action: 'roles_changed',
        actor: { id: null, name: 'Kratos' },
        target: { type: 'identity', id, name: ctx.config.QUARTERDECK_ADMIN_EMAIL },
        details: { to: ['admin'] },
      })
    }
    return given
  })
  if (made > 0) authState(ctx).people.drop(id)
}
