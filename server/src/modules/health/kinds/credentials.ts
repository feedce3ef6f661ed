import type { EnvVar, SecretText } from '@quarterdeck/contract/checks/common'
import type { Context } from '../../../context.ts'
import { sharedExpressions } from '../../../platform/expressions/expressions.ts'
import { templateText } from '../../../platform/expressions/struct-template.ts'
import type { CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'

/** A stored connection with its references resolved and its templates filled in. */
export interface Connection {
  name: string
  namespace: string
  type: string
  url?: string
  username?: string
  password?: string
  certificate?: string
  properties: Record<string, string>
  insecureTls: boolean
}

type Row = Omit<Connection, 'insecureTls' | 'properties'> & {
  id: string
  insecure_tls: boolean | null
  properties: Record<string, unknown> | null
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const reference = /^(secret|configmap|helm|serviceaccount):\/\//

/** The text of a field that may be a reference. What comes from a reference is always kept out of results. */
export async function resolveText(
  run: CheckRun,
  value: SecretText | undefined,
  { secret = true }: { secret?: boolean } = {},
): Promise<string | undefined> {
  if (value === undefined) return undefined
  const given = typeof value === 'string' ? value : value.value
  const from = typeof value === 'string' ? undefined : value.valueFrom
  if (!from && !(given && reference.test(given))) {
    if (secret && given) run.secret(given)
    return given
  }
  const { resolveReference } = await import('./references.ts')
  const text = await resolveReference(run, from ?? given!)
  run.secret(text)
  return text
}

const telling = /auth|token|secret|password|key|cookie/i

/** `[{name, value}]` as a map; values with a telling name count as secrets. */
export async function resolveEnv(run: CheckRun, list: readonly EnvVar[] | undefined): Promise<Record<string, string>> {
  const resolved: Record<string, string> = {}
  for (const each of list ?? []) {
    if (!each.name) continue
    resolved[each.name] = (await resolveText(run, each, { secret: telling.test(each.name) })) ?? ''
  }
  return resolved
}

/** What the canary's own `env` gives to templates. */
async function canaryEnv(run: CheckRun): Promise<Record<string, unknown>> {
  const env = run.canary.env
  if (typeof env !== 'object' || env === null) return {}
  const made: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(env)) {
    const isVar = typeof value === 'object' && value !== null && ('value' in value || 'valueFrom' in value)
    made[name] = isVar ? await resolveText(run, value as EnvVar, { secret: telling.test(name) }) : value
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

export interface Connected {
  connection?: string
  url?: string
  username?: SecretText
  password?: SecretText
}

export interface Target {
  url?: string
  username?: string
  password?: string
  certificate?: string
  properties: Record<string, string>
  insecureTls: boolean
}

const noProperties: Record<string, string> = {}

/** Where to and as whom: fields of the check win over those of its connection. */
export async function targetOf(run: CheckRun, spec: Connected): Promise<Target> {
  const base = spec.connection ? await connectionOf(run, spec.connection) : undefined
  const username = await resolveText(run, spec.username, { secret: false })
  const password = await resolveText(run, spec.password)
  const url = spec.url === undefined ? base?.url : spec.url
  if (url) hideUserInfo(run, url)
  return {
    url,
    username: username ?? base?.username,
    password: password ?? base?.password,
    certificate: base?.certificate,
    properties: base?.properties ?? noProperties,
    insecureTls: base?.insecureTls ?? false,
  }
}

/** Loads what a `connection` field names; a plain url is a connection of its own. */
export async function connectionOf(run: CheckRun, name: string): Promise<Connection> {
  if (!name.startsWith('connection://') && !uuid.test(name)) {
    return { name: '', namespace: '', type: '', url: name, properties: {}, insecureTls: false }
  }
  const row = await findRow(run.ctx, name, run.canary.namespace)
  if (!row) throw new InvalidCheck(`the connection "${name}" does not exist`)
  return hydrate(run, row)
}

const columns = 'id, name, namespace, type, url, username, password, certificate, properties, insecure_tls'
const kept = new WeakMap<object, Map<string, { until: number; row: Promise<Row | undefined> }>>()
const keepMs = 30_000

function findRow(ctx: Context, name: string, namespace: string): Promise<Row | undefined> {
  let cache = kept.get(ctx.db)
  if (!cache) kept.set(ctx.db, (cache = new Map()))
  const key = `${namespace} ${name}`
  const known = cache.get(key)
  if (known && known.until > Date.now()) return known.row
  if (cache.size > 2000) cache.clear()
  const row = query(ctx, name, namespace)
  row.catch(() => cache.delete(key))
  cache.set(key, { until: Date.now() + keepMs, row })
  return row
}

async function query(ctx: Context, name: string, namespace: string): Promise<Row | undefined> {
  const select = `select ${columns} from connections where deleted_at is null and `
  if (uuid.test(name)) return ctx.db.maybeOne<Row>(`${select} id = $1`, [name])
  const parts = name.slice('connection://'.length).split('/')
  const last = parts.at(-1) ?? ''
  const first = parts.length === 1 ? namespace : parts[0]!
  const byNamespace = `${select} name = $1 and namespace = $2`
  if (parts.length === 3) return ctx.db.maybeOne<Row>(`${byNamespace} and type = $3`, [last, parts[1], first])
  // connection://type/name is the old way of writing it, tried when no namespace fits.
  return (
    (await ctx.db.maybeOne<Row>(byNamespace, [last, first])) ??
    (await ctx.db.maybeOne<Row>(`${select} name = $1 and type = $2 order by created_at limit 1`, [last, first]))
  )
}

async function hydrate(run: CheckRun, row: Row): Promise<Connection> {
  const open = async (value: string | null | undefined, secret: boolean) => {
    if (!value) return undefined
    const plain = run.ctx.secrets?.isEncrypted(value) ? run.ctx.secrets.decrypt(value) : value
    return resolveText(run, plain, { secret })
  }
  const properties: Record<string, string> = {}
  for (const [key, value] of Object.entries(row.properties ?? {})) {
    const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
    properties[key] = (await open(text, telling.test(key))) ?? ''
  }
  const username = await open(row.username, false)
  const password = await open(row.password, true)
  const certificate = await open(row.certificate, true)
  const env = {
    name: row.name,
    type: row.type,
    namespace: row.namespace,
    username: username ?? '',
    password: encodeURIComponent(password ?? ''),
    domain: username?.split('@')[1] ?? '',
    properties,
  }
  for (const [key, value] of Object.entries(properties)) properties[key] = await fillIn(run, value, env)
  const raw = await open(row.url, false)
  const url = raw === undefined ? undefined : await fillIn(run, raw, env)
  if (url) hideUserInfo(run, url)
  const { name, namespace, type } = row
  const insecureTls = row.insecure_tls === true || properties.insecure_tls === 'true'
  return { name, namespace, type, url, username, password, certificate, properties, insecureTls }
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
