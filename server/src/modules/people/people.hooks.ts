import type { DataApi } from '../../data-api/data-api.ts'
import type { WriteCall, WrittenCall } from '../../data-api/hooks.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../platform/auth/audit.ts'
import { forgetPerson } from '../../platform/auth/auth-state.ts'
import { badRequest, conflict } from '../../platform/errors.ts'
import { keepAnAdministrator } from './people.service.ts'
import { lockAdministrators, peopleById, removeRoles } from './people.sql.ts'

/** What the data API may do to accounts and people: no way around the rules of this module. */
export function registerPeopleHooks(api: Pick<DataApi, 'beforeWrite' | 'afterWrite'>): void {
  api.beforeWrite('identities', beforeIdentities)
  api.afterWrite('identities', afterIdentities)
  api.beforeWrite('people', beforePeople)
  api.afterWrite('people', afterPeople)
}

async function beforeIdentities(call: WriteCall): Promise<void> {
  const { ctx, kind } = call
  if (kind !== 'delete') {
    throw badRequest(
      'Accounts are not changed through this table',
      null,
      'Use /auth/{id}/update_state, /rbac/{id}/update_role, or the profile page.',
    )
  }
  const mode = ctx.config.QUARTERDECK_AUTH
  if (mode === 'kratos' || mode === 'clerk') throw conflict(`Accounts are kept by ${mode}`, 'Remove the account there.')
  await protectAdministrators(call, 'be deleted')
}

/** The people a write touches, however it names them. */
async function idsOf(call: WriteCall): Promise<string[]> {
  return (await call.targets<{ id: string }>()).map(({ id }) => id)
}

/** Holds the lock until the write is through, so that two deletions cannot leave nobody. */
async function protectAdministrators(call: WriteCall, what: string): Promise<void> {
  const { ctx, sql } = call
  await lockAdministrators(sql)
  await keepAnAdministrator(ctx, sql, await peopleById(sql, await idsOf(call)), what)
}

async function afterIdentities({ ctx, sql, kind, rows, principal }: WrittenCall): Promise<void> {
  if (kind !== 'delete') return
  for (const row of rows as { id: string; traits?: { email?: string } }[]) {
    await removeRoles(sql, row.id)
    await audit(sql, {
      action: 'person_deleted',
      actor: principal,
      target: { type: 'identity', id: row.id, name: row.traits?.email },
    })
    forgetWhenThrough(ctx, row.id)
  }
}

/** Deleted, or turned into something that is no administrator. */
const takesAway = ({ kind, rows }: WriteCall) =>
  kind === 'delete' ||
  rows.some(
    (row) => (row.deleted_at ?? null) !== null || row.type !== undefined || (kind === 'update' && row.id !== undefined),
  )

async function beforePeople(call: WriteCall): Promise<void> {
  const { kind, rows, sql } = call
  if (kind === 'insert') return
  if (takesAway(call)) await protectAdministrators(call, 'be removed')
  if (kind === 'delete' || !rows.some((row) => row.email !== undefined)) return
  const [account] = await sql.query('select 1 from identities where id = any($1)', [await idsOf(call)])
  if (account) {
    throw badRequest(
      'The address of somebody who signs in belongs to the account',
      null,
      'Change it on the profile page.',
    )
  }
}

function afterPeople({ ctx, rows }: WrittenCall): void {
  for (const { id } of rows as { id?: string }[]) if (id) forgetWhenThrough(ctx, id)
}

/** Forgets now, and again once the write is committed: in between somebody may have looked and remembered. */
function forgetWhenThrough(ctx: Context, id: string): void {
  forgetPerson(ctx, id)
  ctx.db
    .tx(async (sql) => void (await sql.query('select 1 from people where id = $1 for share', [id])))
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not wait for the end of a write'))
    .finally(() => forgetPerson(ctx, id))
}
