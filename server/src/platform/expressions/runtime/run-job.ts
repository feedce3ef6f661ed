import { ExpressionError, NeedsHost, OutOfSteps } from '../errors.ts'
import { evaluateSource } from '../evaluate-source.ts'
import { Run } from '../run.ts'
import type { Job, Outcome } from './protocol.ts'

/** Runs a job on this thread. Only what is no fault of the expression is thrown. */
export function runJob(job: Job): Outcome {
  const run = new Run(job.limits, job.now, new Map(job.answers), new Set(job.hostNames))
  try {
    return { type: 'value', value: evaluateSource(job.source, job.env, run, job.limits, job.hostNames) }
  } catch (error) {
    if (error instanceof NeedsHost) return { type: 'needs', call: error.call, args: error.args, key: error.key }
    if (error instanceof ExpressionError) return { type: 'failure', failure: error.toFailure() }
    if (error instanceof OutOfSteps) {
      const failure = { message: error.message, kind: 'limit', language: job.source.language } as const
      return { type: 'failure', failure, outOfSteps: true }
    }
    throw error
  }
}
