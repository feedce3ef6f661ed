import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { routeApp } from '../../testing/route-app.ts'
import { healthRoutes } from './health.routes.ts'

const db = await testDatabase()
const ctx = testContext(db)
let app: FastifyInstance
const as = (roles: string) => ({ 'x-roles': roles })
const get = (url: string, roles = 'viewer') => app.inject({ url: `/api${url}`, headers: as(roles) })
const post = (url: string, payload: unknown, roles = 'editor', headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: `/api${url}`, payload: payload as object, headers: { ...as(roles), ...headers } })

async function aCanary(
  spec: Record<string, unknown>,
  more: { name?: string; labels?: object; annotations?: object } = {},
): Promise<string> {
  const id = newId()
  await db.run(
    'insert into canaries (id, name, namespace, labels, annotations, spec) values ($1, $2, $3, $4, $5, $6)',
    [id, more.name ?? id, 'web', more.labels ?? null, more.annotations ?? null, spec],
  )
  return id
}
async function aCheck(canary: string, more: Record<string, unknown> = {}): Promise<string> {
  const id = newId()
  await db.run(
    `insert into checks (id, canary_id, type, name, spec, labels, created_at) values ($1, $2, 'tcp', $3, $4, $5, now())`,
    [id, canary, more.name ?? 'port', more.spec ?? { endpoint: '127.0.0.1:1' }, more.labels ?? null],
  )
  return id
}
beforeAll(async () => {
  app = await routeApp(ctx, healthRoutes)
})
afterAll(() => app.close())

describe('the summary', () => {
  test('[HEALTH-26] lists every live check with its labels, uptime and latency', async () => {
    const canary = await aCanary({ schedule: '@every 60s' }, { name: 'shop', labels: { team: 'blue', tier: 'x' } })
    const check = await aCheck(canary, { labels: { tier: 'front' } })
    await db.run(
      `insert into check_statuses (check_id, time, status, duration) values ($1, now() - interval '2 minutes', true, 20), ($1, now() - interval '1 minute', false, 40)`,
      [check],
    )
    const answer = await get('/canary/api/summary')
    expect(answer.statusCode).toBe(200)
    const { checks_summary: checks, duration, runnerName } = answer.json()
    expect(duration).toBeTypeOf('number')
    expect(runnerName).toBeTypeOf('string')
    const mine = checks.find((each: { id: string }) => each.id === check)
    expect(mine).toMatchObject({
      canary_id: canary,
      canary_name: 'shop',
      name: 'port',
      namespace: 'web',
      type: 'tcp',
      labels: { team: 'blue', tier: 'front' },
      uptime: { passed: 1, failed: 1 },
      latency: { p99: 40, p95: 40 },
    })
    expect(mine).not.toHaveProperty('agent_id')
  })
  test('leaves out deleted checks and marks suspended ones', async () => {
    const canary = await aCanary({}, { annotations: { suspend: 'true' } })
    const [kept, gone] = [await aCheck(canary, { name: 'a' }), await aCheck(canary, { name: 'b' })]
    await db.run('update checks set deleted_at = now() where id = $1', [gone])
    const ids = new Map(
      (await get('/canary/api/summary'))
        .json()
        .checks_summary.map((each: { id: string; suspended?: boolean }) => [each.id, each.suspended]),
    )
    expect(ids.get(kept)).toBe(true)
    expect(ids.has(gone)).toBe(false)
  })
  test('answers one check, or those with given labels', async () => {
    const canary = await aCanary({}, { labels: { only: 'this' } })
    const check = await aCheck(canary)
    expect((await get(`/canary/api/summary?check_id=${check}`)).json().checks_summary).toHaveLength(1)
    expect(
      (await post('/canary/api/summary', { labels: { only: 'this' } }, 'viewer')).json().checks_summary,
    ).toHaveLength(1)
    expect((await get('/canary/api/summary?check_id=nonsense')).statusCode).toBe(400)
  })
})

