import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepArtifacts } from '../../platform/artifacts/artifacts.ts'
import { newId } from '../../platform/ids.ts'
import { forgetProperties } from '../../platform/properties.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { routeApp } from '../../testing/route-app.ts'
import { expiredArtifacts } from '../jobs/retention.sql.ts'
import { artifactRoutes } from '../system/artifacts.routes.ts'
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
  app = await routeApp(ctx, [...healthRoutes, ...artifactRoutes])
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
  test('for the dashboard it leaves out what no list shows', async () => {
    const check = await aCheck(await aCanary({ schedule: '@every 60s' }, { labels: { team: 'red' } }))
    await db.run(
      `insert into check_statuses (check_id, time, status, duration) values ($1, now() - interval '1 minute', true, 30)`,
      [check],
    )
    type Entry = Record<string, unknown> & { id: string }
    const entry = async (query: string) =>
      ((await get(`/canary/api/summary${query}`)).json().checks_summary as Entry[]).find(({ id }) => id === check)!
    const [whole, brief] = [await entry(''), await entry('?fields=list')]
    expect(brief).toMatchObject({ labels: { team: 'red' }, uptime: { passed: 1, failed: 0 }, latency: { p95: 30 } })
    for (const [key, value] of Object.entries(brief)) expect(whole).toMatchObject({ [key]: value })
    expect(Object.keys(whole).filter((key) => !(key in brief))).toEqual(['canary_id', 'canary_namespace', 'created_at'])
    expect(await entry(`?fields=list&check_id=${check}`)).toEqual(brief)
    expect(await entry('?fields=all')).toEqual(whole)
    expect((await get('/canary/api/summary?fields=none')).statusCode).toBe(400)
  })
  test('any text comes through whole', async () => {
    const odd = 'a "b"\\ \n\t\u2028 ü 🙂 </script> \u0001'
    const canary = await aCanary({}, { name: odd, labels: { [odd]: odd } })
    const check = await aCheck(canary, { name: odd, spec: { url: odd } })
    const answer = (await get(`/canary/api/summary?check_id=${check}`)).json()
    expect(answer.checks_summary).toMatchObject([
      { id: check, name: odd, canary_name: odd, endpoint: odd, labels: { [odd]: odd }, latency: { rolling1h: 0 } },
    ])
    expect(answer.checks_summary[0]).not.toHaveProperty('status')
    expect((await get('/canary/api/summary')).json().checks_summary).toContainEqual(answer.checks_summary[0])
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

test('[HEALTH-28] the record of a check has every field', async () => {
  const canary = await aCanary({ schedule: '@every 60s' }, { name: 'record', labels: { team: 'blue' } })
  const agent = await db.one<{ id: string }>(`insert into agents (name) values ('remote') returning id`)
  const topology = newId()
  const component = newId()
  await db.run(`insert into topologies (id, name, namespace, spec) values ($1, 't', 'web', '{}')`, [topology])
  await db.run(
    `insert into components (id, topology_id, name, icon, status, external_id, type) values ($1, $2, 'api', 'server', 'healthy', 'api', 'x')`,
    [component, topology],
  )
  const config = await db.one<{ id: string }>(
    `insert into config_items (config_class, type, name, config) values ('Node', 'Kubernetes::Node', 'n1', '{}') returning id`,
  )
  const check = newId()
  await db.run(
    `insert into checks (id, canary_id, agent_id, type, name, namespace, description, icon, spec, labels, severity, status, last_runtime, next_runtime, last_transition_time, created_at)
     values ($1, $2, $3, 'http', 'basket', 'shop', 'The basket', 'cart', '{"url": "http://shop/", "severity": "high"}', '{"tier": "front"}', 'high', 'healthy', now(), now() + interval '1 minute', now(), now())`,
    [check, canary, agent.id],
  )
  await db.run(
    `insert into check_statuses (check_id, time, status, duration) values ($1, now() - interval '1 minute', true, 20), ($1, now() - interval '2 minutes', false, 30)`,
    [check],
  )
  await db.run(
    `insert into check_component_relationships (component_id, check_id, canary_id, selector_id) values ($1, $2, $3, 's')`,
    [component, check, canary],
  )
  await db.run(
    `insert into check_config_relationships (config_id, check_id, canary_id, selector_id) values ($1, $2, $3, 's')`,
    [config.id, check, canary],
  )
  const {
    checks: [record],
  } = (await get(`/canary/api?check=${check}&start=1h`)).json()
  expect(record).toMatchObject({
    id: check,
    name: 'basket',
    namespace: 'shop',
    endpoint: 'http://shop/',
    icon: 'cart',
    type: 'http',
    canary_id: canary,
    canary_name: 'record',
    agent_id: agent.id,
    labels: { team: 'blue', tier: 'front' },
    severity: 'high',
    uptime: { passed: 1, failed: 1 },
    latency: { p95: 30, p97: 30, p99: 30, rolling1h: 0 },
    last_runtime: expect.any(String),
    next_runtime: expect.any(String),
    last_transition_time: expect.any(String),
    status: 'healthy',
    description: 'The basket',
    deleted_at: null,
    components: [{ id: component, name: 'api', icon: 'server' }],
    configs: [{ id: config.id, name: 'n1', type: 'Kubernetes::Node' }],
    spec: { url: 'http://shop/', severity: 'high' },
    checkStatuses: [{ status: true }, { status: false }],
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

describe('files of a run', () => {
  const script =
    'mkdir r; echo "<b>$API_TOKEN</b>" > "r/ä \\"1\\".html"; head -c 2500000 /dev/zero > r/big.bin; echo out'
  const exec = {
    name: 'makes files',
    script,
    env: [{ name: 'API_TOKEN', value: 'tok-87654321' }],
    artifacts: [{ path: '/dev/stdout' }, { path: 'r/*' }],
  }
  test('are kept with it, listed, and downloaded without the secrets of the run', async () => {
    const canary = await aCanary({ exec: [exec] })
    const check = await aCheck(canary, { name: 'makes files' })
    await db.run(`update checks set type = 'exec' where id = $1`, [check])
    expect((await post(`/canary/run/check/${check}`, undefined)).json()).toMatchObject({ pass: true, error: '' })
    const { time, artifacts } = await db.one<{ time: Date; artifacts: { name: string; size: number; id: string }[] }>(
      'select time, artifacts from checks_status_artifacts where check_id = $1',
      [check],
    )
    expect(artifacts.map(({ name, size }) => [name, size]).sort()).toEqual([
      ['r/big.bin', 2_500_000],
      ['r/ä "1".html', expect.any(Number)],
      ['stdout', 4],
    ])
    const listed = (await get(`/artifacts/list/check/${check}/${time.toISOString()}`)).json()
    expect(listed).toHaveLength(3)
    const { path, checksum, expires_at } = listed.find((each: { filename: string }) => each.filename === 'stdout')
    expect(path).toMatch(new RegExp(`^checks/${check}/\\d{19}/stdout$`))
    expect(checksum).toMatch(/^[0-9a-f]{64}$/)
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now() + 6 * 86_400_000)

    const big = await get(`/artifacts/download/${artifacts.find(({ name }) => name === 'r/big.bin')!.id}`)
    expect(big.rawPayload.length).toBe(2_500_000)
    const page = await get(`/artifacts/download/${artifacts.find(({ name }) => name.endsWith('.html'))!.id}`)
    expect(page.body).toBe('<b>***</b>\n')
    expect(page.headers['content-disposition']).toBe(
      `attachment; filename="_ _1_.html"; filename*=UTF-8''%C3%A4%20%221%22.html`,
    )
    expect(page.headers['content-security-policy']).toContain('sandbox')
  })
  test('what is not there, or not a time, is said', async () => {
    expect((await get(`/artifacts/download/${newId()}`)).statusCode).toBe(404)
    expect((await get('/artifacts/download/nonsense')).statusCode).toBe(400)
    expect((await get(`/artifacts/list/check/${newId()}/yesterday`)).statusCode).toBe(400)
    expect((await get(`/artifacts/list/check/${newId()}/2030-01-01T00:00:00Z`)).json()).toEqual([])
    expect((await get(`/artifacts/list/playbook_run/${newId()}`)).json()).toEqual([])
    expect((await app.inject({ url: `/api/artifacts/download/${newId()}` })).statusCode).toBe(401)
  })
  test('the oldest go when a check has too many, all go in time', async () => {
    await db.run(`insert into properties (name, value) values ('artifacts.check.max-megabytes', '1')`)
    forgetProperties(ctx)
    const check = await aCheck(await aCanary({}))
    const file = (path: string) => ({ path, content: Buffer.alloc(400_000), contentType: 'text/plain' })
    for (const minute of [1, 2, 3])
      await keepArtifacts(ctx, { checkId: check, time: new Date(Date.UTC(2030, 0, 1, 0, minute)) }, [file(`${minute}`)])
    const kept = () => db.query('select filename from artifacts where check_id = $1 order by filename', [check])
    expect(await kept()).toEqual([{ filename: '2' }, { filename: '3' }])
    await db.run(`update artifacts set expires_at = now() - interval '1 second' where filename = '2'`)
    await expiredArtifacts(db, 0, 100)
    expect(await kept()).toEqual([{ filename: '3' }])
    expect(
      await db.one(
        'select count(*)::int as lost from artifact_blobs b where artifact_id not in (select id from artifacts)',
      ),
    ).toEqual({ lost: 0 })
    await db.run(`delete from properties`)
    forgetProperties(ctx)
  })
})

describe('a webhook', () => {
  const call = (name: string, token?: string) =>
    app.inject({ method: 'POST', url: `/api/canary/webhook/${name}${token ? `?token=${token}` : ''}`, payload: {} })
  test('whose token is a reference is not open: it is looked up', async () => {
    await aCanary({ webhook: { name: 'by-reference', token: 'env://QD_HOOK_TOKEN' } })
    expect((await call('by-reference')).statusCode).toBe(503)
    expect((await call('by-reference', 'env://QD_HOOK_TOKEN')).statusCode).toBe(503)
    await aCanary({ webhook: { name: 'by-key', token: { valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } } } })
    expect((await call('by-key')).statusCode).toBe(503)
  })
  test('takes the right token only; without one it is open', async () => {
    await aCanary({ webhook: { name: 'with-token', token: 'abc' } })
    expect((await call('with-token')).statusCode).toBe(401)
    expect((await call('with-token', 'abcd')).statusCode).toBe(401)
    expect((await call('with-token', 'abc')).json()).toEqual({ message: 'ok' })
    await aCanary({ webhook: { name: 'without-token' } })
    expect((await call('without-token')).statusCode).toBe(200)
  })
})

test('resultMode junit folds all results of a run into one', async () => {
  const spec = {
    resultMode: 'junit',
    severity: 'high',
    exec: [
      { name: 'good', script: 'echo fine' },
      { name: 'bad', script: 'echo oops >&2; exit 2' },
    ],
    tcp: [{ name: 'wrong' }],
    helm: [{ name: 'idle' }],
    webhook: { name: 'beside-folded' },
  }
  const canary = await aCanary(spec, { name: 'suite' })
  const rows = async () =>
    db.query<{ id: string; type: string; name: string }>(
      'select id, type, name from checks where canary_id = $1 and deleted_at is null order by type',
      [canary],
    )
  await app.inject({ method: 'POST', url: '/api/canary/webhook/beside-folded', payload: {} })
  expect(await rows()).toMatchObject([
    { type: 'junit', name: 'suite' },
    { type: 'webhook', name: 'beside-folded' },
  ])
  const [check] = await rows()
  expect((await post(`/canary/run/check/${check!.id}`, undefined)).json()).toMatchObject({
    name: 'suite',
    type: 'junit',
    pass: false,
    message: '1 passed, 2 failed, 1 skipped',
    error: expect.stringMatching(/^2 of 3 failed: bad \(exit code 2.*wrong \(endpoint: /s),
  })
  const { details } = await db.one<{ details: { suites: { tests: object[] }[]; totals: object } }>(
    'select details from check_statuses where check_id = $1',
    [check!.id],
  )
  expect(details.totals).toMatchObject({ passed: 1, failed: 1, error: 1, skipped: 1 })
  expect(details.suites[0]!.tests).toMatchObject([
    { name: 'good', classname: 'exec', status: 'passed', stdout: 'fine' },
    { name: 'bad', classname: 'exec', status: 'failed', stderr: 'oops' },
    { name: 'wrong', classname: 'tcp', status: 'error' },
    { name: 'idle', classname: 'helm', status: 'skipped' },
  ])
})
