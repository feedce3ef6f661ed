import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { routeApp } from '../../testing/route-app.ts'
import { healthRoutes } from './health.routes.ts'

const db = await testDatabase()
const ctx = testContext(db)
let app: FastifyInstance
beforeAll(async () => {
  app = await routeApp(ctx, healthRoutes)
})
afterAll(() => app.close())

const post = (url: string, payload?: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: `/api/canary${url}`, payload, headers: { 'x-roles': 'editor', ...headers } })

async function aCanary(spec: Record<string, unknown>): Promise<string> {
  const id = newId()
  await db.run(`insert into canaries (id, name, namespace, spec) values ($1, $2, 'web', $3)`, [id, id, spec])
  return id
}
const change = (canary: string, spec: Record<string, unknown>) =>
  db.run('update canaries set spec = $2 where id = $1', [canary, spec])

const checksOf = async (canary: string) =>
  (
    await db.query<{ name: string }>(
      'select name from checks where canary_id = $1 and deleted_at is null order by name',
      [canary],
    )
  ).map(({ name }) => name)

/** Runs a check by name, whether it has a row yet or not. */
async function run(canary: string, name: string, type = 'exec') {
  const insert = `insert into checks (canary_id, type, name) select $1, $3, $2 where not exists (select from checks where canary_id = $1 and name = $2)`
  await db.run(insert, [canary, name, type])
  const { id } = await db.one<{ id: string }>('select id from checks where canary_id = $1 and name = $2', [
    canary,
    name,
  ])
  return post(`/run/check/${id}`)
}
/** An exec check whose output is the list its transform makes checks of. */
const making = (name: string, made: unknown[], more: object = {}) => ({
  name,
  script: `cat <<'END'\n${JSON.stringify(made)}\nEND`,
  transform: { expr: 'results.stdout' },
  ...more,
})

test('two transforms of one canary keep their own checks', async () => {
  const one = making('one', [{ name: 'a', pass: true }, { name: 'b' }])
  const two = making('two', [{ name: 'c', pass: true }])
  const canary = await aCanary({ exec: [one, two] })
  await run(canary, 'one')
  await run(canary, 'two')
  await run(canary, 'one')
  expect(await checksOf(canary)).toEqual(['a', 'b', 'c', 'one', 'two'])
  await change(canary, { exec: [making('one', [{ name: 'a', pass: true }]), two] })
  await run(canary, 'one')
  expect(await checksOf(canary)).toEqual(['a', 'c', 'one', 'two'])
})

test('checks go with the transform that made them', async () => {
  const canary = await aCanary({ exec: [making('one', [{ name: 'a' }]), making('two', [{ name: 'b' }])] })
  await run(canary, 'one')
  await run(canary, 'two')
  await change(canary, { exec: [{ name: 'one', script: 'true' }] })
  await run(canary, 'one')
  expect(await checksOf(canary)).toEqual(['one'])
})

test('what a transform leaves out is taken from the check that makes it', async () => {
  const made = [{ name: 'a' }, { name: 'b', namespace: 'own', icon: 'db' }]
  const canary = await aCanary({
    severity: 'high',
    exec: [making('one', made, { icon: 'queue', description: 'Queues' })],
  })
  await run(canary, 'one')
  const rows = await db.query(
    'select name, namespace, severity, icon, description from checks where canary_id = $1 and transformed order by name',
    [canary],
  )
  const inherited = { severity: 'high', description: 'Queues' }
  expect(rows).toEqual([
    { name: 'a', namespace: 'web', icon: 'queue', ...inherited },
    { name: 'b', namespace: 'own', icon: 'db', ...inherited },
  ])
})

test('a name that comes twice is one check; its last entry counts', async () => {
  const canary = await aCanary({
    exec: [
      making('one', [
        { name: 'a', message: 'first' },
        { name: 'a', message: 'last', pass: true },
      ]),
    ],
  })
  expect((await run(canary, 'one')).statusCode).toBe(200)
  expect(await checksOf(canary)).toEqual(['a', 'one'])
  const { message } = await db.one<{ message: string }>(
    `select s.message from check_statuses s join checks c on c.id = s.check_id where c.canary_id = $1 and c.name = 'a'`,
    [canary],
  )
  expect(message).toBe('last')
})

test.each([
  ['MarkHealthy', 'healthy', 2],
  ['MarkUnhealthy', 'unhealthy', 2],
  ['Ignore', 'unhealthy', 1],
])('%s: what is written of a check that did not come again', async (strategy, status, rows) => {
  const more = { transformDeleteStrategy: strategy }
  const canary = await aCanary({ exec: [making('one', [{ name: 'a', start: '2026-01-01T00:00:00Z' }], more)] })
  await run(canary, 'one')
  await change(canary, { exec: [making('one', [], more)] })
  await run(canary, 'one')
  const gone = await db.one<{ id: string; status: string; deleted: boolean }>(
    `select id, status, deleted_at is not null as deleted from checks where canary_id = $1 and name = 'a'`,
    [canary],
  )
  expect(gone).toMatchObject({ status, deleted: true })
  expect(await db.one('select count(*)::int as rows from check_statuses where check_id = $1', [gone.id])).toEqual({
    rows,
  })
})

