import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Context } from '../../context.ts'
import { readProperties } from '../../platform/properties.ts'
import { touchRing } from './eviction.ts'
import { type Job, jobId, type JobResource } from './job.ts'
import { finishHistory, type HistoryRow, insertHistory, type JobStatus } from './job-history.sql.ts'
import { type JobSettings, settingsOf } from './job-properties.ts'
import { endLease, leaseMs, nameRun, renewLease, takeLease } from './leases.sql.ts'
import { perform, type Tally } from './perform.ts'

export interface RunOptions {
  resource?: JobResource
  /** Ends the run early (shutdown, or the process was taken for dead). */
  signal?: AbortSignal
  /** Who runs it; workers pass their id, so that their death is noticed at once. */
  workerId?: string
}

export interface JobOutcome {
  status: Exclude<JobStatus, 'RUNNING' | 'STALE'>
  successCount: number
  errorCount: number
  errors: string[]
}

/**
 * Runs a job once and keeps its history: a RUNNING row at start, the outcome at the end, SKIPPED when the same singleton
 * still runs anywhere. Does not throw for a failing job; the outcome says what happened.
 */
export async function runJob(ctx: Context, job: Job, options: RunOptions = {}): Promise<JobOutcome> {
  const { resource } = options
  const settings = settingsOf(job, resource?.id, await readProperties(ctx))
  const log = ctx.log.child(
    { job: job.name, ...(resource && { resource: resource.id }) },
    settings.debug ? { level: 'debug' } : {},
  )
  const row: HistoryRow = {
    name: job.name,
    resourceId: resource?.id ?? null,
    resourceType: resource?.type ?? job.resourceType ?? null,
    status: 'RUNNING',
    hostname: hostname(),
    timeStart: ctx.clock.now(),
    timeEnd: null,
    durationMillis: null,
    successCount: 0,
    errorCount: 0,
    details: {},
  }

  const lease = await holdLease(ctx, job, settings, row, options, log)
  if (!lease) {
    const skipped: Tally = { successCount: 0, errorCount: 1, errors: ['job already running, skipping'], details: {} }
    log.debug(skipped.errors[0])
    return record(ctx, settings, undefined, row, 'SKIPPED', skipped)
  }

  let runId: string | undefined
  try {
    // With no room for successes a row appears only when something went wrong.
    if (settings.history && settings.retention.success > 0) {
      runId = await insertHistory(ctx.db, row)
      await nameRun(ctx.db, lease.id, runId)
    }
    const signals = options.signal ? [options.signal, lease.lost] : [lease.lost]
    const { tally, settled } = await perform(ctx, job, { resource, log, timeoutMs: settings.timeoutMs, signals })
    // A run that ignores its signal keeps the lease until it really ends, else the next one would run beside it.
    lease.endAfter(settled)
    const outcome = await record(ctx, settings, runId, row, statusOf(tally), tally)
    if (outcome.errorCount > 0) {
      log.warn({ status: outcome.status, errors: outcome.errors.slice(0, 3) }, 'job ended with errors')
    } else log.debug({ count: outcome.successCount }, 'job done')
    await lease.ended
    return outcome
  } catch (error) {
    lease.endAfter(Promise.resolve())
    throw error
  }
}

const statusOf = (tally: Tally): JobOutcome['status'] =>
  tally.errorCount === 0 ? 'SUCCESS' : tally.successCount > 0 ? 'WARNING' : 'FAILED'

async function record(
  ctx: Context,
  settings: JobSettings,
  runId: string | undefined,
  row: HistoryRow,
  status: JobOutcome['status'],
  tally: Tally,
): Promise<JobOutcome> {
  const end = ctx.clock.now()
  const done: HistoryRow = {
    ...row,
    status,
    timeEnd: end,
    durationMillis: Math.max(0, end.getTime() - row.timeStart.getTime()),
    successCount: tally.successCount,
    errorCount: tally.errorCount,
    details: tally.errors.length > 0 ? { ...tally.details, errors: tally.errors } : tally.details,
  }
  const keep = status === 'SUCCESS' ? settings.retention.success : settings.retention.failed
  if (runId) await finishHistory(ctx.db, runId, done)
  else if (settings.history && keep > 0) await insertHistory(ctx.db, done)
  if (settings.history) touchRing(ctx, { name: row.name, resourceId: row.resourceId, status, keep })
  return { status, successCount: tally.successCount, errorCount: tally.errorCount, errors: tally.errors }
}

interface HeldLease {
  id: string
  /** Set when somebody else took the run over. */
  lost: AbortSignal
  endAfter(work: Promise<void>): void
  /** Resolves once the lease is given back, or at once when the work still runs on. */
  readonly ended: Promise<void>
}

async function holdLease(
  ctx: Context,
  job: Job,
  settings: JobSettings,
  row: HistoryRow,
  options: RunOptions,
  log: Logger,
): Promise<HeldLease | undefined> {
  const id = randomUUID()
  const workerId = options.workerId ?? `process-${hostname()}-${process.pid}`
  const wanted = { id, job: jobId(job), resourceId: row.resourceId, workerId, singleton: settings.singleton }
  if (!(await takeLease(ctx.db, wanted))) return undefined

  const lost = new AbortController()
  const renewal = setInterval(() => {
    renewLease(ctx.db, id).then(
      (held) => held || lost.abort(new Error('another worker took this run over')),
      (error: unknown) => log.warn({ err: error }, 'could not renew the lease of a running job'),
    )
  }, leaseMs / 4).unref()
  let ended: Promise<void> = Promise.resolve()
  return {
    id,
    lost: lost.signal,
    endAfter(work) {
      let running = true
      const giveBack = async () => {
        running = false
        clearInterval(renewal)
        await endLease(ctx.db, id).catch((error: unknown) =>
          log.warn({ err: error }, 'could not end a lease; it expires'),
        )
      }
      const finished = work.then(giveBack)
      // Work that is already over is given back before the caller goes on; the rest ends in its own time.
      ended = Promise.race([finished, new Promise<void>((resolve) => setImmediate(() => running && resolve()))])
    },
    get ended() {
      return ended
    },
  }
}
