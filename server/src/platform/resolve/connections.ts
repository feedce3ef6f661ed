import type { Context } from '../../context.ts'
import { ExpressionError } from '../expressions/errors.ts'
import { sharedExpressions } from '../expressions/expressions.ts'
import { templateText } from '../expressions/struct-template.ts'
import {
  connectionById,
  connectionByName,
  connectionByType,
  connectionByTypeAndNamespace,
  type ConnectionRow,
  recordConnectionUse,
} from './connections.sql.ts'
import { type EnvVar, ResolveError } from './reference.ts'
import { type ResolveOptions, resolveValue } from './resolve.ts'
import { urlTemplateOf } from './url-templates.ts'

/** A connection ready for use: secrets opened, templates filled in. Never stored, never sent to a browser. */
export interface ResolvedConnection {
  /** Absent for addresses written where they are used. */
  id?: string
  name: string
  namespace: string
  type: string
  url: string
  username: string
  password: string
  certificate: string
  properties: Record<string, string>
  insecureTls: boolean
}

export interface ConnectionOptions extends ResolveOptions {
  /** Who uses it, for the connection's page: `canary web/shop`, `playbook restart`, a person's name. */
  usedBy?: string
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const scheme = 'connection://'

/** Whether a text names a stored connection rather than being an address itself. */
export const isConnectionReference = (text: string): boolean => text.startsWith(scheme) || uuid.test(text)

const keepMs = 10_000
const uses = new Map<string, number>()
const rows = new WeakMap<object, Map<string, { until: number; row: Promise<ConnectionRow | undefined> }>>()

/** The stored row a reference names: by id, `connection://namespace/name`, `connection://name`, or the old spellings with a type. */
export function findConnection(
  ctx: Context,
  reference: string,
  namespace = 'default',
): Promise<ConnectionRow | undefined> {
  const kept = rows.get(ctx.db) ?? new Map<string, { until: number; row: Promise<ConnectionRow | undefined> }>()
  rows.set(ctx.db, kept)
  const key = `${namespace} ${reference}`
  const known = kept.get(key)
  if (known && known.until > Date.now()) return known.row
  if (kept.size > 2_000) kept.clear()
  const row = load(ctx, reference, namespace)
  row.catch(() => kept.delete(key))
  kept.set(key, { until: Date.now() + keepMs, row })
  return row
}

/** After a connection was written in this process. */
export const forgetConnections = (ctx: Context): void => void rows.delete(ctx.db)

async function load(ctx: Context, reference: string, namespace: string): Promise<ConnectionRow | undefined> {
  if (uuid.test(reference)) return connectionById(ctx.db, reference)
  const parts = reference.slice(scheme.length).split('/').filter(Boolean)
  const [first = '', second = '', third = ''] = parts
  switch (parts.length) {
    case 1:
      return connectionByName(ctx.db, namespace, first)
    case 2:
      return (
        (await connectionByName(ctx.db, first, second)) ?? (await connectionByType(ctx.db, first, second, namespace))
      )
    case 3:
      return connectionByTypeAndNamespace(ctx.db, first, second, third)
    default:
      return undefined
  }
}

/** Finds and opens a connection; any address is a connection of its own. */
export async function resolveConnection(
  ctx: Context,
  reference: string,
  options: ConnectionOptions = {},
): Promise<ResolvedConnection> {
  if (!isConnectionReference(reference)) {
    hideUserInfo(reference, options)
    return {
      name: '',
      namespace: options.namespace ?? 'default',
      type: '',
      url: reference,
      username: '',
      password: '',
      certificate: '',
      properties: {},
      insecureTls: false,
    }
  }
  const row = await findConnection(ctx, reference, options.namespace)
  if (!row) throw new ResolveError(`The connection ${reference} does not exist`)
  const opened = await hydrateConnection(ctx, row, options)
  if (options.usedBy) noteUse(ctx, row.id, options.usedBy)
  return opened
}

/** In the background: a failed note must not fail the work. */
function noteUse(ctx: Context, id: string, by: string): void {
  const now = ctx.clock.now()
  const key = `${id} ${by}`
  const last = uses.get(key)
  if (last !== undefined && now.getTime() - last < 300_000) return
  if (uses.size > 10_000) uses.clear()
  uses.set(key, now.getTime())
  recordConnectionUse(ctx.db, id, by, now).catch((error: unknown) => {
    uses.delete(key)
    ctx.log.warn({ err: error, connection: id }, 'the last use of a connection could not be noted')
  })
}

/** Before a host, a name with a slash or a blank would end the address as much as such a password. */
const userInPlace = /^[a-z][a-z0-9+.-]*:\/\/\$\(username\)[^/?#]*@/i
const secretProperty = /auth|token|secret|passw|key|cookie|credential/i

/** Opens what a row stores: decrypts, follows references in the connection's own namespace, fills in url and properties. */
export async function hydrateConnection(
  ctx: Context,
  row: ConnectionRow,
  options: ConnectionOptions = {},
): Promise<ResolvedConnection> {
  const own: ResolveOptions = { ...options, namespace: row.namespace }
  const open = async (value: unknown, isSecret: boolean): Promise<string> => {
    if (value === null || value === undefined) return ''
    const stored = typeof value === 'string' ? value : JSON.stringify(value)
    const isSealed = ctx.secrets.isEncrypted(stored)
    const plain = isSealed ? decrypt(ctx, stored, row) : stored
    const found = (await resolveValue(ctx, plain, own)) ?? ''
    // What is encrypted at rest is a secret wherever it stands.
    if ((isSecret || isSealed) && found) options.secrets?.add(found)
    return found
  }
  const properties: Record<string, string> = {}
  for (const [key, value] of Object.entries(row.properties ?? {})) {
    if (key !== '__proto__') properties[key] = await open(value, secretProperty.test(key))
  }
  const username = await open(row.username, false)
  const password = await open(row.password, true)
  const certificate = await open(row.certificate, true)
  const { id, name, namespace, type } = row
  const env = {
    name,
    type,
    namespace,
    username,
    password: percent(password),
    domain: username.split('@')[1] ?? '',
    properties: { ...properties },
  }
  const fill = (text: string, known = env) => filled(text, known, row)
  for (const [key, value] of Object.entries(properties)) properties[key] = await fill(value)
  const insecureTls = row.insecure_tls === true || properties.insecure_tls === 'true'
  const stored = await open(row.url, false)
  const template = stored || (urlTemplateOf(type, { insecure: insecureTls, properties }) ?? '')
  const url = await fill(template, {
    ...env,
    properties,
    ...(userInPlace.test(template) && { username: username.replace(/[/?#\\%:\s[\]]/g, percent) }),
  })
  options.secrets?.add(percent(password))
  hideUserInfo(url, options)
  if (type.endsWith('webhook')) hidePath(url, options)
  return { id, name, namespace, type, url, username, password, certificate, properties, insecureTls }
}

function decrypt(ctx: Context, stored: string, row: ConnectionRow): string {
  try {
    return ctx.secrets.decrypt(stored)
  } catch {
    throw new ResolveError(
      `The connection ${row.namespace}/${row.name} cannot be opened: its key is not in the key file`,
    )
  }
}

async function filled(text: string, env: Record<string, unknown>, row: ConnectionRow): Promise<string> {
  try {
    return await templateText(sharedExpressions(), text, env)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw new ResolveError(
      `The connection ${row.namespace}/${row.name} has a template that cannot be filled in: ${error.message}`,
    )
  }
}

/** Safe inside an address: what a password may hold is not to be read as part of it. */
const percent = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** A password written into an address is a secret like any other. */
function hideUserInfo(url: string, options: ResolveOptions): void {
  const found = /^[a-z][a-z0-9+.-]*:\/\/[^:/@]*:([^/]+)@/i.exec(url)?.[1]
  if (!found || !options.secrets) return
  options.secrets.add(found)
  try {
    options.secrets.add(decodeURIComponent(found))
  } catch {
    return
  }
}

/** A server may repeat the path of a webhook, where its token is, without the host. */
function hidePath(url: string, { secrets }: ResolveOptions): void {
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*\/([^?#]{8,})/i.exec(url)?.[1]
  if (path) secrets?.add(path)
}

/** The fields of a document that may name a connection, or be one themselves. */
export interface Connected {
  connection?: string | null
  url?: string | null
  username?: EnvVar | null
  password?: EnvVar | null
}

/** Where to and as whom: what the document says itself wins over what its connection says. */
export async function resolveTarget(
  ctx: Context,
  spec: Connected,
  options: ConnectionOptions = {},
): Promise<ResolvedConnection> {
  const base = await resolveConnection(ctx, spec.connection || spec.url || '', options)
  const username = await resolveValue(ctx, spec.username, options)
  const password = await resolveValue(ctx, spec.password, options)
  if (password) options.secrets?.add(password)
  if (spec.url) hideUserInfo(spec.url, options)
  return {
    ...base,
    url: spec.url || base.url,
    username: username ?? base.username,
    password: password ?? base.password,
  }
}
