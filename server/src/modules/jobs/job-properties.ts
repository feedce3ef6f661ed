import { parseDuration } from '@quarterdeck/contract/schedule'
import type { Context } from '../../context.ts'
import type { Sql } from '../../platform/db/db.ts'
import { few, type Job, jobId, type Retention } from './job.ts'

/** Runtime switches of jobs, from the properties table: `jobs.{name}.{key}`, `jobs.{name}.{resource}.{key}`, `jobs.{key}`. */
export interface JobSettings {
  schedule: string | undefined
  timeoutMs: number | undefined
  /** Whether runs are recorded at all. */
  history: boolean
  retention: Retention
  singleton: boolean
  runNow: boolean
  debug: boolean
}

export type Properties = ReadonlyMap<string, string>

const keepMs = 5000
const cache = new WeakMap<object, { until: number; value: Promise<Properties> }>()

async function load(sql: Sql): Promise<Properties> {
  const rows = await sql.query<{ name: string; value: string }>(
    `select name, value from properties where deleted_at is null and (name like 'jobs.%' or name like 'job.%'
       or name like '%.retention.%' or name like '%.maxAge' or name like '%.batchSize')`,
  )
  return new Map(rows.map((row) => [row.name, row.value]))
}

/** The properties that steer jobs and retention, at most five seconds old. */
export function readProperties(ctx: Pick<Context, 'db'>): Promise<Properties> {
  const kept = cache.get(ctx.db)
  if (kept && kept.until > performance.now()) return kept.value
  const value = load(ctx.db)
  value.catch(() => cache.delete(ctx.db))
  cache.set(ctx.db, { until: performance.now() + keepMs, value })
  return value
}

/** Tests change properties and cannot wait for the cache. */
export const forgetProperties = (ctx: Pick<Context, 'db'>): void => void cache.delete(ctx.db)

const yes = (text: string) => ['true', 'on', '1', 'yes'].includes(text.trim().toLowerCase())

export function settingsOf(job: Job, resourceId: string | undefined, properties: Properties): JobSettings {
  const names = [...new Set([jobId(job), job.name, job.name.replaceAll(' ', '')])]
  const own = (key: string): string | undefined => {
    const scopes = resourceId === undefined ? [] : names.map((name) => `jobs.${name}.${resourceId}.${key}`)
    const found = [...scopes, ...names.map((name) => `jobs.${name}.${key}`)].find((name) => properties.has(name))
    return found === undefined ? undefined : properties.get(found)
  }
  const flag = (key: string, otherwise: boolean): boolean => {
    const text = own(key) ?? properties.get(`jobs.${key}`)
    return text === undefined ? otherwise : yes(text)
  }
  const count = (key: string, otherwise: number): number => {
    const value = Number(own(key) ?? Number.NaN)
    return Number.isInteger(value) && value >= 0 && value <= 10_000 ? value : otherwise
  }
  const retention = job.retention ?? few
  const timeout = parseDuration(own('timeout') ?? '') ?? parseDuration(job.timeout ?? '')
  return {
    schedule: own('schedule') ?? job.schedule,
    timeoutMs: timeout !== undefined && timeout > 0 ? timeout : undefined,
    history: flag('history', true),
    retention: {
      success: count('retention.success', retention.success),
      failed: count('retention.failed', retention.failed),
    },
    singleton: flag('singleton', job.singleton ?? true),
    runNow: flag('runNow', false),
    debug: flag('debug', false) || flag('trace', false),
  }
}

/** A duration such as `job.history.maxAge`; a value that is no positive duration counts as not set. */
export function durationProperty(properties: Properties, name: string, otherwise: string): number {
  const given = parseDuration(properties.get(name)?.trim() ?? '')
  return given !== undefined && given > 0 ? given : (parseDuration(otherwise) ?? 0)
}

export function numberProperty(properties: Properties, name: string, otherwise: number): number {
  const value = Number(properties.get(name) ?? Number.NaN)
  return Number.isFinite(value) && value > 0 ? value : otherwise
}

export const flagProperty = (properties: Properties, name: string): boolean => yes(properties.get(name) ?? '')
