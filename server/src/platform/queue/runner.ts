import { EventEmitter } from 'node:events'
import { Logger as QueueLogger, run, type Runner, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Context } from '../../context.ts'
import { lastAttempt } from './heartbeat.sql.ts'
import { type AnyTask, GiveUp } from './task.ts'

export interface RunnerOptions {
  ctx: Context
  tasks: readonly AnyTask[]
  workerId: string
  concurrency: number
  /** How long a stop waits for running tasks before their signal is set. */
  graceMs?: number
  pollInterval?: number
}

export interface TaskRunner {
  /** Sets the signal of everything running now; new tasks get a fresh one. */
  abortRunning(reason: string): void
  /** Takes nothing new, waits for what runs. */
  stop(): Promise<void>
}

/** Runs queued tasks until stopped; when the library ends by itself (database gone) it is started again. */
export async function startRunner(options: RunnerOptions): Promise<TaskRunner> {
  const { ctx, workerId } = options
  const log = ctx.log.child({ part: 'queue' })
  // Own connections, so that tasks which use up the shared pool cannot stop the queue from taking and finishing work.
  const pool = new pg.Pool({ ...ctx.db.pool.options, max: Math.min(4, options.concurrency + 1) })
  pool.on('error', (error) => log.warn({ err: error }, 'an idle queue connection broke'))
  pool.on('connect', (client) => client.on('error', (error) => log.warn({ err: error }, 'a queue connection broke')))

  let aborter = new AbortController()
  let stopping = false
  let runner: Runner | undefined
  let restart: NodeJS.Timeout | undefined
  let failures = 0

  const taskList: TaskList = Object.fromEntries(
    options.tasks.map((task) => [task.name, wrap(task, options, log, () => aborter.signal)]),
  )

  const start = async () => {
    const events = new EventEmitter() as WorkerEvents
    // The library locks jobs in the name of its pool, an id it draws at random; ours is the one the heartbeat vouches for.
    events.on('pool:create', ({ workerPool }) => (workerPool.id = workerId))
    runner = await run({
      pgPool: pool,
      events,
      taskList,
      parsedCronItems: [],
      noHandleSignals: true,
      logger: queueLogger(log),
      concurrency: options.concurrency,
      pollInterval: options.pollInterval ?? 2000,
      preset: {
        worker: {
          gracefulShutdownAbortTimeout: options.graceMs ?? 20_000,
          // Batched completion retries and reports; unbatched it would end in an unhandled rejection when the database goes away.
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
        },
      },
    })
    const startedAt = Date.now()
    const again = (error?: unknown) => {
      if (stopping) return
      failures = Date.now() - startedAt > 60_000 ? 0 : failures + 1
      const delay = Math.min(30_000, 500 * 2 ** failures)
      log.error({ err: error, delay }, 'the queue stopped by itself; starting it again')
      restart = setTimeout(() => start().catch(again), delay)
    }
    runner.promise.then(() => again(), again)
  }
  await start()

  return {
    abortRunning(reason) {
      aborter.abort(new Error(reason))
      aborter = new AbortController()
    },
    async stop() {
      stopping = true
      clearTimeout(restart)
      const grace = setTimeout(() => aborter.abort(new Error('the server is stopping')), options.graceMs ?? 20_000)
      await runner?.stop().catch((error: unknown) => log.warn({ err: error }, 'the queue did not stop cleanly'))
      clearTimeout(grace)
      await pool.end()
    },
  }
}

function wrap(
  task: AnyTask,
  { ctx, workerId }: RunnerOptions,
  log: Logger,
  signal: () => AbortSignal,
): TaskList[string] {
  return async (payload, { job }) => {
    const child = log.child({ task: task.name, jobId: job.id, attempt: job.attempts })
    const startedAt = performance.now()
    try {
      const parsed = task.schema.safeParse(payload)
      if (!parsed.success)
        throw new GiveUp(`the payload of ${task.name} does not fit: ${parsed.error.issues[0]?.message}`)
      await task.handle(ctx, parsed.data, {
        log: child,
        signal: signal(),
        attempt: job.attempts,
        maxAttempts: job.max_attempts,
        workerId,
      })
      child.debug({ ms: Math.round(performance.now() - startedAt) }, 'task done')
    } catch (error) {
      const final = error instanceof GiveUp || job.attempts >= job.max_attempts
      child[final ? 'error' : 'warn'](
        { err: error, final },
        final ? 'task failed for good' : 'task failed; it is tried again',
      )
      if (error instanceof GiveUp) await lastAttempt(ctx.db, job.id)
      throw error
    }
  }
}

/** What the library says about single jobs we say ourselves, with context; the rest goes to our log without payloads. */
function queueLogger(log: Logger): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    // The small pool of its own is meant: see startRunner.
    if (/^(Failed|Completed|Found) task |having maxPoolSize/.test(message)) return
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })
}
