import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Sql } from '../../platform/db/db.ts'
import { durationProperty, readProperties } from '../../platform/properties.ts'
import { type AnyTask, defineTask, GiveUp } from '../../platform/queue/task.ts'
import { evictHistory } from './eviction.ts'
import { type Job, jobId } from './job.ts'
import { markStale } from './job-history.sql.ts'
import { endExpiredLeases, endLeasesOf } from './leases.sql.ts'
import { runJob } from './run-job.ts'
import { type JobPayload, jobTaskName, queueStartJobs, syncSchedules, tick } from './scheduler.ts'
import { earliestDue } from './schedules.sql.ts'

const Payload: z.ZodType<JobPayload> = z.object({
  job: z.string(),
  resource: z.object({ id: z.string(), type: z.string().optional() }).optional(),
})

/** The queue's task that runs any of these jobs. */
export function jobTask(jobs: readonly Job[]): AnyTask {
  const byId = new Map(jobs.map((job) => [jobId(job), job]))
  if (byId.size < jobs.length) throw new Error('two jobs have the same id')
  return defineTask(jobTaskName, Payload, async (ctx, payload, helpers) => {
    const job = byId.get(payload.job)
    if (!job) throw new GiveUp(`there is no job called ${payload.job}`)
    const { resource } = payload
    await runJob(ctx, job, { resource, signal: helpers.signal, workerId: helpers.workerId })
  })
}

/** What dead workers were running: their leases end and their history rows become STALE. */
export async function releaseRunsOf(sql: Sql, workerIds: readonly string[]): Promise<void> {
  await markStale(sql, await endLeasesOf(sql, workerIds), 'the worker that ran this job died')
}

/** The same for runs whose lease nobody renewed. */
export async function releaseExpiredRuns(ctx: Pick<Context, 'db'>): Promise<void> {
  await ctx.db.tx(async (sql) => {
    await markStale(sql, await endExpiredLeases(sql), 'the process that ran this job stopped answering')
  })
}

export interface SchedulerHandle {
  stop(): Promise<void>
}

/** Longest pause between two looks at the table; schedules written by other processes are seen by then. */
const lookEveryMs = 5000
const housekeepingMs = 60_000

/** Keeps queueing what is due until stopped. Any number of processes may do this at once. */
export async function startScheduler(ctx: Context, jobs: readonly Job[]): Promise<SchedulerHandle> {
  const log = ctx.log.child({ part: 'scheduler' })
  await syncSchedules(ctx, jobs)
  await queueStartJobs(ctx, jobs)

  let stopped = false
  let wake: () => void = () => undefined
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const sync = everyNow(
    () => housekeepingMs,
    async () => {
      await syncSchedules(ctx, jobs)
      await releaseExpiredRuns(ctx)
    },
  )
  const evict = everyNow(
    async () => durationProperty(await readProperties(ctx), 'job.eviction.period', '1m'),
    async () => void (await evictHistory(ctx)),
  )

  const loop = async () => {
    while (!stopped) {
      let pause = lookEveryMs
      try {
        while (!stopped && (await tick(ctx, jobs)) > 0);
        await sync()
        await evict()
        const next = await earliestDue(ctx.db, jobs.map(jobId))
        if (next) pause = Math.min(pause, Math.max(50, next.getTime() - ctx.clock.now().getTime()))
      } catch (error) {
        log.warn({ err: error }, 'scheduling failed; trying again')
      }
      if (!stopped) await sleep(pause)
    }
  }
  const running = loop()
  return {
    async stop() {
      stopped = true
      wake()
      await running
    },
  }
}

/** Does the work when the period has passed since the last time, else nothing. */
function everyNow(period: () => number | Promise<number>, work: () => Promise<void>): () => Promise<void> {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < (await period())) return
    last = performance.now()
    await work()
  }
}
