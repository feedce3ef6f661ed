import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { forgetProperties } from '../../platform/properties.ts'
import { newId } from '../../platform/ids.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { type HealthEngine, startHealthEngine } from './engine.ts'
import { engineMetrics } from './engine-metrics.ts'
import type { CheckKind, CommonSpec } from './kind.ts'

const db = await testDatabase()
const ctx = testContext(db)
const engines: HealthEngine[] = []
let runs: { check: string; at: number; owner: string }[] = []

/** Counts its runs and never answers when its name says so. */
const probe = (owner: string): CheckKind => ({
  key: 'http',
  schema: z.looseObject({ name: z.string(), url: z.string() }) as unknown as z.ZodType<CommonSpec>,
  templatable: false,
  endpoint: (spec) => spec.url ?? '',
  timeoutMs: () => 60_000,
  run: async ({ check, signal }) => {
    runs.push({ check: check.id, at: Date.now(), owner })
    if (check.name.includes('hangs')) {
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    return { pass: !check.name.includes('fails'), errors: check.name.includes('fails') ? ['refused'] : [] }
  },
})
async function anEngine(owner = newId(), inContext = ctx): Promise<HealthEngine> {
  const engine = await startHealthEngine({
    ctx: inContext,
    owner,
    kinds: new Map([['http', probe(owner)]]),
    metrics: engineMetrics(new Registry()),
    evaluator: { evaluate: async () => 'true' },
  })
  engines.push(engine)
  return engine
}
async function aCanary(spec: Record<string, unknown>): Promise<string> {
  const id = newId()
  await db.run(`insert into canaries (id, name, namespace, spec) values ($1, $2, 'default', $3)`, [id, id, spec])
  return id
}
const http = (...names: string[]) => names.map((name, i) => ({ name, url: `http://host${i}/` }))
const until = async (done: () => boolean | Promise<boolean>, ms = 8000) => {
  const end = Date.now() + ms
  while (!(await done())) {
    if (Date.now() > end) throw new Error('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
const checkOf = (canary: string, name: string) =>
  db.maybeOne<{
    id: string
    status: string | null
    next_runtime: Date | null
    deleted_at: Date | null
    error: string | null
  }>(
    `select c.id, c.status, c.next_runtime, c.deleted_at,
            (select error from check_statuses s where s.check_id = c.id order by time desc limit 1) as error
       from checks c where canary_id = $1 and name = $2`,
    [canary, name],
  )

beforeEach(async () => {
  runs = []
  await db.run('delete from canaries')
})
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()))
})

test('a new canary runs at once, its checks get their state and their next run', async () => {
  const engine = await anEngine()
  const canary = await aCanary({ schedule: '@every 1h', http: http('good', 'fails') })
  await engine.reload([canary])
  await until(async () => (await checkOf(canary, 'good'))?.status === 'healthy')
  await until(async () => (await checkOf(canary, 'fails'))?.status === 'unhealthy')
  const good = await checkOf(canary, 'good')
  expect(good?.next_runtime?.getTime()).toBeGreaterThan(Date.now())
  expect((await checkOf(canary, 'fails'))?.error).toBe('refused')
})

test('a hanging check delays no other and counts its missed runs', async () => {
  const engine = await anEngine()
  const canary = await aCanary({ schedule: '@every 1s', http: http('hangs', 'good') })
  await engine.reload([canary])
  await until(async () => {
    const good = await checkOf(canary, 'good')
    const hanging = await checkOf(canary, 'hangs')
    const state = await db.maybeOne<{ missed: number }>(
      'select missed::int from quarterdeck_health.check_state where check_id = $1',
      [hanging?.id],
    )
    return runs.filter((run) => run.check === good?.id).length >= 4 && (state?.missed ?? 0) >= 2
  }, 15_000)
  const hanging = await checkOf(canary, 'hangs')
  expect(runs.filter((run) => run.check === hanging?.id).length).toBe(1)
})

