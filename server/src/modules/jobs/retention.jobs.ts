import { formatDuration } from '@quarterdeck/contract/schedule'
import type { Context } from '../../context.ts'
import { dropOldPartitions, ensurePartitions } from '../../platform/db/partitions.ts'
import { durationProperty, numberProperty, readProperties } from '../../platform/properties.ts'
import { balanced, defineJob, failedOnly, few, type Job, type JobRun } from './job.ts'
import { markStaleByAge } from './job-history.sql.ts'
import {
  checksOfDeletedCanaries,
  componentsOfDeletedTopologies,
  deletedCanaries,
  deletedChecks,
  deletedComponents,
  deletedConfigItems,
  expiredArtifacts,
  oldAnalysis,
  oldChanges,
  oldDaily,
  oldEvents,
  oldFailedTasks,
  oldFlows,
  oldHourly,
  oldJobHistory,
  oldSendHistory,
  oldSessions,
  surplusOfAgents,
  type Sweep,
} from './retention.sql.ts'

const day = 86_400_000

/** Sweeps in small transactions until nothing is left or the run should stop; counts what went. */
async function sweepAll(ctx: Context, run: JobRun, sweep: Sweep, olderThanMs: number, limit = 2000): Promise<void> {
  for (;;) {
    if (run.signal.aborted) return
    const gone = await ctx.db.tx((sql) => sweep(sql, olderThanMs, limit))
    run.success(gone)
    if (gone < limit) break
  }
  run.log.debug({ olderThan: formatDuration(olderThanMs) }, 'swept')
}

interface Cleanup extends Pick<Job, 'name' | 'id' | 'schedule' | 'atStart' | 'retention' | 'resourceType'> {
  sweep: Sweep
  /** Property that sets the age, and its value when not set. */
  age: readonly [property: string | undefined, otherwise: string]
  limit?: number
}

const cleanup = ({ sweep, age: [property, otherwise], limit, ...job }: Cleanup): Job =>
  defineJob({
    schedule: '@every 24h',
    retention: balanced,
    ...job,
    async run(ctx, run) {
      const age = durationProperty(await readProperties(ctx), property ?? '', otherwise)
      await sweepAll(ctx, run, sweep, age, limit)
    },
  })

/** Days that results and their hourly and daily roll-ups are kept, each by its own property. */
const keptDays = {
  runs: ['check.status.retention.days', 30],
  hours: ['check.status.1h.retention.days', 365],
  days: ['check.status.1d.retention.days', 5 * 365],
} as const
const keptMs = async (ctx: Context, what: keyof typeof keptDays) => {
  const [property, fallback] = keptDays[what]
  return numberProperty(await readProperties(ctx), property, fallback) * day
}

