import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { EnqueueOptions, Queue, Runs } from './queue.ts'

export interface TaskHelpers {
  log: Logger
  /** Set when the process stops; long work should end soon after. */
  signal: AbortSignal
  /** 1 on the first try. */
  attempt: number
  maxAttempts: number
  /** Id of the worker process, for leases. */
  workerId: string
}

/** A unit of queued work: a name, what its payload looks like, and what to do. Throwing means "try again later". */
export interface Task<Payload = never> {
  name: string
  schema: z.ZodType<Payload>
  handle(ctx: Context, payload: Payload, helpers: TaskHelpers): Promise<void>
  /** Queues this task; pass the transaction that causes the work. */
  enqueue(queue: Queue, sql: Runs, payload: Payload, options?: EnqueueOptions): Promise<void>
}

/** Any task, for lists: the payload type matters only between `defineTask` and `enqueue`. */
// eslint-disable-next-line typescript/no-explicit-any
export type AnyTask = Task<any>

export function defineTask<Payload>(
  name: string,
  schema: z.ZodType<Payload>,
  handle: Task<Payload>['handle'],
  defaults: EnqueueOptions = {},
): Task<Payload> {
  return {
    name,
    schema,
    handle,
    enqueue: (queue, sql, payload, options) => queue.add(sql, name, payload, { ...defaults, ...options }),
  }
}

/** Thrown by a task whose work can never succeed, so that the queue does not try again. */
export class GiveUp extends Error {
  override name = 'GiveUp'
}
