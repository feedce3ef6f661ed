import { hostname } from 'node:os'
import { Registry } from 'prom-client'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { rescueDeadWorkers, startHeartbeat } from './heartbeat.ts'
import { registerQueueMetrics } from './metrics.ts'
import { installQueue } from './queue.ts'
import { startRunner, type TaskRunner } from './runner.ts'
import { type AnyTask, defineTask, GiveUp } from './task.ts'

const db = await testDatabase()
const ctx = testContext(db)
const open: { stop(): Promise<void> }[] = []

beforeAll(() => installQueue(db))
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()))
  await db.run('delete from graphile_worker._private_jobs')
  await db.run('delete from worker_heartbeats')
})

const N = z.object({ n: z.number() })
async function runner(tasks: AnyTask[], workerId = 'w1', concurrency = 4): Promise<TaskRunner> {
  const started = await startRunner({ ctx, tasks, workerId, concurrency, graceMs: 500, pollInterval: 2000 })
  open.push(started)
  return started
}
const jobs = () =>
  db.query<{
    attempts: number
    max_attempts: number
    last_error: string | null
    run_at: Date
    locked_by: string | null
  }>('select attempts, max_attempts, last_error, run_at, locked_by from graphile_worker._private_jobs order by id')

describe('enqueueing', () => {
  const task = defineTask('t', N, async () => undefined)

  test('is part of the transaction that causes it', async () => {
    await expect(
      db.tx(async (sql) => {
        await task.enqueue(ctx.queue, sql, { n: 1 })
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await jobs()).toEqual([])
    await db.tx((sql) => task.enqueue(ctx.queue, sql, { n: 1 }))
    expect(await jobs()).toHaveLength(1)
  })

  test('with one key is one job, and can be taken back', async () => {
    for (let n = 0; n < 5; n++) await task.enqueue(ctx.queue, db, { n }, { key: 'same' })
    expect(await db.query('select payload from graphile_worker._private_jobs')).toEqual([{ payload: { n: 4 } }])
    await ctx.queue.remove(db, 'same')
    expect(await jobs()).toEqual([])
  })

  test('installing is safe at every start and from many processes at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => installQueue(db)))
  })
})

describe('running', () => {
  test('starts within a moment of being queued', async () => {
    const started: number[] = []
    await runner([defineTask('quick', N, async () => void started.push(performance.now()))])
    await new Promise((resolve) => setTimeout(resolve, 300))
    const before = performance.now()
    await ctx.queue.add(db, 'quick', { n: 1 })
    await expect.poll(() => started.length, { interval: 5 }).toBe(1)
    expect(started[0]! - before).toBeLessThan(1500)
  })

  test('two workers at once run every task once', async () => {
    const seen = new Map<number, number>()
    const by = new Set<string>()
    const task = defineTask('count', N, async (_, { n }, { workerId }) => {
      by.add(workerId)
      seen.set(n, (seen.get(n) ?? 0) + 1)
      await new Promise((resolve) => setTimeout(resolve, 2))
    })
    await ctx.queue.addAll(
      db,
      Array.from({ length: 600 }, (_, n) => ({ task: 'count', payload: { n } })),
    )
    await Promise.all([runner([task], 'w1'), runner([task], 'w2')])
    await expect.poll(() => seen.size, { timeout: 15_000 }).toBe(600)
    expect([...seen.values()].every((times) => times === 1)).toBe(true)
    expect([...by].toSorted()).toEqual(['w1', 'w2'])
    await expect.poll(jobs).toEqual([])
  })

  test('a failing task is kept with its error and tried again later', async () => {
    let tries = 0
    await runner([
      defineTask('flaky', N, async () => {
        if (++tries === 1) throw new Error('not yet')
      }),
    ])
    await ctx.queue.add(db, 'flaky', { n: 1 })
    await expect.poll(async () => (await jobs())[0]?.last_error).toBe('not yet')
    const [job] = await jobs()
    expect(job!.attempts).toBe(1)
    // e^1 seconds after the first failure.
    expect(job!.run_at.getTime() - Date.now()).toBeGreaterThan(1500)
    await db.run('update graphile_worker._private_jobs set run_at = now()')
    await expect.poll(jobs, { timeout: 8000 }).toEqual([])
    expect(tries).toBe(2)
  })

  test('after the last attempt it stays, visible', async () => {
    await runner([defineTask('hopeless', N, () => Promise.reject(new Error('never')))])
    await ctx.queue.add(db, 'hopeless', { n: 1 }, { maxAttempts: 1 })
    await expect.poll(jobs).toMatchObject([{ attempts: 1, max_attempts: 1, last_error: 'never', locked_by: null }])
    const registry = new Registry()
    registerQueueMetrics(ctx, registry)
    const text = await registry.metrics()
    expect(text).toContain('quarterdeck_queue_failed{task="hopeless"} 1')
    expect(text).toContain('quarterdeck_queue_waiting{task="hopeless"} 0')
    expect(text).toContain('quarterdeck_workers 0')
  })

  test('a task that gives up, or whose payload does not fit, is not tried again', async () => {
    let handled = 0
    const task = defineTask('strict', N, () => {
      handled++
      return Promise.reject(new GiveUp('this can never work'))
    })
    await runner([task])
    await ctx.queue.add(db, 'strict', { n: 1 })
    await ctx.queue.add(db, 'strict', { n: 'one' })
    await expect.poll(jobs).toMatchObject([
      { attempts: 1, max_attempts: 1, last_error: 'this can never work' },
      { attempts: 1, max_attempts: 1, last_error: expect.stringContaining('payload of strict does not fit') as string },
    ])
    expect(handled).toBe(1)
  })

  test('stopping waits for what runs, sets its signal after the grace, and takes nothing new', async () => {
    const log: string[] = []
    const task = defineTask('slow', N, (_, __, { signal }) => {
      log.push('started')
      return new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => {
          log.push('told to stop')
          resolve()
        }),
      )
    })
    const worker = await runner([task])
    await ctx.queue.add(db, 'slow', { n: 1 })
    await expect.poll(() => log).toEqual(['started'])
    open.splice(0)
    await worker.stop()
    expect(log).toEqual(['started', 'told to stop'])
    await ctx.queue.add(db, 'slow', { n: 2 })
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(log).toHaveLength(2)
  })

  test('goes on after the database cut every connection', async () => {
    const seen: number[] = []
    await runner([defineTask('tough', N, async (_, { n }) => void seen.push(n))])
    await ctx.queue.add(db, 'tough', { n: 1 })
    await expect.poll(() => seen).toEqual([1])
    await db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await expect
      .poll(() =>
        ctx.queue.add(db, 'tough', { n: 2 }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await expect.poll(() => seen, { timeout: 15_000 }).toContain(2)
  })
})

describe('workers that die', () => {
  const worker = (workerId: string) => ({ workerId, hostname: hostname(), roles: ['worker'] })

  test('their tasks are taken up by others once they are silent', async () => {
    const ran: string[] = []
    const never = defineTask('work', N, () => new Promise<void>(() => undefined))
    const heartbeat = await startHeartbeat({ db, log: ctx.log, worker: worker('dying'), onLost: () => undefined })
    // Killed: it holds the lock and never beats again. Its connections stay open here, which kill -9 would close.
    const dying = await startRunner({
      ctx,
      tasks: [never],
      workerId: 'dying',
      concurrency: 1,
      graceMs: 1,
      pollInterval: 100,
    })
    await ctx.queue.add(db, 'work', { n: 1 })
    await expect.poll(jobs).toMatchObject([{ locked_by: 'dying' }])

    expect(await rescueDeadWorkers(db)).toEqual([])
    await db.run(`update worker_heartbeats set seen_at = now() - interval '46 seconds'`)
    const released: string[] = []
    expect(await rescueDeadWorkers(db, { onDead: async (_, ids) => void released.push(...ids) })).toEqual(['dying'])
    expect(released).toEqual(['dying'])
    expect(await jobs()).toMatchObject([{ locked_by: null, attempts: 1 }])

    void dying.stop()
    await runner([defineTask('work', N, async (_, __, helpers) => void ran.push(helpers.workerId))], 'healthy')
    await expect.poll(() => ran).toEqual(['healthy'])
    await heartbeat.stop()
  })

  test('a lock that no heartbeat vouches for is released too', async () => {
    await ctx.queue.add(db, 'work', { n: 1 })
    await db.run(
      `update graphile_worker._private_jobs set locked_by = 'nobody', locked_at = now() - interval '2 minutes', attempts = 1`,
    )
    expect(await rescueDeadWorkers(db)).toEqual(['nobody'])
    expect(await jobs()).toMatchObject([{ locked_by: null }])
  })

  test('several rescuers at once: each dead worker goes to one of them', async () => {
    await db.run(
      `insert into worker_heartbeats (worker_id, seen_at) select 'd' || n, now() - interval '1 minute' from generate_series(1, 40) n`,
    )
    const found = await Promise.all(Array.from({ length: 6 }, () => rescueDeadWorkers(db)))
    expect(found.flat()).toHaveLength(40)
    expect(new Set(found.flat()).size).toBe(40)
  })

  test('one of this machine whose process is gone is found at once', async () => {
    // No process has a number this high.
    const id = `${hostname()}-99999999-0123abcd`
    await db.run('insert into worker_heartbeats (worker_id, hostname) values ($1, $2), ($3, $4)', [
      id,
      hostname(),
      'far-away-99999999-0123abcd',
      'far-away',
    ])
    expect(await rescueDeadWorkers(db)).toEqual([id])
  })

  test('one that only slept is told when it wakes', async () => {
    let lost = 0
    const heartbeat = await startHeartbeat({
      db,
      log: ctx.log,
      worker: worker('sleepy'),
      beatEveryMs: 30,
      onLost: () => lost++,
    })
    open.push(heartbeat)
    await new Promise((resolve) => setTimeout(resolve, 120))
    expect(lost).toBe(0)
    await db.run('delete from worker_heartbeats')
    await expect.poll(() => lost).toBe(1)
    expect(await db.query('select worker_id from worker_heartbeats')).toEqual([{ worker_id: 'sleepy' }])
  })

  test('a clean stop leaves no row', async () => {
    const heartbeat = await startHeartbeat({ db, log: ctx.log, worker: worker('tidy'), onLost: () => undefined })
    expect(await db.query('select worker_id, roles from worker_heartbeats')).toEqual([
      { worker_id: 'tidy', roles: ['worker'] },
    ])
    await heartbeat.stop()
    expect(await db.query('select from worker_heartbeats')).toEqual([])
  })
})
