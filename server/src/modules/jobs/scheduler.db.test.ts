import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forgetProperties } from '../../platform/properties.ts'
import { installQueue } from '../../platform/queue/queue.ts'
import { fakeClock, testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { defineJob, type Job } from './job.ts'
import {
  queueJob,
  queueStartJobs,
  scheduleResource,
  scheduleResources,
  syncSchedules,
  tick,
  unscheduleResource,
} from './scheduler.ts'

const db = await testDatabase()
const clock = fakeClock('2024-08-29T10:00:00Z')
const ctx = testContext(db, { clock })

const job = (name: string, schedule?: string, changes: Partial<Job> = {}) =>
  defineJob({ name, schedule, run: async () => undefined, ...changes })

const queued = async () =>
  (await db.query<{ key: string }>('select key from graphile_worker.jobs order by key')).map((row) => row.key)
const takeQueued = async () => {
  const keys = await queued()
  await db.run('delete from graphile_worker._private_jobs')
  return keys
}
const nextOf = async (key: string) =>
  (
    await db.maybeOne<{ next_run_at: Date | null }>(
      'select next_run_at from quarterdeck_jobs.schedules where key = $1',
      [key],
    )
  )?.next_run_at

beforeAll(() => installQueue(db))
beforeEach(async () => {
  await db.run('delete from quarterdeck_jobs.schedules')
  await db.run('delete from graphile_worker._private_jobs')
  await db.run('delete from properties')
  forgetProperties(ctx)
  clock.set('2024-08-29T10:00:00Z')
})

describe('fidelity', () => {
  test('@every fires once per interval, on a grid that outlives restarts', async () => {
    const hourly = job('Hourly', '@every 1h')
    await syncSchedules(ctx, [hourly])
    const first = await nextOf('Hourly')
    expect(first!.getTime() - clock.now().getTime()).toBeGreaterThan(0)
    expect(first!.getTime() - clock.now().getTime()).toBeLessThanOrEqual(3_600_000)
    let runs = 0
    for (let step = 0; step < 24 * 12; step++) {
      clock.add(5 * 60_000)
      runs += await tick(ctx, [hourly])
      // A restart every quarter of an hour must not delay it.
      if (step % 3 === 0) await syncSchedules(ctx, [hourly])
    }
    expect(runs).toBe(24)
    const last = await nextOf('Hourly')
    expect((last!.getTime() - first!.getTime()) % 3_600_000).toBeLessThan(0.09 * 900_000)
  })

  test('cron fires at its minute, in its time zone', async () => {
    const daily = job('Daily', '15 1 * * *')
    const berlin = job('Berlin', 'CRON_TZ=Europe/Berlin 30 2 * * *')
    await syncSchedules(ctx, [daily, berlin])
    expect(await nextOf('Daily')).toEqual(new Date('2024-08-30T01:15:00Z'))
    expect(await nextOf('Berlin')).toEqual(new Date('2024-08-30T00:30:00Z'))
    clock.set('2024-08-30T00:29:59Z')
    expect(await tick(ctx, [daily, berlin], () => 0)).toBe(0)
    clock.set('2024-08-30T00:30:00Z')
    expect(await tick(ctx, [daily, berlin], () => 0)).toBe(1)
    clock.set('2024-08-30T01:15:00.001Z')
    expect(await tick(ctx, [daily, berlin], () => 0)).toBe(1)
    expect(await nextOf('Daily')).toEqual(new Date('2024-08-31T01:15:00Z'))
  })

  test('an hour that daylight saving skips or repeats runs once', async () => {
    const berlin = job('Berlin', 'CRON_TZ=Europe/Berlin 30 2 * * *')
    const runsBetween = async (from: string, days: number) => {
      clock.set(from)
      await db.run('delete from quarterdeck_jobs.schedules')
      await syncSchedules(ctx, [berlin])
      let runs = 0
      for (let step = 0; step < days * 48; step++) {
        clock.add(30 * 60_000)
        runs += await tick(ctx, [berlin])
      }
      return runs
    }
    expect(await runsBetween('2024-03-29T12:00:00Z', 4)).toBe(4)
    expect(await runsBetween('2024-10-25T12:00:00Z', 4)).toBe(4)
  })

  test('runs missed while nothing was running become one', async () => {
    const often = job('Often', '@every 1m')
    await syncSchedules(ctx, [often])
    clock.add(3 * 86_400_000)
    expect(await tick(ctx, [often], () => 0)).toBe(1)
    expect(await tick(ctx, [often])).toBe(0)
    const next = await nextOf('Often')
    expect(next!.getTime()).toBeGreaterThan(clock.now().getTime())
    expect(next!.getTime() - clock.now().getTime()).toBeLessThanOrEqual(60_000)
  })

  test('@never never fires', async () => {
    const never = job('Never', '@never')
    await syncSchedules(ctx, [never])
    expect(await nextOf('Never')).toBeNull()
    clock.add(10 * 365 * 86_400_000)
    expect(await tick(ctx, [never])).toBe(0)
  })

  test('a thousand schedules of ten minutes are spread over the ten minutes', async () => {
    const topology = job('Topology')
    const resources = Array.from({ length: 1000 }, (_, index) => ({ id: `t-${index}`, schedule: '@every 10m' }))
    await scheduleResources(ctx, topology, resources)
    while ((await tick(ctx, [topology])) > 0);
    const perMinute = await db.query<{ count: number }>(
      `select count(*)::int from quarterdeck_jobs.schedules group by date_trunc('minute', next_run_at)`,
    )
    expect(Math.max(...perMinute.map((row) => row.count))).toBeLessThan(160)
  })

  test('the delay before a run is at most 9 % of the time to the next, and can be switched off', async () => {
    const often = job('Often', '@every 10m')
    await syncSchedules(ctx, [often])
    const grid = (await nextOf('Often'))!.getTime()
    const delay = async (random: number) => {
      clock.set((await nextOf('Often'))!.toISOString())
      await tick(ctx, [often], () => random)
      return ((await nextOf('Often'))!.getTime() - grid) % 600_000
    }
    expect(await delay(0.999)).toBe(Math.floor(0.999 * 0.09 * 600_000))
    expect(await delay(0.5)).toBe(27_000)
    expect(await delay(0)).toBe(0)
    await db.run(`insert into properties (name, value) values ('job.jitter.disable', 'true')`)
    forgetProperties(ctx)
    expect(await delay(0.999)).toBe(0)
  })

  test('the delay counts 15 minutes at most', async () => {
    const daily = job('Daily', '15 1 * * *')
    await syncSchedules(ctx, [daily])
    clock.set('2024-08-30T01:15:00Z')
    await tick(ctx, [daily], () => 0.9999)
    const late = (await nextOf('Daily'))!.getTime() - new Date('2024-08-31T01:15:00Z').getTime()
    expect(late).toBeGreaterThan(80_000)
    expect(late).toBeLessThanOrEqual(81_000)
  })
})

describe('several processes', () => {
  test('many schedulers at once queue each due run once', async () => {
    const jobs = Array.from({ length: 250 }, (_, index) => job(`J${index}`, '@every 1m'))
    await syncSchedules(ctx, jobs)
    clock.add(60_000)
    const counts = await Promise.all(
      Array.from({ length: 8 }, async () => {
        let mine = 0
        for (;;) {
          const count = await tick(ctx, jobs)
          if (count === 0) return mine
          mine += count
        }
      }),
    )
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(250)
    expect(await queued()).toHaveLength(250)
  })

  test('a job this version does not know stays for the version that does', async () => {
    const future = job('Future', '@every 1m')
    await syncSchedules(ctx, [future])
    clock.add(120_000)
    expect(await tick(ctx, [job('Other', '@every 1m')])).toBe(0)
    expect(await tick(ctx, [future])).toBe(1)
  })

  test('jobs that also run at start are queued once by processes that start together', async () => {
    const jobs = [job('AtStart', '@every 1h', { atStart: true }), job('NotAtStart', '@every 1h')]
    await syncSchedules(ctx, jobs)
    await Promise.all([queueStartJobs(ctx, jobs), queueStartJobs(ctx, jobs), queueStartJobs(ctx, jobs)])
    expect(await takeQueued()).toEqual(['job:AtStart'])
    await queueStartJobs(ctx, jobs)
    expect(await takeQueued()).toEqual([])
    clock.add(120_000)
    await queueStartJobs(ctx, jobs)
    expect(await takeQueued()).toEqual(['job:AtStart'])
  })
})

describe('schedules of single resources', () => {
  const scraper = job('Scraper')

  test('a new one runs at once, then on its grid; a vanished one ends', async () => {
    await scheduleResources(ctx, scraper, [
      { id: 'a', schedule: '@every 5m' },
      { id: 'b', schedule: '@never' },
    ])
    expect(await tick(ctx, [scraper])).toBe(1)
    expect(await takeQueued()).toEqual(['job:Scraper:a'])
    expect(await tick(ctx, [scraper])).toBe(0)
    clock.add(300_000)
    expect(await tick(ctx, [scraper])).toBe(1)
    await scheduleResources(ctx, scraper, [{ id: 'b', schedule: '@never' }])
    clock.add(900_000)
    expect(await tick(ctx, [scraper])).toBe(0)
  })

  test('the same schedule again changes nothing, another one moves the next run', async () => {
    await scheduleResource(ctx, db, scraper, { id: 'a', schedule: '@every 5m' })
    await tick(ctx, [scraper])
    const before = await nextOf('Scraper:a')
    clock.add(1000)
    await scheduleResource(ctx, db, scraper, { id: 'a', schedule: '@every 5m' })
    expect(await nextOf('Scraper:a')).toEqual(before)
    await scheduleResource(ctx, db, scraper, { id: 'a', schedule: '0 3 * * *' })
    expect(await nextOf('Scraper:a')).toEqual(new Date('2024-08-30T03:00:00Z'))
    await unscheduleResource(db, scraper, 'a')
    expect(await nextOf('Scraper:a')).toBeUndefined()
  })

  test('a schedule that cannot be read never fires and hurts no other', async () => {
    await scheduleResources(ctx, scraper, [
      { id: 'bad', schedule: 'often' },
      { id: 'good', schedule: '@every 1m' },
    ])
    await tick(ctx, [scraper])
    expect(await takeQueued()).toEqual(['job:Scraper:good'])
  })

  test('Run Now is queued beside the schedule, twice is once', async () => {
    await queueJob(ctx, db, scraper, { id: 'a' })
    await queueJob(ctx, db, scraper, { id: 'a' })
    expect(await queued()).toEqual(['job:Scraper:a:now'])
  })
})

describe('properties', () => {
  test('jobs.<name>.schedule moves a job, and a wrong value leaves its own', async () => {
    const cleanup = job('Cleanup Event Queue', '@every 24h')
    await db.run(`insert into properties (name, value) values ('jobs.Cleanup Event Queue.schedule', '0 4 * * *')`)
    forgetProperties(ctx)
    await syncSchedules(ctx, [cleanup])
    expect(await nextOf('Cleanup Event Queue')).toEqual(new Date('2024-08-30T04:00:00Z'))
    await db.run(`update properties set value = 'whenever'`)
    forgetProperties(ctx)
    await syncSchedules(ctx, [cleanup])
    expect((await nextOf('Cleanup Event Queue'))!.getTime() - clock.now().getTime()).toBeLessThanOrEqual(86_400_000)
  })

  test('jobs.<name>.<id>.schedule moves one resource', async () => {
    await db.run(`insert into properties (name, value) values ('jobs.Scraper.a.schedule', '@never')`)
    forgetProperties(ctx)
    await scheduleResources(ctx, job('Scraper'), [
      { id: 'a', schedule: '@every 1m' },
      { id: 'b', schedule: '@every 1m' },
    ])
    expect([await nextOf('Scraper:a'), (await nextOf('Scraper:b'))?.getTime()]).toEqual([null, clock.now().getTime()])
  })
})
