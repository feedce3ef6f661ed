import type { Sql } from '../db/db.ts'

export interface EnqueueOptions {
  /** Two jobs with one key are one job. */
  key?: string
  runAt?: Date
  maxAttempts?: number
  /** Jobs of one queue name run one after the other. */
  queueName?: string
}

export interface Queue {
  /** Puts a task on the queue; pass the transaction that causes the work, so both appear together. */
  add(sql: Sql, task: string, payload: unknown, options?: EnqueueOptions): Promise<void>
}