/** Jobs of the platform itself: what must go so that the rest stays small. Names and schedules are those of the history. */
export const retentionJobs: readonly Job[] = [
  defineJob({
    name: 'CleanupStaleJobHistory',
    schedule: '15 1 * * *',
    atStart: true,
    retention: few,
    async run(ctx, run) {
      const properties = await readProperties(ctx)
      run.success(await markStaleByAge(ctx.db, durationProperty(properties, 'job.history.running.maxAge', '4h')))
      await sweepAll(ctx, run, oldJobHistory, durationProperty(properties, 'job.history.maxAge', '30d'))
    },
  }),
  defineJob({
    name: 'CleanupStaleAgentJobHistory',
    schedule: '0 1 * * *',
    atStart: true,
    retention: few,
    async run(ctx, run) {
      const keep = numberProperty(await readProperties(ctx), 'job.history.agentItemsToRetain', 3)
      await sweepAll(ctx, run, (sql, _, limit) => surplusOfAgents(sql, keep, limit), 0, 10_000)
    },
  }),
  cleanup({ name: 'Cleanup Event Queue', sweep: oldEvents, age: ['event_queue.maxAge', '30d'] }),
  cleanup({
    name: 'Cleanup NotificationSend History',
    sweep: oldSendHistory,
    age: ['notification.send.history.maxAge', '30d'],
  }),

  defineJob({
    name: 'CleanupChecks',
    schedule: '@every 1h',
    retention: balanced,
    run: async (ctx, run) => run.success(await checksOfDeletedCanaries(ctx.db)),
  }),
  cleanup({
    name: 'CleanupChecks',
    id: 'CleanupChecks purge',
    schedule: '@every 12h',
    sweep: deletedChecks,
    age: ['check.retention.age', '7d'],
    limit: 200,
  }),
  cleanup({
    name: 'CleanupCanaries',
    schedule: '@every 12h',
    atStart: true,
    sweep: deletedCanaries,
    age: ['canary.retention.age', '7d'],
  }),
  defineJob({
    name: 'EnsureCheckStatusPartitions',
    schedule: '@every 6h',
    atStart: true,
    retention: few,
    resourceType: 'check_statuses',
    run: (ctx) => ensurePartitions(ctx.db, ctx.clock.now()),
  }),
  defineJob({
    name: 'DeleteOldCheckStatuses',
    schedule: '@every 24h',
    retention: few,
    resourceType: 'check_statuses',
    async run(ctx, run) {
      const before = new Date(ctx.clock.now().getTime() - (await keptMs(ctx, 'runs')))
      run.success((await dropOldPartitions(ctx.db, 'check_statuses', before)).length)
    },
  }),
  defineJob({
    name: 'DeleteOldCheckStatuses1h',
    schedule: '@every 24h',
    retention: balanced,
    resourceType: 'check_statuses',
    run: async (ctx, run) => sweepAll(ctx, run, oldHourly, await keptMs(ctx, 'hours')),
  }),
  defineJob({
    name: 'DeleteOldCheckStatuses1d',
    schedule: '@every 24h',
    retention: balanced,
    resourceType: 'check_statuses',
    run: async (ctx, run) => sweepAll(ctx, run, oldDaily, await keptMs(ctx, 'days')),
  }),

  cleanup({
    name: 'CleanupArtifacts',
    schedule: '@every 1h',
    sweep: expiredArtifacts,
    // Each says itself when it goes.
    age: [undefined, '0s'],
    limit: 100,
  }),

  defineJob({
    name: 'CleanupComponents',
    schedule: '@every 1h',
    retention: balanced,
    run: async (ctx, run) => run.success(await ctx.db.tx((sql) => componentsOfDeletedTopologies(sql))),
  }),
  cleanup({
    name: 'CleanupSoftDeletedComponents',
    resourceType: 'components',
    sweep: deletedComponents,
    age: ['component.retention.period', '7d'],
    limit: 1000,
  }),

  cleanup({
    name: 'CleanupConfigAnalysis',
    resourceType: 'configs',
    sweep: oldAnalysis,
    age: ['config_analysis.retention.age', '60d'],
  }),
  cleanup({
    name: 'CleanupConfigChanges',
    resourceType: 'configs',
    sweep: oldChanges,
    age: ['config_changes.retention.age', '60d'],
  }),
  cleanup({
    name: 'CleanupConfigItems',
    schedule: '0 2 * * *',
    resourceType: 'configs',
    sweep: deletedConfigItems,
    age: ['config.retention.period', '7d'],
    limit: 500,
  }),

  defineJob({
    name: 'CleanupSessions',
    schedule: '@every 1h',
    retention: few,
    async run(ctx, run) {
      await sweepAll(ctx, run, oldSessions, durationProperty(await readProperties(ctx), 'session.retention.age', '30d'))
      await sweepAll(ctx, run, oldFlows, day)
    },
  }),
  defineJob({
    name: 'CleanupQueue',
    schedule: '@every 24h',
    retention: few,
    run: (ctx, run) => sweepAll(ctx, run, oldFailedTasks, 30 * day),
  }),
  defineJob({
    name: 'PruneLiveChanges',
    schedule: '@every 1m',
    retention: failedOnly,
    run: async (ctx) => void (await ctx.db.query('select prune_live_changes()')),
  }),
]