test('a run that ends after its canary was deleted brings nothing back', async () => {
  const canary = await aCanary({ exec: [{ ...making('one', [{ name: 'a' }]) }] })
  await run(canary, 'one')
  const slow = making('one', [{ name: 'a' }, { name: 'b' }])
  await change(canary, { exec: [{ ...slow, script: `sleep 1; ${slow.script}` }] })
  const running = run(canary, 'one')
  await new Promise((resolve) => setTimeout(resolve, 400))
  await db.run('update canaries set deleted_at = now() where id = $1', [canary])
  await running
  expect(await checksOf(canary)).toEqual([])
})

test('running a check that a transform made runs the one that makes it', async () => {
  const canary = await aCanary({ exec: [making('one', [{ name: 'a', pass: true }])] })
  await run(canary, 'one')
  const { id } = await db.one<{ id: string }>(`select id from checks where canary_id = $1 and name = 'a'`, [canary])
  await db.run('delete from check_statuses where check_id = $1', [id])
  const answer = await post(`/run/check/${id}`)
  expect(answer.json()).toMatchObject({ name: 'one', pass: true })
  expect(await db.one('select count(*)::int as runs from check_statuses where check_id = $1', [id])).toEqual({
    runs: 1,
  })
})

test('what cannot be run says why and leaves the check as it is', async () => {
  const canary = await aCanary({ helm: [{ name: 'chart' }], webhook: { name: 'hook-run-now' } })
  await post('/webhook/hook-run-now', {})
  const idOf = async (name: string) =>
    (await db.one<{ id: string }>('select id from checks where canary_id = $1 and name = $2', [canary, name])).id
  const chart = await post(`/run/check/${await idOf('chart')}`)
  expect(chart.statusCode).toBe(400)
  expect(chart.json().message).toBe('helm checks are kept but not run by this server.')
  const hook = await post(`/run/check/${await idOf('hook-run-now')}`)
  expect(hook.statusCode).toBe(400)
  expect(hook.json().message).toContain('runs when it is called')
  expect(await db.one('select status from checks where id = $1', [await idOf('chart')])).toEqual({ status: null })
})

test('a transform of ten thousand checks is stored', async () => {
  const made = { expr: `lists.range(10000).map(n, {'name': 'check ' + string(n), 'pass': n % 2 == 0}).toJSON()` }
  const canary = await aCanary({ exec: [{ name: 'many', script: 'true', transform: made }] })
  expect((await run(canary, 'many')).json()).toMatchObject({ pass: true, error: '' })
  expect(
    await db.one(
      `select count(*)::int as checks, count(*) filter (where status = 'healthy')::int as healthy
         from checks where canary_id = $1 and transformed and deleted_at is null`,
      [canary],
    ),
  ).toEqual({ checks: 10_000, healthy: 5_000 })
}, 60_000)

test('labels with dots, slashes and any letters are kept; one taken from the canary goes from its checks', async () => {
  const labels = { 'app.kubernetes.io/name': 'shop/β', größe: '🙂 "x"', '': 'empty' }
  const canary = await aCanary({ exec: [{ name: 'one', script: 'true', labels }] })
  await db.run(`update canaries set labels = '{"team": "blue"}' where id = $1`, [canary])
  await run(canary, 'one')
  const kept = () => db.one('select labels from checks where canary_id = $1', [canary])
  expect(await kept()).toEqual({ labels: { ...labels, team: 'blue' } })
  await db.run('update canaries set labels = null where id = $1', [canary])
  await run(canary, 'one')
  expect(await kept()).toEqual({ labels })
})

test('nothing that lets somebody in is kept of a call to a webhook', async () => {
  const token = 'hook-secret-7391'
  const canary = await aCanary({
    webhook: { name: 'told', token, display: { template: 'sent {{ .json.echo }}{{ .content }}' } },
  })
  const secrets = { 'webhook-token': token, authorization: 'Bearer inner-9921', cookie: 'session=inner-9921' }
  const kept = async () =>
    JSON.stringify(
      await db.query('select s.* from check_statuses s join checks c on c.id = s.check_id where c.canary_id = $1', [
        canary,
      ]),
    )
  expect((await post('/webhook/told', { echo: `${token}\0 half \ud800` }, secrets)).statusCode).toBe(200)
  expect(await kept()).toContain('sent ***')
  expect(await kept()).toContain('user-agent')
  expect(await kept()).not.toMatch(/7391|9921/)
})

test('a password written into an address is not told', async () => {
  const canary = await aCanary({ postgres: [{ name: 'db', url: 'postgres://reader:inner-9921@db.example/x?a=b@c' }] })
  await run(canary, 'db', 'postgres')
  const list = (await app.inject({ url: '/api/canary/api/summary', headers: { 'x-roles': 'viewer' } })).body
  expect(list).toContain('"endpoint":"postgres://reader:***@db.example/x?a=b@c"')
  expect(list).not.toContain('inner-9921')
})
