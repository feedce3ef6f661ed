import type { Evaluated } from '../cel/cel.ts'
import type { Failure } from '../errors.ts'
import type { Source } from '../evaluate-source.ts'
import type { Limits } from '../run.ts'

/** One evaluation for another thread. */
export interface Job {
  source: Source
  env: Record<string, unknown>
  limits: Limits
  now: number
  /** Answers of host functions so far, by call. */
  answers: [string, unknown][]
  hostNames: string[]
}

export type Outcome =
  | { type: 'value'; value: Evaluated }
  | { type: 'failure'; failure: Failure; outOfSteps?: boolean }
  | { type: 'needs'; call: string; args: unknown[]; key: string }

export interface Request {
  id: number
  job: Job
}
export interface Reply {
  id: number
  outcome: Outcome
}

export interface WorkerSetup {
  /** One number: which request the worker is at. The other side reads it to know whose time runs. */
  progress: SharedArrayBuffer
}
