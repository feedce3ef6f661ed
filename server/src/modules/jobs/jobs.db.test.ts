import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forgetProperties } from '../../platform/properties.ts'
import { installQueue } from '../../platform/queue/queue.ts'
import { fakeClock, testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { evictHistory } from './eviction.ts'
import { balanced, defineJob, failedOnly, high, type Job } from './job.ts'
import { releaseExpiredRuns, releaseRunsOf } from './jobs.service.ts'
import { runJob } from './run-job.ts'

const db = await testDatabase()
const clock = fakeClock('2024-08-29T10:00:00Z')
const ctx = testContext(db, { clock })

interface HistoryShape {
  name: string
  status: string
  success_count: number
  error_count: number
  details: { errors?: string[] } & Record<string, unknown>
  duration_millis: number | null
  resource_id: string | null
  resource_type: string | null
  hostname: string
  agent_id: string
}
const history = (name: string) =>
  db.query<HistoryShape>('select * from job_history where name = $1 order by created_at, id', [name])
const statuses = async (name: string) => (await history(name)).map((row) => row.status)

const setProperty = async (name: string, value: string) => {
  await db.run(
    'insert into properties (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
    [name, value],
  )
  forgetProperties(ctx)
}

let counter = 0
const aJob = (changes: Partial<Job> = {}): Job =>
  defineJob({ name: `Job ${++counter}`, retention: balanced, run: async (_, run) => run.success(), ...changes })

beforeAll(() => installQueue(db))
beforeEach(() => forgetProperties(ctx))
afterEach(async () => {
  await db.run('delete from properties')
})

describe('a run in the history', () => {
  test('is RUNNING while it runs and SUCCESS after', async () => {
    let during: string[] = []
    const job = aJob({
      resourceType: 'topology',
      run: async (_, run) => {
        during = await statuses(run.name)
        clock.add(1234)
        run.success(7)
      },
    })
    const outcome = await runJob(ctx, job, { resource: { id: 'abc' } })
    expect(during).toEqual(['RUNNING'])
    expect(outcome).toEqual({ status: 'SUCCESS', successCount: 7, errorCount: 0, errors: [] })
    expect(await history(job.name)).toMatchObject([
      {
        status: 'SUCCESS',
        success_count: 7,
        error_count: 0,
        duration_millis: 1234,
        resource_id: 'abc',
        resource_type: 'topology',
        agent_id: '00000000-0000-0000-0000-000000000000',
        details: {},
      },
    ])
  })

  test('is WARNING with errors and successes, FAILED with errors only', async () => {
    const warned = aJob({
      run: async (_, run) => {
        run.success(2)
        run.error(new Error('one is broken'))
        run.details.scrape_summary = { Pod: { added: 1 } }
      },
    })
    await runJob(ctx, warned)
    expect(await history(warned.name)).toMatchObject([
      {
        status: 'WARNING',
        success_count: 2,
        error_count: 1,
        details: { errors: ['one is broken'], scrape_summary: { Pod: { added: 1 } } },
      },
    ])
    const failed = aJob({ run: () => Promise.reject(new Error('all is broken')) })
    expect(await runJob(ctx, failed)).toMatchObject({ status: 'FAILED', errors: ['all is broken'] })
    expect(await history(failed.name)).toMatchObject([{ status: 'FAILED', details: { errors: ['all is broken'] } }])
  })

  test('a throw after successes is a WARNING', async () => {
    const job = aJob({
      run: async (_, run) => {
        run.success()
        throw new Error('then it broke')
      },
    })
    expect((await runJob(ctx, job)).status).toBe('WARNING')
  })

  test('without room for successes only runs with errors are stored, and no RUNNING row', async () => {
    let during = -1
    let broken = false
    const job = aJob({
      retention: failedOnly,
      run: async (_, run) => {
        during = (await history(run.name)).length
        if (broken) throw new Error('no')
      },
    })
    await runJob(ctx, job)
    expect(during).toBe(0)
    expect(await statuses(job.name)).toEqual([])
    broken = true
    await runJob(ctx, job)
    expect(await statuses(job.name)).toEqual(['FAILED'])
  })

  test('a hundred thousand errors are counted, not kept', async () => {
    const job = aJob({
      run: async (_, run) => {
        for (let index = 0; index < 100_000; index++) run.error(`broken ${index}`)
      },
    })
    await runJob(ctx, job)
    const [row] = await history(job.name)
    expect(row?.error_count).toBe(100_000)
    expect(row?.details.errors).toHaveLength(201)
    expect(row?.details.errors?.at(-1)).toBe('and 99800 more')
  })
})

describe('singletons', () => {
  const held = () => {
    let release = () => undefined as void
    const gate = new Promise<void>((resolve) => (release = resolve))
    return { gate, release }
  }

  test('a second run at the same time is SKIPPED and says so', async () => {
    const { gate, release } = held()
    const job = aJob({ run: () => gate })
    const first = runJob(ctx, job)
    await expect.poll(() => statuses(job.name)).toEqual(['RUNNING'])
    expect(await runJob(ctx, job)).toMatchObject({ status: 'SKIPPED', errors: ['job already running, skipping'] })
    release()
    expect((await first).status).toBe('SUCCESS')
    expect((await runJob(ctx, job)).status).toBe('SUCCESS')
    expect((await statuses(job.name)).toSorted()).toEqual(['SKIPPED', 'SUCCESS', 'SUCCESS'])
  })

  test('another resource of the same job runs beside it', async () => {
    const { gate, release } = held()
    const job = aJob({ run: (_, run) => (run.resource?.id === 'a' ? gate : Promise.resolve()) })
    const first = runJob(ctx, job, { resource: { id: 'a' } })
    await expect.poll(() => statuses(job.name)).toEqual(['RUNNING'])
    expect((await runJob(ctx, job, { resource: { id: 'b' } })).status).toBe('SUCCESS')
    release()
    await first
  })

  test('twenty at once: one runs', async () => {
    let running = 0
    let most = 0
    const job = aJob({
      run: async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 30))
        running--
      },
    })
    await Promise.all(Array.from({ length: 20 }, () => runJob(ctx, job)))
    expect(most).toBe(1)
  })

  test('a job that is no singleton runs twice at once', async () => {
    const { gate, release } = held()
    const job = aJob({ singleton: false, run: () => gate })
    const both = [runJob(ctx, job), runJob(ctx, job)]
    await expect.poll(() => statuses(job.name)).toEqual(['RUNNING', 'RUNNING'])
    release()
    expect((await Promise.all(both)).map((each) => each.status)).toEqual(['SUCCESS', 'SUCCESS'])
  })

  test('the lease of a process that vanished ends by itself', async () => {
    const job = aJob()
    await db.run(
      `insert into quarterdeck_jobs.leases (id, job, worker_id, singleton, expires_at)
       values (gen_random_uuid(), $1, 'gone', true, now() - interval '1 second')`,
      [job.name],
    )
    expect((await runJob(ctx, job)).status).toBe('SUCCESS')
  })
})