test('a spec that is wrong makes an invalid check that says why; edits and deletions are followed', async () => {
  const engine = await anEngine()
  const canary = await aCanary({ schedule: '@every 1h', http: [{ name: 'bad' }, ...http('good')] })
  await engine.reload([canary])
  await until(async () => Boolean((await checkOf(canary, 'bad'))?.error))
  expect((await checkOf(canary, 'bad'))?.error).toMatch(/^url: /)
  await db.run('update canaries set spec = $2 where id = $1', [canary, { schedule: '@every 1h', http: http('other') }])
  await engine.reload([canary])
  expect((await checkOf(canary, 'good'))?.deleted_at).not.toBeNull()
  expect((await checkOf(canary, 'other'))?.deleted_at).toBeNull()
  await db.run('update canaries set deleted_at = now() where id = $1', [canary])
  await engine.reload([canary])
  expect(engine.stats().canaries).toBe(0)
})

test('what is wrong with a canary stands in its job history', async () => {
  const engine = await anEngine()
  const canary = await aCanary({ schedule: 'sometimes', nonsense: [{}], http: [{ name: 'bad' }] })
  await engine.reload([canary])
  const row = await db.one<{ name: string; status: string; details: { errors: string[] } }>(
    `select name, status, details from job_history where resource_id = $1 and resource_type = 'canary'`,
    [canary],
  )
  expect(row).toMatchObject({ name: 'SyncCanary', status: 'FAILED' })
  expect(row.details.errors).toHaveLength(3)
})

test('a schedule that cannot be read makes its checks invalid and says why', async () => {
  const engine = await anEngine()
  const canary = await aCanary({ schedule: '* * * * * *', http: http('a') })
  await engine.reload([canary])
  await until(async () => (await checkOf(canary, 'a'))?.status === 'unhealthy')
  expect((await checkOf(canary, 'a'))?.error).toBe(
    'schedule: A cron schedule has five fields (minute hour day month weekday); this one has 6.',
  )
  expect(runs).toEqual([])
})

test('a kind switched off by property does not run', async () => {
  await db.run(`insert into properties (name, value) values ('check.disabled.http', 'true')`)
  forgetProperties(ctx)
  const engine = await anEngine()
  await engine.reload([await aCanary({ schedule: '@every 1s', http: http('a') })])
  await new Promise((resolve) => setTimeout(resolve, 300))
  await db.run('delete from properties')
  forgetProperties(ctx)
  expect(runs).toEqual([])
})

test('suspended canaries and those without a schedule do not run', async () => {
  const engine = await anEngine()
  const canary = await aCanary({ schedule: '@every 1s', replicas: 0, http: http('a') })
  const idle = await aCanary({ http: http('a') })
  await engine.reload([canary, idle])
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(runs).toEqual([])
})

test('an extra run happens at the moment the annotation names, once, and the annotation goes', async () => {
  const engine = await anEngine()
  const canary = await aCanary({ http: http('once') })
  const at = new Date(Date.now() + 700)
  const annotate = (value: string) =>
    db.run(
      `update canaries set annotations = jsonb_build_object('keep', 'me', 'next-runtime', $2::text) where id = $1`,
      [canary, value],
    )
  await annotate(at.toISOString())
  await engine.reload([canary])
  expect(runs).toEqual([])
  await until(async () => runs.length > 0)
  expect(runs[0]!.at).toBeGreaterThanOrEqual(at.getTime())
  const annotations = () => db.one<{ annotations: object }>('select annotations from canaries where id = $1', [canary])
  await until(async () => !('next-runtime' in (await annotations()).annotations))
  expect(await annotations()).toEqual({ annotations: { keep: 'me' } })
  await engine.reload([canary])
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(runs).toHaveLength(1)
  await annotate('soon')
  await engine.reload([canary])
  expect((await annotations()).annotations).toHaveProperty('next-runtime')
})

test('after a restart everything is resumed within one interval and what was missed is counted', async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, () => aCanary({ schedule: '@every 2s', http: http('c') })))
  const first = await anEngine()
  await until(() => new Set(runs.map((run) => run.check)).size === ids.length)
  engines.splice(0)
  await first.stop()
  await new Promise((resolve) => setTimeout(resolve, 2500))
  runs = []
  const restarted = Date.now()
  await anEngine()
  await until(() => new Set(runs.map((run) => run.check)).size === ids.length)
  const firstRuns = new Map<string, number>()
  for (const run of runs) if (!firstRuns.has(run.check)) firstRuns.set(run.check, run.at)
  expect(Math.max(...firstRuns.values()) - restarted).toBeLessThan(2000 + 2500)
  await until(
    async () =>
      (await db.one<{ count: number }>('select count(*)::int from quarterdeck_health.check_state where missed > 0'))
        .count === ids.length,
  )
})

