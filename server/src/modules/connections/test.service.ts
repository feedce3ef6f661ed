import { connectionKind } from '@quarterdeck/contract/connections/index'
import type { Context } from '../../context.ts'
import { audit } from '../../platform/auth/audit.ts'
import type { Principal } from '../../platform/auth/principal.ts'
import type { Target } from '../../platform/clients/run.ts'
import { AppError, badRequest, notFound, notImplemented } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { networkError } from '../../platform/network/network-error.ts'
import { forgetConnections, type ResolvedConnection, resolveConnection } from '../../platform/resolve/connections.ts'
import { forgetResolved } from '../../platform/resolve/resolve.ts'
import { Scrubber } from '../../platform/resolve/scrubber.ts'
import { connectionWithUse } from './connections.sql.ts'
import { probes } from './probes/index.ts'

const timeoutMs = 20_000

/** Opens a stored connection and tries it for real; says why it does not work, without its secrets. */
export async function testConnection(ctx: Context, id: string, by: Principal): Promise<void> {
  const row = isUuid(id) ? await connectionWithUse(ctx.db, id) : undefined
  if (!row) throw notFound('connection')
  const scrubber = new Scrubber()
  const failure = await attempt(ctx, row.id, by, scrubber).then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error : badRequest(scrubbed(scrubber, error))),
  )
  await audit(ctx.db, {
    action: 'connection_tested',
    outcome: failure ? 'failure' : 'success',
    actor: by,
    target: { type: 'connection', id: row.id, name: `${row.namespace}/${row.name}` },
    details: { type: row.type },
  })
  if (failure) throw failure
}

async function attempt(ctx: Context, id: string, by: Principal, scrubber: Scrubber): Promise<void> {
  // Somebody who tests has just changed something: nothing kept from before counts.
  forgetConnections(ctx)
  forgetResolved(ctx)
  const signal = AbortSignal.timeout(timeoutMs)
  const secrets = { add: (value: string) => scrubber.add(value) }
  await tryConnection(ctx, await resolveConnection(ctx, id, { secrets, signal, usedBy: by.name }), scrubber, signal)
}

/** Tries an opened connection by what its type takes. */
export async function tryConnection(
  ctx: Context,
  connection: ResolvedConnection,
  scrubber: Scrubber,
  signal = AbortSignal.timeout(timeoutMs),
): Promise<void> {
  const { type, namespace } = connection
  const probe = Object.hasOwn(probes, type) ? probes[type] : undefined
  if (!probe)
    throw notImplemented(`Connections of type ${connectionKind(type)?.label ?? type} can only be tried by using them`)
  const secret = (value: string) => scrubber.add(value)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), { once: true })
  })
  late.catch(() => undefined)
  await Promise.race([probe({ ctx, signal, timeout: timeoutMs, secret, namespace }, targetOf(connection)), late])
}

/** An empty column is one that was never filled in. */
function targetOf({ url, username, password, certificate, properties, insecureTls }: ResolvedConnection): Target {
  return {
    url: url || undefined,
    username: username || undefined,
    password: password || undefined,
    certificate: certificate || undefined,
    properties,
    insecureTls,
  }
}

/** A driver's words for a host that does not answer are a code and an address. */
function wordsOf(error: unknown): string {
  const { message, errors, code, address, port } = error as Refused
  if (errors?.length) return [...new Set(errors.map(wordsOf))].join('; ')
  if (code && address) return networkError(error, port ? `${address}:${port}` : address).message
  return message || String(error)
}

interface Refused extends NodeJS.ErrnoException {
  errors?: Refused[]
  address?: string
  port?: number
}

/** The reason without the secrets that were opened for it. */
export const scrubbed = (scrubber: Scrubber, error: unknown) => scrubber.text(wordsOf(error)).slice(0, 4000)
