import type { Logger } from 'pino'
import type { Context } from '../../context.ts'

/** How many finished runs of one job and resource stay in the history, by outcome. */
export interface Retention {
  success: number
  failed: number
}
export const few: Retention = { success: 1, failed: 3 }
export const failedOnly: Retention = { success: 0, failed: 3 }
export const balanced: Retention = { success: 3, failed: 3 }
export const high: Retention = { success: 3, failed: 6 }

/** What one run may do besides its work: count, complain, add details, notice that it should stop. */
export interface JobRun {
  readonly name: string
  readonly resource: JobResource | undefined
  /** Set on timeout, on shutdown, and when this process was taken for dead. */
  readonly signal: AbortSignal
  readonly log: Logger
  success(count?: number): void
  /** Records a failure and lets the run go on. Throwing does the same and ends it. */
  error(problem: unknown): void
  /** Keys of job_history.details beside `errors`: `scrape_summary`, `summary`, `status`. */
  readonly details: Record<string, unknown>
}

export interface JobResource {
  id: string
  type?: string
}

export interface Job {
  /** As shown in the history. Two jobs may share a name; then they need an `id`. */
  name: string
  id?: string
  /** When it runs by itself. Jobs of single resources (a scraper, a topology) have none here and are scheduled per resource. */
  schedule?: string
  /** Also run once when a worker starts. */
  atStart?: boolean
  /** One run at a time (per resource), across all processes; a second one is SKIPPED. */
  singleton?: boolean
  /** Duration text; the run's signal is set then and the run counts as failed. */
  timeout?: string
  retention?: Retention
  resourceType?: string
  run(ctx: Context, run: JobRun): Promise<void>
}

export const jobId = (job: Job): string => job.id ?? job.name

/** Declares a job; the checks here fail at start, not at three in the morning. */
export function defineJob(job: Job): Job {
  if (!job.name) throw new Error('a job needs a name')
  return job
}