test('two processes share the work and never run one check twice', async () => {
  const started = Date.now()
  const ids = await Promise.all(Array.from({ length: 60 }, () => aCanary({ schedule: '@every 1s', http: http('c') })))
  await anEngine('one')
  await until(() => new Set(runs.map((run) => run.check)).size === ids.length)
  await anEngine('two')
  await until(() => runs.some((run) => run.owner === 'two'), 15_000)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  // One slot a second and one start at once: a check that two processes ran would have far more.
  const seconds = (Date.now() - started) / 1000
  for (const list of groupBy(runs).values()) expect(list.length).toBeLessThanOrEqual(seconds + 2)
  const recent = runs.filter((run) => run.at > Date.now() - 2500)
  const owners = new Set(recent.map((run) => run.owner))
  expect(owners).toEqual(new Set(['one', 'two']))
}, 40_000)

function groupBy(list: typeof runs): Map<string, typeof runs> {
  const groups = new Map<string, typeof runs>()
  for (const run of list) groups.set(run.check, [...(groups.get(run.check) ?? []), run])
  return groups
}

test('a canary the database does not take says so and keeps no other from running', async () => {
  const odd = await aCanary({ schedule: '@every 1h', http: [{ name: 'x'.repeat(3000), url: 'http://a/' }] })
  const empty = newId()
  await db.run(`insert into canaries (id, name, namespace, spec) values ($1, $2, 'default', 'null')`, [empty, empty])
  const good = await aCanary({ schedule: '@every 1h', http: http('good') })
  const engine = await anEngine()
  await until(async () => (await checkOf(good, 'good'))?.status === 'healthy')
  expect(engine.stats().canaries).toBe(3)
  const row = await db.one<{ details: { errors: string[] } }>(
    'select details from job_history where resource_id = $1',
    [odd],
  )
  expect(row.details.errors).toEqual(['http[0] has a name longer than 500 characters'])
})

test('many runs that wait for one host delay no other host', async () => {
  const stuck = Array.from({ length: 260 }, (_, n) => ({ name: `hangs ${n}`, url: 'http://stuck/' }))
  await aCanary({ schedule: '@every 1h', http: stuck })
  const engine = await anEngine()
  await until(() => runs.length === 20)
  const good = await aCanary({ schedule: '@every 1h', http: [{ name: 'good', url: 'http://other/' }] })
  await engine.reload([good])
  await until(async () => (await checkOf(good, 'good'))?.status === 'healthy', 2000)
  expect(runs).toHaveLength(21)
})

test('runs that take long give their place in the kind to the next', async () => {
  // As many hosts as the kind has places, and none of them answers.
  await aCanary({ schedule: '@every 1h', http: http(...Array.from({ length: 200 }, (_, n) => `hangs ${n}`)) })
  const engine = await anEngine()
  await until(() => runs.length === 200)
  const good = await aCanary({ schedule: '@every 1h', http: [{ name: 'good', url: 'http://other/' }] })
  await engine.reload([good])
  await until(async () => (await checkOf(good, 'good'))?.status === 'healthy', 12_000)
  expect(runs).toHaveLength(201)
})

test('when the clock is set back, runs go on; when it leaps ahead, what was left out is counted', async () => {
  let offset = 0
  const clock = { now: () => new Date(Date.now() + offset) }
  const canary = await aCanary({ schedule: '@every 1s', http: http('a') })
  await anEngine(newId(), { ...ctx, clock })
  await until(() => runs.length >= 1)
  offset = -3_600_000
  const seen = runs.length
  await until(() => runs.length >= seen + 3)
  const check = (await checkOf(canary, 'a'))!
  const state = () =>
    db.maybeOne<{ missed: number }>('select missed::int from quarterdeck_health.check_state where check_id = $1', [
      check.id,
    ])
  const before = (await state())?.missed ?? 0
  offset = 0
  await until(async () => ((await state())?.missed ?? 0) >= before + 3_500)
  const after = runs.length
  await until(() => runs.length >= after + 2)
}, 30_000)
