import { formatDuration } from '@quarterdeck/contract/schedule'
import type { Logger } from 'pino'
import type { Context } from '../../context.ts'
import type { Job, JobResource, JobRun } from './job.ts'

/** What a run counted. */
export interface Tally {
  successCount: number
  errorCount: number
  errors: string[]
  details: Record<string, unknown>
}

/** Errors kept per run; a job over a hundred thousand items must not write a hundred thousand messages. */
const maxErrors = 200
const maxErrorLength = 4000
/** How long a run may take to end after its signal was set. */
const graceMs = 5000

interface PerformOptions {
  resource: JobResource | undefined
  log: Logger
  timeoutMs: number | undefined
  signals: AbortSignal[]
}

/** Does the work of a job. `settled` resolves when the work is really over, which a run that ignores its signal delays. */
export async function perform(
  ctx: Context,
  job: Job,
  { resource, log, timeoutMs, signals }: PerformOptions,
): Promise<{ tally: Tally; settled: Promise<void> }> {
  const tally: Tally = { successCount: 0, errorCount: 0, errors: [], details: {} }
  const timeout = new AbortController()
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => timeout.abort(new Error(`timed out after ${formatDuration(timeoutMs)}`)), timeoutMs)
  const signal = AbortSignal.any([...signals, timeout.signal])

  let closed = false
  const run: JobRun = {
    name: job.name,
    resource,
    signal,
    log,
    details: tally.details,
    success(count = 1) {
      if (!closed) tally.successCount += count
    },
    error(problem) {
      if (!closed) addError(tally, problem)
    },
  }
  const settled = Promise.resolve()
    .then(() => job.run(ctx, run))
    // An error that only says "aborted" is the echo of the reason below.
    .catch((error: unknown) =>
      signal.aborted ? log.debug({ err: error }, 'run ended by its signal') : run.error(error),
    )
    .then(() => clearTimeout(timer))

  await Promise.race([settled, aborted(signal)])
  if (signal.aborted) {
    run.error(signal.reason)
    await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, graceMs))])
  }
  closed = true
  clearTimeout(timer)
  if (tally.errorCount > tally.errors.length) tally.errors.push(`and ${tally.errorCount - tally.errors.length} more`)
  return { tally: { ...tally, details: { ...tally.details } }, settled }
}

function addError(tally: Tally, problem: unknown): void {
  tally.errorCount++
  if (tally.errors.length < maxErrors) tally.errors.push(errorText(problem))
}

function errorText(problem: unknown): string {
  const text =
    problem instanceof Error
      ? problem.message || problem.name
      : typeof problem === 'string'
        ? problem
        : JSON.stringify(problem)
  return (text ?? 'unknown error').slice(0, maxErrorLength)
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
