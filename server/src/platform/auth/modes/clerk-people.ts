import { normalizeEmail } from '@quarterdeck/contract/identity'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { newId } from '../../ids.ts'
import { audit } from '../audit.ts'
import { authState } from '../auth-state.ts'
import { lockClass, locks } from '../../db/locks.ts'
import { fetchThrough } from '../outgoing.ts'

/** Somebody as the hosted provider's token describes them. */
export interface HostedUser {
  sub: string
  email?: string
  name?: string
  avatar?: string
  role: 'admin' | 'viewer'
}

const ApiUser = z.looseObject({
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  image_url: z.string().nullish(),
  primary_email_address_id: z.string().nullish(),
  email_addresses: z
    .array(
      z.looseObject({
        id: z.string(),
        email_address: z.string(),
        verification: z.looseObject({ status: z.string() }).nullish(),
      }),
    )
    .default([]),
})

/** Tokens say little by default; the rest is asked for once, when there is a key to ask with. */
async function described(ctx: Context, user: HostedUser): Promise<HostedUser> {
  const { CLERK_SECRET_KEY: key, CLERK_API_URL: api } = ctx.config
  if ((user.email && user.name) || !key) return user
  const url = `${api}/v1/users/${encodeURIComponent(user.sub)}`
  try {
    const answer = await fetchThrough(ctx)(url, { headers: { authorization: `Bearer ${key}` } })
    const { data } = ApiUser.safeParse(await answer.json())
    if (!answer.ok || !data) return user
    // An address that nobody proved could be somebody else's.
    const primary = data.email_addresses.find(
      ({ id, verification }) =>
        id === data.primary_email_address_id && (verification?.status ?? 'verified') === 'verified',
    )
    const name = [data.first_name, data.last_name].filter(Boolean).join(' ')
    return {
      ...user,
      email: user.email ?? primary?.email_address,
      name: user.name ?? (name || undefined),
      avatar: user.avatar ?? data.image_url ?? undefined,
    }
  } catch (error) {
    ctx.log.warn({ err: error }, 'the hosted provider did not describe a person')
    return user
  }
}

/** Whether the role is still the one that was kept; another process may have heard of another since. */
const hasRole = async (ctx: Context, id: string, role: string): Promise<boolean> =>
  (await ctx.db.run(
    `select 1 from people p where p.id = $1 and p.deleted_at is null
       and array(select r.v1::text from casbin_rule r
         where r.ptype = 'g' and r.v0 = p.id::text and r.v1 in ('admin', 'viewer')) = array[$2::text]`,
    [id, role],
  )) > 0

const seen = new WeakMap<object, Map<string, { facts: string; id: string }>>()

/**
 * Keeps the person behind a token of the hosted provider, with the role the organisation gives; answers their id.
 * Somebody known by the address and by no provider yet is taken for the same person.
 */
export async function keepHostedPerson(ctx: Context, given: HostedUser): Promise<string> {
  const known = seen.get(ctx.db.pool) ?? new Map<string, { facts: string; id: string }>()
  seen.set(ctx.db.pool, known)
  const facts = JSON.stringify(given)
  const before = known.get(given.sub)
  if (before?.facts === facts && (await hasRole(ctx, before.id, given.role))) return before.id
  const user = await described(ctx, given)
  const email = user.email ? normalizeEmail(user.email) : null
  const name = user.name ?? email ?? user.sub
  const id = await ctx.db.tx(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1, $2)', [lockClass, locks.administrators])
    const found = await sql.maybeOne<{ id: string }>(
      `select id from people where deleted_at is null and type is distinct from 'agent'
         and (external_id = $1 or (external_id is null and lower(email) = $2))
       order by external_id nulls last limit 1`,
      [user.sub, email],
    )
    const person = found?.id ?? newId(ctx.clock.now().getTime())
    if (email) {
      // The provider decides whose an address is: whoever had it before has it no longer.
      await sql.run(`update people set email = null where lower(email) = $2 and id <> $1 and deleted_at is null`, [
        person,
        email,
      ])
    }
    await sql.run(
      `insert into people (id, name, email, avatar, external_id) values ($1, $2, $3, $4, $5)
       on conflict (id) do update set name = excluded.name, email = coalesce(excluded.email, people.email),
         avatar = coalesce(excluded.avatar, people.avatar), external_id = excluded.external_id`,
      [person, name, email, user.avatar ?? null, user.sub],
    )
    await sql.run(`delete from casbin_rule where ptype = 'g' and v0 = $1 and v1 in ('admin', 'viewer') and v1 <> $2`, [
      person,
      user.role,
    ])
    const given = await sql.run(
      `insert into casbin_rule (ptype, v0, v1, v2, v3, v4, v5) select 'g', $1::text, $2::text, '', '', '', ''
       where not exists (select 1 from casbin_rule where ptype = 'g' and v0 = $1::text and v1 = $2::text)`,
      [person, user.role],
    )
    if (given > 0) {
      await audit(sql, {
        action: found ? 'roles_changed' : 'person_added',
        actor: { id: null, name: 'Clerk' },
        target: { type: 'identity', id: person, name: email ?? name },
        details: { to: [user.role] },
      })
    }
    await sql.run('update people set last_login = $2 where id = $1', [person, ctx.clock.now()])
    return person
  })
  authState(ctx).people.drop(id)
  if (known.size > 10_000) known.clear()
  known.set(given.sub, { facts, id })
  return id
}
