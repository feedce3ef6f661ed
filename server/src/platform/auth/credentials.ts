import { normalizeEmail } from '@quarterdeck/contract/identity'
import type { Context } from '../../context.ts'
import { readPrincipal } from './directory.ts'
import { lockIdentity, passwordByIdentifier, writePassword } from './identity.sql.ts'
import { hashPassword, isOutdated, verifyPassword, verifyRepeated } from './passwords.ts'
import { personOfPasswordFile } from './modes/plain.ts'

export type Verdict =
  | { kind: 'ok'; identityId: string }
  | { kind: 'deactivated'; identityId: string }
  | { kind: 'wrong'; identityId?: string }

interface Pair {
  identifier: string
  password: string
  /** Sent with every request of a script; such a pair is not hashed each time. */
  repeated?: boolean
}

/** Whether an identifier and a password belong together, by whatever the settings say keeps the passwords. */
export function verifyCredentials(ctx: Context, pair: Pair): Promise<Verdict> {
  return ctx.config.QUARTERDECK_AUTH === 'plain' ? verifyByFile(ctx, pair) : verifyByIdentity(ctx, pair)
}

async function verifyByIdentity(ctx: Context, { identifier, password, repeated }: Pair): Promise<Verdict> {
  const found = await passwordByIdentifier(ctx.db, normalizeEmail(identifier))
  const stored = found?.hash ?? undefined
  const fits = await (repeated ? verifyRepeated(stored, password) : verifyPassword(stored, password))
  if (!found || !fits) return { kind: 'wrong', identityId: found?.id }
  if (!(await readPrincipal(ctx.db, found.id))) return { kind: 'deactivated', identityId: found.id }
  if (stored && isOutdated(stored)) await renewHash(ctx, found.id, normalizeEmail(identifier), stored, password)
  return { kind: 'ok', identityId: found.id }
}

async function renewHash(
  ctx: Context,
  id: string,
  identifier: string,
  stored: string,
  password: string,
): Promise<void> {
  const hash = await hashPassword(password)
  await ctx.db.tx(async (sql) => {
    await lockIdentity(sql, id)
    const current = await passwordByIdentifier(sql, identifier)
    if (current?.hash === stored) await writePassword(sql, id, identifier, hash, ctx.clock.now())
  })
}

async function verifyByFile(ctx: Context, pair: Pair): Promise<Verdict> {
  const identityId = await personOfPasswordFile(ctx, pair.identifier, pair.password)
  if (!identityId) return { kind: 'wrong' }
  return { kind: (await readPrincipal(ctx.db, identityId)) ? 'ok' : 'deactivated', identityId }
}
