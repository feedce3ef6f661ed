import { hostname } from 'node:os'
import type { Context } from './context.ts'
import { catalogRetentionJobs } from './modules/catalog/retention/retention.jobs.ts'
import { scrapeJobs } from './modules/catalog/scrape/scrape.jobs.ts'
import { scrapeService } from './modules/catalog/scrape/scrape.service.ts'
import { startConsumers } from './modules/events/consumers.ts'
import type { Consumer } from './modules/events/event.ts'
import { healthService } from './modules/health/engine.service.ts'
import type { Job } from './modules/jobs/job.ts'
import { jobTask, releaseRunsOf, startScheduler } from './modules/jobs/jobs.service.ts'
import { retentionJobs } from './modules/jobs/retention.jobs.ts'
import { upkeepJobs } from './modules/jobs/upkeep.jobs.ts'
import { mailConsumer } from './modules/people/mail.consumer.ts'
import { clusterDocumentsConsumer, clusterDocumentsJob } from './modules/resources/cluster-documents.ts'
import { resourceService } from './modules/resources/resources.service.ts'
import { numberProperty, readProperties } from './platform/properties.ts'
import { newWorkerId, startHeartbeat } from './platform/queue/heartbeat.ts'
import { startRunner } from './platform/queue/runner.ts'
import type { Service } from './platform/queue/service.ts'
import type { AnyTask } from './platform/queue/task.ts'

/** What the areas hand to the worker. A new area adds a line to each list it needs. */
export const allJobs = (): Job[] => [
  ...retentionJobs,
  ...upkeepJobs,
  ...scrapeJobs,
  ...catalogRetentionJobs,
  clusterDocumentsJob,
]
export const allTasks = (): AnyTask[] => []
export const allConsumers = (): Consumer[] => [mailConsumer, clusterDocumentsConsumer]
export const allServices = (): Service[] => [resourceService, healthService, scrapeService]

export interface WorkerParts {
  jobs: readonly Job[]
  tasks: readonly AnyTask[]
  consumers: readonly Consumer[]
  services: readonly Service[]
}

export interface WorkerOptions {
  /** Tasks at the same time in this process. */
  concurrency?: number
  /** Written beside the heartbeat, for people who look. */
  roles?: readonly string[]
  /** How long a stop waits for running tasks before their signal is set. */
  graceMs?: number
  /** Other parts than the product's; for tests. */
  parts?: Partial<WorkerParts>
}

export interface Worker {
  readonly id: string
  start(): Promise<void>
  /** Takes nothing new, waits for what runs, signs off. */
  stop(): Promise<void>
}

/** Property `worker.concurrency`, read at start. */
const concurrencyOf = async (ctx: Context): Promise<number> =>
  Math.min(100, Math.ceil(numberProperty(await readProperties(ctx), 'worker.concurrency', 8)))

/** Everything that works in the background: queue, schedules, events, engines. Does not begin until started. */
export function buildWorker(ctx: Context, options: WorkerOptions = {}): Worker {
  const {
    jobs = allJobs(),
    tasks = allTasks(),
    consumers = allConsumers(),
    services = allServices(),
  } = options.parts ?? {}
  // New with every start: a process that comes back is another worker, and what the old one held is given back.
  const id = newWorkerId()
  const running: { name: string; stop(): Promise<void> }[] = []
  const stop = async () => {
    for (let part = running.pop(); part; part = running.pop()) {
      const { name } = part
      await part
        .stop()
        .catch((error: unknown) =>
          ctx.log.warn({ err: error, part: name }, 'a part of the worker did not stop cleanly'),
        )
    }
  }
  const begin = async () => {
    const keep = (name: string, part: { stop(): Promise<void> }) => void running.push({ name, stop: () => part.stop() })
    let abortRunning: (reason: string) => void = () => undefined
    const heartbeat = await startHeartbeat({
      db: ctx.db,
      log: ctx.log.child({ part: 'heartbeat' }),
      worker: { workerId: id, hostname: hostname(), roles: options.roles ?? ['worker'] },
      onDead: releaseRunsOf,
      onLost: () => abortRunning('this worker was silent too long, and its work was given to others'),
    })
    keep('heartbeat', heartbeat)
    const runner = await startRunner({
      ctx,
      tasks: [jobTask(jobs), ...tasks],
      workerId: id,
      concurrency: options.concurrency ?? (await concurrencyOf(ctx)),
      graceMs: options.graceMs ?? 8000,
    })
    abortRunning = (reason) => runner.abortRunning(reason)
    keep('queue', runner)
    for (const service of services) keep(service.name, await service.start(ctx, id))
    keep('events', startConsumers(ctx, consumers))
    keep('scheduler', await startScheduler(ctx, jobs))
  }
  return {
    id,
    stop,
    async start() {
      try {
        await begin()
      } catch (error) {
        await stop()
        throw error
      }
    },
  }
}
