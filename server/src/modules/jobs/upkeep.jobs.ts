import type { Context } from '../../context.ts'
import { balanced, defineJob, failedOnly, few, type Job } from './job.ts'

const call = (statement: string) => async (ctx: Context) => void (await ctx.db.query(statement))

/** Jobs that keep derived rows right where no write does it: windows that move on, counts that pile up. */
export const upkeepJobs: readonly Job[] = [
  defineJob({
    name: 'RefreshCheckStatusSummary',
    schedule: '@every 1m',
    timeout: '1m',
    singleton: true,
    retention: few,
    resourceType: 'check_statuses',
    run: call('select refresh_check_status_summary()'),
  }),
  defineJob({
    name: 'RefreshCheckStatusSummaryAged',
    schedule: '@every 1h',
    timeout: '60m',
    singleton: true,
    retention: few,
    resourceType: 'check_statuses',
    run: call('select refresh_check_status_summary_aged()'),
  }),
  defineJob({
    name: 'RefreshCheckSizeSummary',
    schedule: '@every 24h',
    singleton: true,
    retention: few,
    resourceType: 'check_statuses',
    run: call('select refresh_check_size_summary()'),
  }),
  defineJob({
    name: 'CompactConfigValues',
    schedule: '@every 1m',
    singleton: true,
    retention: failedOnly,
    resourceType: 'configs',
    run: call('select compact_config_values()'),
  }),
  defineJob({
    name: 'CleanupChangeFingerprints',
    schedule: '@every 1h',
    retention: balanced,
    resourceType: 'configs',
    // Far longer than any window within which a change counts as a repetition.
    run: async (ctx, run) =>
      run.success(await ctx.db.run(`delete from config_change_fingerprints where seen_at < now() - interval '2 days'`)),
  }),
]
