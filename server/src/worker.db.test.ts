import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { queueEvent } from './modules/events/events.sql.ts'
import { balanced, defineJob } from './modules/jobs/job.ts'
import { queueJob } from './modules/jobs/scheduler.ts'
import { createLive } from './platform/events/live.ts'
import { installQueue } from './platform/queue/queue.ts'
import { defineTask } from './platform/queue/task.ts'
import { testContext } from './testing/context.ts'
import { testDatabase } from './testing/database.ts'
import { buildWorker, type Worker, type WorkerParts } from './worker.ts'

const db = await testDatabase()
const base = testContext(db)
const ctx = { ...base, live: createLive({ db, log: base.log }) }
const open: Worker[] = []

beforeAll(() => installQueue(db))
afterAll(() => ctx.live.close())
afterEach(async () => {
  await Promise.all(open.splice(0).map((worker) => worker.stop()))
  await db.run('delete from quarterdeck_jobs.schedules')
  await db.run('delete from job_history')
})

async function start(parts: Partial<WorkerParts> = {}): Promise<Worker> {
  const worker = buildWorker(ctx, {
    parts: { jobs: [], tasks: [], consumers: [], services: [], ...parts },
    graceMs: 300,
  })
  open.push(worker)
  await worker.start()
  return worker
}
const history = () =>
  db.query<{ name: string; status: string }>('select name, status from job_history order by created_at, id')

describe('two workers on one database', () => {
  test('nothing runs twice: tasks, schedules, events', async () => {
    const tasks = new Map<number, number>()
    const events = new Map<string, number>()
    let overlapping = 0
    let running = 0
    const every = defineJob({
      name: 'Every second',
      schedule: '@every 1s',
      retention: { success: 100, failed: 100 },
      run: async (_, run) => {
        if (++running > 1) overlapping++
        await new Promise((resolve) => setTimeout(resolve, 100))
        running--
        run.success()
      },
    })
    const parts: Partial<WorkerParts> = {
      jobs: [every],
      tasks: [
        defineTask('t', z.object({ n: z.number() }), async (_, { n }) => void tasks.set(n, (tasks.get(n) ?? 0) + 1)),
      ],
      consumers: [
        {
          mode: 'async',
          names: ['e'],
          batchSize: 10,
          handle: async (_, event) => void events.set(event.properties.n!, (events.get(event.properties.n!) ?? 0) + 1),
        },
      ],
    }
    const before = performance.now()
    await Promise.all([start(parts), start(parts)])
    await ctx.queue.addAll(
      db,
      Array.from({ length: 300 }, (_, n) => ({ task: 't', payload: { n } })),
    )
    for (let n = 0; n < 100; n++) await queueEvent(db, 'e', { n: String(n) })
    await new Promise((resolve) => setTimeout(resolve, 3500))
    expect([tasks.size, Math.max(...tasks.values())]).toEqual([300, 1])
    expect([events.size, Math.max(...events.values())]).toEqual([100, 1])
    expect(overlapping).toBe(0)
    const runs = (await history()).filter((row) => row.status === 'SUCCESS').length
    const seconds = (performance.now() - before) / 1000
    expect(runs).toBeGreaterThanOrEqual(2)
    expect(runs).toBeLessThanOrEqual(seconds + 1)
  })

  test('both show a sign of life, and none after a stop', async () => {
    const [one, two] = await Promise.all([start(), start()])
    const seen = async () =>
      (await db.query<{ worker_id: string }>('select worker_id from worker_heartbeats'))
        .map((row) => row.worker_id)
        .toSorted()
    expect(await seen()).toEqual([one.id, two.id].toSorted())
    await Promise.all(open.splice(0).map((worker) => worker.stop()))
    expect(await seen()).toEqual([])
  })
})

test('a job of a worker that was killed runs again elsewhere, and its first run is STALE', async () => {
  let runs = 0
  const job = defineJob({
    name: 'Interrupted',
    retention: balanced,
    run: async (_, run) => {
      runs += 1
      run.success()
    },
  })
  // What kill -9 leaves behind: a locked queue entry, a lease, a RUNNING row, and a heartbeat that grows old.
  const lost = await db.one<{ id: string }>(
    `insert into job_history (name, status, time_start) values ('Interrupted', 'RUNNING', now()) returning id`,
  )
  await db.run(`insert into worker_heartbeats (worker_id, seen_at) values ('killed', now() - interval '46 seconds')`)
  await db.run(
    `insert into quarterdeck_jobs.leases (id, job, worker_id, singleton, run_id, expires_at)
     values (gen_random_uuid(), 'Interrupted', 'killed', true, $1, now() + interval '40 seconds')`,
    [lost.id],
  )
  await queueJob(ctx, db, job)
  await db.run(`update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now(), attempts = 1`)

  await start({ jobs: [job] })
  await expect.poll(() => runs, { timeout: 15_000 }).toBe(1)
  await expect.poll(history).toEqual([
    { name: 'Interrupted', status: 'STALE' },
    { name: 'Interrupted', status: 'SUCCESS' },
  ])
}, 20_000)

test('stopping lets a run end in peace', async () => {
  let ended = false
  const job = defineJob({
    name: 'Slow',
    retention: balanced,
    run: async (_, run) => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      ended = true
      run.success()
    },
  })
  const worker = await start({ jobs: [job] })
  await queueJob(ctx, db, job)
  await expect.poll(history).toMatchObject([{ status: 'RUNNING' }])
  await worker.stop()
  expect(ended).toBe(true)
  expect(await history()).toMatchObject([{ status: 'SUCCESS' }])
})

test('a service that cannot start stops what was started before it', async () => {
  const log: string[] = []
  const good = { name: 'good', start: async () => ({ stop: async () => void log.push('good stopped') }) }
  const bad = { name: 'bad', start: () => Promise.reject(new Error('no')) }
  await expect(start({ services: [good, bad] })).rejects.toThrow('no')
  expect(log).toEqual(['good stopped'])
  expect(await db.query('select from worker_heartbeats')).toEqual([])
})

test('the product as it is starts, runs its jobs at start, and stops', async () => {
  const worker = buildWorker(ctx)
  open.push(worker)
  await worker.start()
  await expect
    .poll(
      async () =>
        (await history())
          .filter((row) => row.status === 'SUCCESS')
          .map((row) => row.name)
          .toSorted(),
      { timeout: 10_000 },
    )
    .toEqual(
      expect.arrayContaining([
        'CleanupCanaries',
        'CleanupStaleAgentJobHistory',
        'CleanupStaleJobHistory',
        'EnsureCheckStatusPartitions',
      ]),
    )
  expect((await history()).filter((row) => !['SUCCESS', 'RUNNING'].includes(row.status))).toEqual([])
})
