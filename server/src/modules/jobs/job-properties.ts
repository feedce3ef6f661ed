import { parseDuration } from '@quarterdeck/contract/schedule'
import { isOn, type Properties } from '../../platform/properties.ts'
import { few, type Job, jobId, type Retention } from './job.ts'

/** Switches of one job, from properties: `jobs.{name}.{key}`, `jobs.{name}.{resource}.{key}`, on/off ones also `jobs.{key}`. */
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

export function settingsOf(job: Job, resourceId: string | undefined, properties: Properties): JobSettings {
  const names = [...new Set([jobId(job), job.name, job.name.replaceAll(' ', '')])]
  const own = (key: string): string | undefined => {
    const scopes = resourceId === undefined ? [] : names.map((name) => `jobs.${name}.${resourceId}.${key}`)
    const found = [...scopes, ...names.map((name) => `jobs.${name}.${key}`)].find((name) => properties.has(name))
    return found === undefined ? undefined : properties.get(found)
  }
  const flag = (key: string, otherwise: boolean): boolean => {
    const text = own(key) ?? properties.get(`jobs.${key}`)
    return text === undefined ? otherwise : isOn(text)
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
