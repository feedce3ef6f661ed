import { scheduleProblem } from '@quarterdeck/contract/schedule'
import type { Context } from '../../context.ts'
import type { Sql } from '../../platform/db/db.ts'
import { isOn, type Properties, readProperties } from '../../platform/properties.ts'
import type { QueueEntry } from '../../platform/queue/queue.ts'
import { type Job, jobId, type JobResource } from './job.ts'
import { settingsOf } from './job-properties.ts'
import { nextRunOf, nextRunWithDelay } from './next-run.ts'
import {
  advance,
  claimDue,
  deleteSchedules,
  knownSchedules,
  scheduledResources,
  takeStart,
  upsertSchedules,
} from './schedules.sql.ts'

/** Name of the queue's task that runs a job. */
export const jobTaskName = 'job'
/** A run lost with its worker is taken up again; a run that fails is not, its next turn comes by schedule. */
const attempts = 3
const batch = 100

export interface JobPayload {
  job: string
  resource?: JobResource
}

export const scheduleKey = (job: Job, resourceId?: string | null): string =>
  resourceId ? `${jobId(job)}:${resourceId}` : jobId(job)

function queueEntry(job: Job, resource: JobResource | undefined, suffix: string): QueueEntry {
  const payload: JobPayload = { job: jobId(job), ...(resource && { resource }) }
  return {
    task: jobTaskName,
    payload,
    options: { key: `job:${scheduleKey(job, resource?.id)}${suffix}`, maxAttempts: attempts },
  }
}

/** The overriding schedule when there is a readable one, else the job's or resource's own. */
function effectiveSchedule(
  ctx: Context,
  job: Job,
  resourceId: string | undefined,
  own: string | undefined,
  properties: Properties,
): string | undefined {
  const override = settingsOf(job, resourceId, properties).schedule
  if (override === undefined || override === own) return own
  const problem = scheduleProblem(override)
  if (problem === undefined) return override
  ctx.log.warn({ job: job.name, schedule: override, problem }, 'the property that sets this schedule cannot be read')
  return own
}

/** Brings the table in step with the jobs of this version and the properties that override their schedules. */
export async function syncSchedules(ctx: Context, jobs: readonly Job[]): Promise<void> {
  const properties = await readProperties(ctx)
  const now = ctx.clock.now()
  const wanted = jobs.flatMap((job) => {
    const schedule = effectiveSchedule(ctx, job, undefined, job.schedule, properties)
    if (schedule === undefined) return []
    const key = scheduleKey(job)
    return [{ key, job: jobId(job), resourceId: null, schedule, nextRunAt: nextRunOf(schedule, key, now) ?? null }]
  })
  await upsertSchedules(ctx.db, wanted)
}

/** Queues the jobs that also run at start, once however many processes start together. */
export async function queueStartJobs(ctx: Context, jobs: readonly Job[]): Promise<void> {
  const properties = await readProperties(ctx)
  for (const job of jobs) {
    if (!job.atStart && !settingsOf(job, undefined, properties).runNow) continue
    await ctx.db.tx(async (sql) => {
      if (await takeStart(sql, scheduleKey(job), ctx.clock.now(), 60_000)) {
        await ctx.queue.addAll(sql, [queueEntry(job, undefined, '')])
      }
    })
  }
}

/**
 * Queues what is due. Claim, next time and queue entry are one transaction: a run is queued exactly once whatever
 * process dies when. Runs missed while no worker was up collapse into one.
 */
export async function tick(ctx: Context, jobs: readonly Job[], random: () => number = Math.random): Promise<number> {
  const byId = new Map(jobs.map((job) => [jobId(job), job]))
  const properties = await readProperties(ctx)
  const noJitter = isOn(properties.get('job.jitter.disable'))
  return ctx.db.tx(async (sql) => {
    const now = ctx.clock.now()
    const due = await claimDue(sql, [...byId.keys()], now, batch)
    const entries: QueueEntry[] = []
    const next = due.map((row) => {
      const job = byId.get(row.job)!
      const own = row.resource_id === null ? (job.schedule ?? row.schedule) : row.schedule
      const schedule = effectiveSchedule(ctx, job, row.resource_id ?? undefined, own, properties) ?? row.schedule
      entries.push(queueEntry(job, row.resource_id === null ? undefined : { id: row.resource_id }, ''))
      return { key: row.key, next: nextRunWithDelay(schedule, row.key, now, noJitter ? () => 0 : random) ?? null }
    })
    if (next.length > 0) await advance(sql, next, now)
    await ctx.queue.addAll(sql, entries)
    return due.length
  })
}

export interface ResourceSchedule {
  id: string
  schedule: string
}

/**
 * Makes the schedules of a per-resource job match the given resources: new ones run at once, changed ones move,
 * vanished ones end. Engines call it from their Sync job and after writes.
 */
export async function scheduleResources(ctx: Context, job: Job, resources: readonly ResourceSchedule[]): Promise<void> {
  await ctx.db.tx(async (sql) => {
    const kept = new Set(resources.map(({ id }) => id))
    const gone = (await scheduledResources(sql, jobId(job))).filter((id) => !kept.has(id))
    if (gone.length > 0)
      await deleteSchedules(
        sql,
        gone.map((id) => scheduleKey(job, id)),
      )
    await upsertResources(ctx, sql, job, resources)
  })
}

/** Schedules one resource without looking at the others. */
export async function scheduleResource(ctx: Context, sql: Sql, job: Job, resource: ResourceSchedule): Promise<void> {
  await upsertResources(ctx, sql, job, [resource])
}

export const unscheduleResource = (sql: Sql, job: Job, resourceId: string): Promise<void> =>
  deleteSchedules(sql, [scheduleKey(job, resourceId)])

async function upsertResources(
  ctx: Context,
  sql: Sql,
  job: Job,
  resources: readonly ResourceSchedule[],
): Promise<void> {
  const properties = await readProperties(ctx)
  const known = await knownSchedules(
    sql,
    resources.map(({ id }) => scheduleKey(job, id)),
  )
  const now = ctx.clock.now()
  const wanted = resources.map(({ id, schedule: own }) => {
    const schedule = effectiveSchedule(ctx, job, id, own, properties) ?? own
    const key = scheduleKey(job, id)
    const next = nextRunOf(schedule, key, now)
    return { key, job: jobId(job), resourceId: id, schedule, nextRunAt: next ? (known.has(key) ? next : now) : null }
  })
  await upsertSchedules(sql, wanted)
}

/** Run Now: queues a run beside the schedule. Pass the transaction of the request, or the pool. */
export async function queueJob(ctx: Context, sql: Sql, job: Job, resource?: JobResource): Promise<void> {
  await ctx.queue.addAll(sql, [queueEntry(job, resource, ':now')])
}
