import { roles } from '@quarterdeck/contract/permissions'
import { type SearchAnswer, SearchAnswer as Answer } from '@quarterdeck/contract/search'
import { beforeAll, describe, expect, test } from 'vitest'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { callAs, routeApp } from '../../testing/route-app.ts'
import { searchRoutes } from './search.routes.ts'

const db = await testDatabase()
const app = await routeApp(testContext(db), searchRoutes())

const search = async (q: string, limit = 8, role: (typeof roles)[number] = 'viewer') => {
  const answer = await callAs(app, role, 'GET', `/v1/search?q=${encodeURIComponent(q)}&limit=${limit}`)
  expect(answer.status).toBe(200)
  return Answer.parse(answer.body).results
}
const names = (results: SearchAnswer['results'], kind?: string) =>
  results.filter((hit) => !kind || hit.kind === kind).map((hit) => hit.name)

beforeAll(async () => {
  await db.tx(async (sql) => {
    // Without triggers: counting and announcing a hundred thousand rows is not what this is about.
    await sql.query('set local session_replication_role = replica')
    await sql.run(`insert into config_items (config_class, type, name, health, tags)
      select 'Pod', (array['Kubernetes::Pod', 'Kubernetes::Node', 'AWS::EC2::Instance', 'File::Yaml'])[1 + n % 4],
        (array['checkout', 'payments', 'orders', 'web', 'inventory', 'gateway'])[1 + n % 6] || '-' || md5(n::text) || '-' || n, 'healthy', '{"namespace":"shop"}'
      from generate_series(1, 100000) n`)
  })
  await db.run(`insert into config_items (config_class, type, name, deleted_at) values
    ('Node', 'Rack::Unit', 'Basalt', null), ('Node', 'Rack::Unit', 'basalt-2', null), ('Node', 'Rack::Unit', 'old-basalt', null),
    ('Node', 'Rack::Unit', 'xbasaltx', null), ('Node', 'Rack::Unit', 'basalt-deleted', now()), ('Node', 'Rack::Unit', '100%_done', null)`)
  const canary = await db.one<{ id: string }>(
    `insert into canaries (name, namespace, spec) values ('shop', 'web', '{}') returning id`,
  )
  await db.run(
    `insert into checks (canary_id, type, name, status) values ($1, 'http', 'basalt front page', 'healthy'), ($1, 'dns', 'names', 'unhealthy')`,
    [canary.id],
  )
  await db.run(
    `insert into components (name, type, external_id, status, hidden) values ('Basalt service', 'Service', 'b', 'healthy', false), ('Basalt hidden', 'Service', 'h', 'healthy', true)`,
  )
  await db.run(
    `insert into incidents (title, created_by, severity, description, type, status) select 'Basalt is down', id, 'High', 'd', 'availability', 'open' from people where name = 'System'`,
  )
  await db.run(
    `insert into playbooks (name, title, category, spec, source) values ('restart-basalt', 'Restart Basalt', 'Ops', '{}', 'UI')`,
  )
  await db.query('vacuum analyze config_items')
}, 120_000)

describe('finding', () => {
  test('the whole name first, then beginnings, then words, then anything inside', async () => {
    expect(names(await search('basalt'), 'config')).toEqual(['Basalt', 'basalt-2', 'old-basalt', 'xbasaltx'])
  })

  test('every kind, with what tells hits apart', async () => {
    const results = await search('BASALT')
    expect([...new Set(results.map((hit) => hit.kind))]).toEqual([
      'check',
      'config',
      'component',
      'incident',
      'playbook',
    ])
    expect(results.find((hit) => hit.kind === 'check')).toMatchObject({
      name: 'basalt front page',
      type: 'http',
      detail: 'web/shop',
      status: 'healthy',
    })
    expect(results.find((hit) => hit.kind === 'incident')).toMatchObject({
      name: 'Basalt is down',
      type: 'High',
      status: 'open',
    })
    expect(results.find((hit) => hit.kind === 'playbook')).toMatchObject({ name: 'Restart Basalt', detail: 'Ops' })
  })

  test('by type and by incident number', async () => {
    expect(names(await search('rack::unit'), 'config')).toContain('Basalt')
    const { incident_id } = await db.one<{ incident_id: string }>('select incident_id from incidents')
    expect(names(await search(incident_id.toLowerCase()), 'incident')).toEqual(['Basalt is down'])
    expect(names(await search('dns'), 'check')).toEqual(['names'])
  })

  test('one or two letters find beginnings', async () => {
    expect(names(await search('ba'), 'config').slice(0, 2)).toEqual(['Basalt', 'basalt-2'])
    expect(await search('zz')).toEqual([])
  })

  test('what is deleted or hidden is not found', async () => {
    const found = names(await search('basalt', 8))
    expect(found).not.toContain('basalt-deleted')
    expect(found).not.toContain('Basalt hidden')
  })

  test('signs that mean something elsewhere mean themselves', async () => {
    expect(names(await search('100%_'), 'config')).toEqual(['100%_done'])
    for (const q of [
      '%',
      '_',
      '\\',
      "'",
      '"; drop table checks; --',
      '.*',
      '[',
      '(',
      '$1',
      '\u0000x',
      '😀',
      'a'.repeat(200),
    ]) {
      const answer = await callAs(app, 'viewer', 'GET', `/v1/search?q=${encodeURIComponent(q)}`)
      expect([200, 400]).toContain(answer.status)
    }
    expect(names(await search('%%%'))).toEqual([])
  })

  test('never more than asked for, and at most eight of a kind', async () => {
    expect(names(await search('checkout', 3), 'config')).toHaveLength(3)
    expect(names(await search('checkout', 20), 'config')).toHaveLength(8)
  })
})

describe('bad input', () => {
  test.each([
    '/v1/search',
    '/v1/search?q=',
    '/v1/search?q=%20',
    `/v1/search?q=${'a'.repeat(201)}`,
    '/v1/search?q=a&limit=x',
    '/v1/search?q=a&limit=0',
  ])('%s is a 400', async (url) => expect((await callAs(app, 'viewer', 'GET', url)).status).toBe(400))
  test('nobody signed in is a 401', async () =>
    expect((await callAs(app, undefined, 'GET', '/v1/search?q=a')).status).toBe(401))
})

test('every role finds what it may read', async () => {
  for (const role of roles) expect((await search('basalt', 8, role)).length).toBeGreaterThan(0)
})

// 5–14 ms on a quiet machine; without its indexes a search takes seconds, and that is what this would notice.
test('answers quickly on 100,000 catalog items', async () => {
  for (const q of ['checkout', 'pay', 'ch', 'nothing like this', 'kubernetes', '99999', 'c4ca42']) {
    const times: number[] = []
    for (let round = 0; round < 7; round++) {
      const before = performance.now()
      await search(q)
      times.push(performance.now() - before)
    }
    expect(Math.min(...times), q).toBeLessThan(500)
  }
})
