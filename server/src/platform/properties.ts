import { readFileSync, statSync } from 'node:fs'
import { parseDuration } from '@quarterdeck/contract/schedule'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'

/** Runtime switches by name: rows of the properties table, and lines of the properties file, which win. */
export type Properties = ReadonlyMap<string, string>

type Needs = Pick<Context, 'db' | 'config'>

const keepMs = 5000
const cache = new WeakMap<object, { until: number; value: Promise<Properties> }>()

/** All properties, at most five seconds old. */
export function readProperties(ctx: Needs): Promise<Properties> {
  const kept = cache.get(ctx.db)
  if (kept && kept.until > performance.now()) return kept.value
  const value = load(ctx)
  value.catch(() => cache.delete(ctx.db))
  cache.set(ctx.db, { until: performance.now() + keepMs, value })
  return value
}

/** For tests that change properties and cannot wait. */
export const forgetProperties = (ctx: Pick<Needs, 'db'>): void => void cache.delete(ctx.db)

async function load(ctx: Needs): Promise<Properties> {
  const rows = await ctx.db.query<{ name: string; value: string }>(
    'select name, value from properties where deleted_at is null',
  )
  return new Map([...rows.map((row) => [row.name, row.value] as const), ...localProperties(ctx.config)])
}

/** With a hosted provider people and their roles are kept there; the first name is the one its clients look for. */
const hostedProperties = [
  ['settings.user.disabled', 'true'],
  ['settings.users.disable', 'true'],
] as const

/** Properties that the table does not change: those of the settings, and the lines of the file, which win. */
export const localProperties = (config: Config): Properties =>
  new Map([
    ...(config.QUARTERDECK_AUTH === 'clerk' ? hostedProperties : []),
    ...readPropertiesFile(config.QUARTERDECK_PROPERTIES_FILE),
  ])

let file: { path: string; stamp: string; properties: Properties } | undefined

/** The file's `name=value` lines; `#` begins a comment line. A file that is not there has none. */
export function readPropertiesFile(path: string | undefined): Properties {
  const found = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
  if (path === undefined || !found?.isFile()) return new Map()
  const stamp = `${found.mtimeMs} ${found.size} ${found.ino}`
  if (file?.path !== path || file.stamp !== stamp)
    file = { path, stamp, properties: parseProperties(readFileSync(path, 'utf8')) }
  return file.properties
}

export function parseProperties(text: string): Properties {
  const properties = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim()
    const at = trimmed.indexOf('=')
    if (trimmed === '' || trimmed.startsWith('#') || at < 1) continue
    properties.set(trimmed.slice(0, at).trim(), trimmed.slice(at + 1).trim())
  }
  return properties
}

export const isOn = (text: string | undefined): boolean =>
  ['true', 'on', '1', 'yes'].includes(text?.trim().toLowerCase() ?? '')

/** A duration such as `job.history.maxAge` in milliseconds; a value that is no positive duration counts as not set. */
export function durationProperty(properties: Properties, name: string, otherwise: string): number {
  const given = parseDuration(properties.get(name)?.trim() ?? '')
  return given !== undefined && given > 0 ? given : (parseDuration(otherwise) ?? 0)
}

/** A positive number; anything else counts as not set. */
export function numberProperty(properties: Properties, name: string, otherwise: number): number {
  const value = Number(properties.get(name)?.trim() || Number.NaN)
  return Number.isFinite(value) && value > 0 ? value : otherwise
}