describe('[DRAWER-24] the graph of a check', () => {
  test('points, uptime and percentiles of the range', async () => {
    const check = await aCheck(await aCanary({}))
    for (let i = 1; i <= 30; i++) {
      await db.run(
        `insert into check_statuses (check_id, time, status, duration, lag) values ($1, now() - $2 * interval '1 minute', $3, $4, 5)`,
        [check, i, i !== 7, i * 10],
      )
    }
    const hour = (await get(`/canary/api/graph?check=${check}&count=300&start=1h`)).json()
    expect(hour.uptime).toEqual({ passed: 29, failed: 1 })
    expect(hour.latency).toMatchObject({ p95: 290, p97: 300, p99: 300 })
    expect(hour.status.length).toBeGreaterThanOrEqual(29)
    expect(hour.status.filter((point: { status: boolean }) => !point.status)).toHaveLength(1)
    expect(hour).toMatchObject({ lag_p99: 5, missed: 0 })
    const year = (await get(`/canary/api/graph?check=${check}&start=1y`)).json()
    expect(year.uptime).toEqual({ passed: 29, failed: 1 })
    expect(year.step_seconds).toBe(86_400)
    // From the histogram: within a tenth of the true value.
    expect(year.latency.p95).toBeGreaterThan(250)
    expect(year.latency.p95).toBeLessThan(330)
  })
  test('bad input is a 400 in words, an unknown check a 404', async () => {
    const check = await aCheck(await aCanary({}))
    const wrong = await get(`/canary/api/graph?check=${check}&start=yesterdayish`)
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json().error).toMatch(/^start is invalid/)
    expect((await get(`/canary/api/graph?check=${newId()}`)).statusCode).toBe(404)
    expect((await get('/canary/api/graph?check=1')).statusCode).toBe(400)
  })
  test('evidence reads a check with its runs', async () => {
    const check = await aCheck(await aCanary({}))
    await db.run(
      `insert into check_statuses (check_id, time, status, duration, message) values ($1, now() - interval '1 minute', false, 5, 'words')`,
      [check],
    )
    const { checks } = (await get(`/canary/api?check=${check}&includeMessages=true&start=1h`)).json()
    expect(checks[0].checkStatuses).toMatchObject([{ status: false, message: 'words' }])
  })
})

describe('[DRAWER-09] run now', () => {
  test('runs the check, stores the result and answers it', async () => {
    const canary = await aCanary({ tcp: [{ name: 'port', endpoint: '127.0.0.1:1' }] })
    const check = await aCheck(canary)
    const answer = await post(`/canary/run/check/${check}`, undefined)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ name: 'port', pass: false, error: expect.stringContaining('ECONNREFUSED') })
    expect(await db.one('select status from checks where id = $1', [check])).toEqual({ status: 'unhealthy' })
    expect(
      await db.one('select count(*)::int as runs, max(lag) as lag from check_statuses where check_id = $1', [check]),
    ).toEqual({ runs: 1, lag: null })
  })
  test('[RBAC-08] is open to all but viewers', async () => {
    const canary = await aCanary({ tcp: [{ name: 'port', endpoint: '127.0.0.1:1' }] })
    const check = await aCheck(canary)
    for (const role of ['admin', 'editor', 'commander', 'responder'])
      expect((await post(`/canary/run/check/${check}`, undefined, role)).statusCode).toBe(200)
    expect((await post(`/canary/run/check/${check}`, undefined, 'viewer')).statusCode).toBe(403)
  })
  test('an unknown check is a 404', async () => {
    const id = newId()
    const answer = await post(`/canary/run/check/${id}`, undefined)
    expect(answer.statusCode).toBe(404)
    expect(answer.json().error).toBe(`check (${id}) was not found`)
  })
})

describe('try it', () => {
  test('runs an unsaved canary and stores nothing', async () => {
    const before = await db.one('select count(*)::int as checks from checks')
    const answer = await post('/v1/canaries/try', {
      spec: { tcp: [{ name: 'a', endpoint: '127.0.0.1:1' }, { name: 'b' }], nonsense: [{}] },
    })
    expect(answer.json()).toMatchObject({
      problems: ['"nonsense" is not a kind of check'],
      results: [
        { name: 'a', pass: false, invalid: false, environment: { check: { name: 'a', endpoint: '127.0.0.1:1' } } },
        { name: 'b', invalid: true, error: expect.stringMatching(/^endpoint: /) },
      ],
    })
    expect(await db.one('select count(*)::int as checks from checks')).toEqual(before)
    expect((await post('/v1/canaries/try', { spec: {} }, 'viewer')).statusCode).toBe(403)
    expect((await post('/v1/canaries/try', { spec: 'text' })).statusCode).toBe(400)
  })
})