describe('when a run does not end', () => {
  test('a timeout sets the signal and fails the run', async () => {
    const job = aJob({
      timeout: '50ms',
      run: (_, run) =>
        new Promise((_resolve, reject) => run.signal.addEventListener('abort', () => reject(new Error('aborted')))),
    })
    expect(await runJob(ctx, job)).toMatchObject({ status: 'FAILED', errors: ['timed out after 50ms'] })
  })

  test('a dead worker leaves a STALE row and no lease', async () => {
    const job = aJob({ run: () => new Promise(() => undefined) })
    void runJob(ctx, job, { workerId: 'dead-one', resource: { id: 'r1' } })
    await expect
      .poll(() => db.query('select from quarterdeck_jobs.leases where run_id is not null and job = $1', [job.name]))
      .toHaveLength(1)
    await db.tx((sql) => releaseRunsOf(sql, ['dead-one']))
    expect(await history(job.name)).toMatchObject([
      { status: 'STALE', details: { errors: ['the worker that ran this job died'] } },
    ])
    expect(await db.query('select from quarterdeck_jobs.leases where job = $1', [job.name])).toEqual([])
  })

  test('a run whose lease nobody renews becomes STALE', async () => {
    const job = aJob({ run: () => new Promise(() => undefined) })
    void runJob(ctx, job)
    await expect
      .poll(() =>
        db.run(
          `update quarterdeck_jobs.leases set expires_at = now() - interval '1 s' where run_id is not null and job = $1`,
          [job.name],
        ),
      )
      .toBe(1)
    await releaseExpiredRuns(ctx)
    expect(await statuses(job.name)).toEqual(['STALE'])
  })
})

