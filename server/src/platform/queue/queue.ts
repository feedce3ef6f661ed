import { runMigrations } from 'graphile-worker'
import type { Db } from '../db/db.ts'
import { withRights } from '../db/requirements.ts'

/** The pool, a transaction, or a bare client: whatever causes the work. */
export interface Runs {
  query(text: string, values?: unknown[]): Promise<unknown>
}

export interface EnqueueOptions {
  /** Two jobs with one key are one job. */
  key?: string
  runAt?: Date
  maxAttempts?: number
  /** Jobs of one queue name run one after the other. Use few names; each is a row that stays. */
  queueName?: string
  /** Lower runs first; 0 when not given. */
  priority?: number
}

/** How often a task is tried when it does not say otherwise: over about four hours with the queue's back-off. */
export const defaultAttempts = 10

export interface Queue {
  /** Puts a task on the queue; pass the transaction that causes the work, so both appear together. */
  add(sql: Runs, task: string, payload: unknown, options?: EnqueueOptions): Promise<void>
  /** Many at once, one statement. */
  addAll(sql: Runs, entries: readonly QueueEntry[]): Promise<void>
  /** Takes a task back by its key, when it has not started. */
  remove(sql: Runs, key: string): Promise<void>
}

export interface QueueEntry {
  task: string
  payload: unknown
  options?: EnqueueOptions
}

/** The queue lives in its own schema of the same database. Safe to call at every start, by many processes at once. */
export async function installQueue(db: Db): Promise<void> {
  await withRights(runMigrations({ pgPool: db.pool }))
}

const addJobs = `
  select 1 from graphile_worker.add_jobs(
    array(select json_populate_recordset(null::graphile_worker.job_spec, $1::json))
  )`

export function createQueue(): Queue {
  const addAll = async (sql: Runs, entries: readonly QueueEntry[]) => {
    if (entries.length === 0) return
    await sql.query(addJobs, [JSON.stringify(entries.map(jobSpec))])
  }
  return {
    add: (sql, task, payload, options) => addAll(sql, [{ task, payload, options }]),
    addAll,
    remove: async (sql, key) => {
      await sql.query('select graphile_worker.remove_job($1)', [key])
    },
  }
}

function jobSpec({ task, payload, options = {} }: QueueEntry) {
  return {
    identifier: task,
    payload: payload ?? {},
    queue_name: options.queueName ?? null,
    run_at: options.runAt?.toISOString() ?? null,
    max_attempts: options.maxAttempts ?? defaultAttempts,
    job_key: options.key ?? null,
    priority: options.priority ?? null,
    flags: null,
  }
}
