import type { EnvVar, SecretText } from '@quarterdeck/contract/checks/common'
import { sharedExpressions } from '../../../platform/expressions/expressions.ts'
import { templateText } from '../../../platform/expressions/struct-template.ts'
import {
  type ConnectionOptions,
  type ResolvedConnection,
  resolveConnection,
  resolveTarget,
} from '../../../platform/resolve/connections.ts'
import { readReference, ResolveError } from '../../../platform/resolve/reference.ts'
import { resolveEnv as resolveList, resolveValue } from '../../../platform/resolve/resolve.ts'
import type { CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'

const options = (run: CheckRun): ConnectionOptions => ({
  namespace: run.canary.namespace,
  secrets: { add: run.secret },
  signal: run.signal,
  usedBy: `canary ${run.canary.namespace}/${run.canary.name}`,
})

/** What cannot be resolved makes the check invalid: it says nothing about the target. */
async function orInvalid<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof ResolveError ? new InvalidCheck(error.message) : error
  }
}

/** The text of a field that may be a reference. What comes from a reference is always kept out of results. */
export async function resolveText(
  run: CheckRun,
  value: SecretText | undefined,
  { secret = true }: { secret?: boolean } = {},
): Promise<string | undefined> {
  if (value === undefined) return undefined
  const literal = typeof value === 'string' ? value : value.valueFrom ? undefined : value.value
  if (literal !== undefined && !(literal.includes('://') && readReference(literal))) {
    if (secret) run.secret(literal)
    return literal
  }
  return orInvalid(resolveValue(run.ctx, value, options(run)))
}

/** `[{name, value}]` as a map; values from references and those with a telling name count as secrets. */
export const resolveEnv = (run: CheckRun, list: readonly EnvVar[] | undefined): Promise<Record<string, string>> =>
  list?.length ? orInvalid(resolveList(run.ctx, list, options(run))) : Promise.resolve({})

/** Loads what a `connection` field names; a plain url is a connection of its own. */
export const connectionOf = async (run: CheckRun, name: string): Promise<Connection> =>
  given(await orInvalid(resolveConnection(run.ctx, name, options(run))))

/** An empty column is one that was never filled in. */
function given({ url, username, password, certificate, ...rest }: ResolvedConnection): Connection {
  return {
    ...rest,
    url: url || undefined,
    username: username || undefined,
    password: password || undefined,
    certificate: certificate || undefined,
  }
}

type Texts = 'url' | 'username' | 'password' | 'certificate'
/** A stored connection, opened: its references resolved, its templates filled in. */
export type Connection = Omit<ResolvedConnection, Texts> & Partial<Pick<ResolvedConnection, Texts>>

/** What the canary's own `env` gives to templates. */
async function canaryEnv(run: CheckRun): Promise<Record<string, unknown>> {
  const env = run.canary.env
  if (typeof env !== 'object' || env === null) return {}
  const made: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(env)) {
    const isVar = typeof value === 'object' && value !== null && ('value' in value || 'valueFrom' in value)
    made[name] = isVar ? await resolveText(run, value as EnvVar, { secret: false }) : value
  }
  return made
}

/** Fills `{{ }}` and `$( )` of one field; a text without them costs nothing. */
export async function fillIn(
  run: CheckRun,
  text: string,
  more: Record<string, unknown> | (() => Promise<Record<string, unknown>>) = {},
): Promise<string> {
  if (!text.includes('{{') && !text.includes('$(')) return text
  const { canary, check } = run
  const env = {
    ...(await canaryEnv(run)),
    canary: { name: canary.name, namespace: canary.namespace, labels: canary.labels, id: canary.id },
    check: { name: check.name, id: check.id, labels: check.labels },
    ...(typeof more === 'function' ? await more() : more),
  }
  try {
    return await templateText(sharedExpressions(), text, env)
  } catch (error) {
    throw new InvalidCheck(`the template could not be filled in: ${(error as Error).message}`)
  }
}

/** The same for queries and filters, whose own syntax may look like a template: a canary can have them left alone. */
export const fillInQuery: typeof fillIn = async (run, text, more) =>
  run.canary.annotations?.template === 'false' ? text : fillIn(run, text, more)

export interface Connected {
  connection?: string
  url?: string
  username?: SecretText
  password?: SecretText
}

export type Target = Pick<Connection, Texts | 'properties' | 'insecureTls'>

/** Where to and as whom: fields of the check win over those of its connection. */
export async function targetOf(run: CheckRun, spec: Connected): Promise<Target> {
  const { connection, url, username, password } = spec
  const target = given(await orInvalid(resolveTarget(run.ctx, { connection, url, username, password }, options(run))))
  if (target.url) hideUserInfo(run, target.url)
  return target
}

/** A password written into an address is a secret like any other. */
export function hideUserInfo(run: Pick<CheckRun, 'secret'>, url: string): void {
  const at = url.indexOf('@')
  if (at < 0) return
  const found = /^[a-z][a-z0-9+.-]*:\/\/[^:/@]*:([^@]*)@/i.exec(url)
  if (!found?.[1]) return
  run.secret(found[1])
  try {
    run.secret(decodeURIComponent(found[1]))
  } catch {
    return
  }
}