describe('retention', () => {
  test('keeps the newest of each status per job and resource', async () => {
    let broken = false
    const job = aJob({ retention: high, run: async () => (broken ? Promise.reject(new Error('no')) : undefined) })
    for (let index = 0; index < 5; index++) await runJob(ctx, job, { resource: { id: 'a' } })
    for (let index = 0; index < 2; index++) await runJob(ctx, job, { resource: { id: 'b' } })
    broken = true
    for (let index = 0; index < 8; index++) await runJob(ctx, job, { resource: { id: 'a' } })
    const newest = (await history(job.name)).slice(-1)
    expect(await history(job.name)).toHaveLength(15)
    await evictHistory(ctx)
    const rows = await history(job.name)
    const count = (id: string, status: string) =>
      rows.filter((row) => row.resource_id === id && row.status === status).length
    expect([count('a', 'SUCCESS'), count('b', 'SUCCESS'), count('a', 'FAILED')]).toEqual([3, 2, 6])
    expect(rows.slice(-1)).toEqual(newest)
    expect(await evictHistory(ctx)).toBe(0)
  })

  test('leaves rows of agents alone', async () => {
    const job = aJob({ retention: { success: 1, failed: 1 } })
    await db.run(
      `insert into agents (id, name) values ('11111111-1111-4111-8111-111111111111', 'edge') on conflict do nothing`,
    )
    await db.run(
      `insert into job_history (agent_id, name, status) select '11111111-1111-4111-8111-111111111111', $1, 'SUCCESS' from generate_series(1, 5)`,
      [job.name],
    )
    await runJob(ctx, job)
    await runJob(ctx, job)
    await evictHistory(ctx)
    expect(await history(job.name)).toHaveLength(6)
  })
})

describe('properties override', () => {
  test('retention, history, timeout and singleton', async () => {
    const job = aJob({ run: () => Promise.resolve() })
    await setProperty(`jobs.${job.name}.retention.success`, '1')
    await runJob(ctx, job)
    await runJob(ctx, job)
    await evictHistory(ctx)
    expect(await statuses(job.name)).toEqual(['SUCCESS'])
    await setProperty(`jobs.${job.name}.history`, 'false')
    await runJob(ctx, job)
    await evictHistory(ctx)
    expect(await statuses(job.name)).toEqual(['SUCCESS'])

    const slow = aJob({
      run: (_, run) => new Promise((resolve) => run.signal.addEventListener('abort', () => resolve())),
    })
    await setProperty(`jobs.${slow.name}.r9.timeout`, '20ms')
    expect((await runJob(ctx, slow, { resource: { id: 'r9' } })).errors).toEqual(['timed out after 20ms'])
  })

  test('a value that makes no sense changes nothing', async () => {
    const job = aJob()
    await setProperty(`jobs.${job.name}.retention.success`, 'many')
    await setProperty(`jobs.${job.name}.timeout`, 'soon')
    expect((await runJob(ctx, job)).status).toBe('SUCCESS')
    expect(await statuses(job.name)).toEqual(['SUCCESS'])
  })
})
