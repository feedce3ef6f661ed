import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '@quarterdeck/contract/permissions'
import { readConfig } from '../../config.ts'
import { registerDataApi } from '../../data-api/data-api.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { callAs, routeApp } from '../../testing/route-app.ts'
import { rows, systemPerson } from '../../testing/rows.ts'
import { protectRowsOfFiles } from '../resources/read-only.ts'
import { integrationRoutes } from './integrations.routes.ts'
import { auditResources } from './resource-audit.ts'
import { registerResourceRules } from './resource-rules.ts'

const db = await testDatabase()
const ctx = testContext(db)
const make = rows(db)
const api = Fastify()
const about = await routeApp(ctx, integrationRoutes)

beforeAll(async () => {
  const data = await registerDataApi(api, ctx, {
    prefix: '/db',
    principalOf: ({ headers }) => ({
      kind: 'person',
      id: systemPerson,
      name: 'System',
      email: null,
      roles: [(headers['x-role'] as Role | undefined) ?? 'editor'],
    }),
  })
  protectRowsOfFiles(data)
  registerResourceRules(data)
  auditResources(data)
  await data.reload()
  return () => api.close()
})

type Body = Record<string, unknown>
async function send(method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, role?: Role) {
  const answer = await api.inject({
    method,
    url: `/db${path}`,
    headers: { prefer: 'return=representation', ...(role && { 'x-role': role }) },
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json<Body | Body[]>() }
}
const message = ({ body }: { body: Body | Body[] }) => (body as Body).message
const topology = (more: object) => ({ name: 'shop', namespace: 'web', source: 'UI', spec: {}, ...more })
const backends = { backends: [{ file: { path: ['/var/log/*.log'], routes: [{ type: 'Host' }] } }] }

describe('what a definition must look like', () => {
  test.each([
    ['topologies', { name: '' }, 'name cannot be empty'],
    ['topologies', { name: ' a' }, 'name cannot begin or end with a space'],
    ['topologies', { name: 'a\u0007' }, 'name cannot hold control characters'],
    ['topologies', { name: 'sh\u200bop' }, 'name cannot hold characters that nobody sees'],
    ['topologies', { name: 'ab\u202edc' }, 'name cannot hold characters that nobody sees'],
    ['topologies', { name: 5 }, 'name must be text'],
    ['topologies', { namespace: '' }, 'namespace cannot be empty'],
    ['topologies', { labels: 'a=b' }, 'labels must be a map of text'],
    ['topologies', { labels: ['a'] }, 'labels must be a map of text'],
    ['topologies', { labels: { a: 1 } }, 'labels.a must be text'],
    ['topologies', { spec: 'components: []' }, 'spec must be an object'],
    ['topologies', { spec: [] }, 'spec must be an object'],
    ['topologies', { spec: null }, 'spec must be an object'],
    ['topologies', { spec: { components: [{ name: 5 }] } }, /^spec\.components\[0\]\.name /],
    ['topologies', { spec: { schedule: 'sometimes' } }, /^spec\.schedule /],
    [
      'topologies',
      { spec: { components: [{ components: [{ lookup: { htttp: [] } }] }] } },
      /^spec\.components\[0\]\.components\[0\]\.lookup has keys/,
    ],
    ['logging_backends', { spec: {} }, 'spec.backends is needed'],
    ['logging_backends', { spec: { backends: [] } }, 'spec.backends at least one backend is needed'],
    ['logging_backends', { spec: { backends: [{}] } }, /^spec\.backends\[0\] exactly one of kubernetes, file/],
    ['logging_backends', { spec: { backends: [{ file: { path: [] } }] } }, /^spec\.backends\[0\]\.file\.path /],
    ['logging_backends', { spec: { backends: [{ opensearch: { index: 'a', cloud_id: 'b' } }] } }, /cloud_id/],
    ['teams', { spec: 'a: b' }, 'spec must be an object'],
    ['teams', { spec: { components: 'all' } }, /^spec\.components /],
    ['canaries', { name: '' }, 'name cannot be empty'],
    ['canaries', { spec: [1], namespace: 'default' }, 'spec must be an object'],
    ['canaries', { spec: {}, labels: 'a=b' }, 'labels must be a map of text'],
    ['notifications', { events: [] }, 'events must hold at least one event'],
    ['notifications', { events: null }, 'events must hold at least one event'],
    ['incident_rules', { spec: { filter: { status: 'unhealthy' } } }, /^spec\.filter\.status /],
    [
      'incident_rules',
      { spec: { template: { commander_id: 'Ada' } } },
      /^spec\.template\.commander_id must be the id of a person/,
    ],
  ] as const)('%s with %j is refused', async (table, wrong, words) => {
    const right = {
      ...(table !== 'notifications' && { name: 'fine' }),
      ...(table === 'topologies' && { namespace: 'default', source: 'UI', spec: {} }),
      ...(table === 'logging_backends' && { spec: backends }),
      ...(table === 'incident_rules' && { spec: {} }),
    }
    const answer = await send('POST', `/${table}`, { ...right, ...wrong })
    expect(answer.status).toBe(400)
    expect(message(answer)).toMatch(words)
  })

  test('what is right is saved; the schedule of a topology gets its column', async () => {
    const made = await send('POST', '/topologies', topology({ name: 'one', spec: { schedule: '@every 5m' } }))
    expect(made.status).toBe(201)
    const [row] = made.body as [{ id: string; schedule: string }]
    expect(row.schedule).toBe('@every 5m')
    const changed = await send('PATCH', `/topologies?id=eq.${row.id}`, { spec: { components: [{ name: 'a' }] } })
    expect((changed.body as Body[])[0]).toMatchObject({ schedule: null })
    const renamed = await send('PATCH', `/topologies?id=eq.${row.id}`, { labels: { a: 'b' } })
    expect(renamed.status).toBe(200)
    expect((await send('POST', '/logging_backends', { name: 'files', spec: backends })).status).toBe(201)
  })

  test('an update is held to the same', async () => {
    const row = await make.insert('topologies', topology({ name: 'held' }))
    const answer = await send('PATCH', `/topologies?id=eq.${row.id}`, { spec: 'no' })
    expect(answer.status).toBe(400)
    expect((await send('PATCH', `/topologies?id=eq.${row.id}`, { deleted_at: 'now()' })).status).toBe(200)
  })

  test('a name from before these rules may stay; a new one is held to them', async () => {
    const row = await make.insert('canaries', { name: ' old ', namespace: 'web', spec: {} })
    const same = { name: ' old ', namespace: 'web', spec: { schedule: '@never' } }
    expect((await send('PATCH', `/canaries?id=eq.${row.id}`, same)).status).toBe(200)
    const renamed = await send('PATCH', `/canaries?id=eq.${row.id}`, { ...same, name: ' new' })
    expect([renamed.status, message(renamed)]).toEqual([400, 'name cannot begin or end with a space'])
  })
})

describe('names', () => {
  test('two of a name collide in words', async () => {
    await make.insert('topologies', topology({ name: 'twice' }))
    const again = await send('POST', '/topologies', topology({ name: 'twice' }))
    expect(again.status).toBe(409)
    expect(message(again)).toBe('There is a topology called twice in the namespace web already')
    expect((await send('POST', '/topologies', topology({ name: 'twice', namespace: 'other' }))).status).toBe(201)
    await make.insert('logging_backends', { name: 'twice', spec: backends })
    const backend = await send('POST', '/logging_backends', { name: 'twice', spec: backends })
    expect(message(backend)).toBe('There is a log backend called twice already')
    await make.insert('canaries', { name: 'twice', namespace: 'web', spec: {} })
    const check = await send('POST', '/canaries', { name: 'twice', namespace: 'web', spec: {} })
    expect(message(check)).toBe('There is a health check called twice in the namespace web already')
    await make.insert('properties', { name: 'twice.too', value: '1' })
    const property = await send('POST', '/properties', { name: 'twice.too', value: '2' })
    expect(message(property)).toBe('There is a property called twice.too already')
  })

  test('also when one is renamed, when one write holds both, and when only the accents are spelled otherwise', async () => {
    await make.insert('logging_backends', { name: 'café', spec: backends })
    const other = await make.insert('logging_backends', { name: 'tea', spec: backends })
    const words = 'There is a log backend called café already'
    const rename = await send('PATCH', `/logging_backends?id=eq.${other.id}`, { name: 'café' })
    expect([rename.status, message(rename)]).toEqual([409, words])
    expect((await send('PATCH', `/logging_backends?id=eq.${other.id}`, { name: 'tea', labels: {} })).status).toBe(200)
    const decomposed = await send('POST', '/logging_backends', { name: 'cafe\u0301', spec: backends })
    expect([decomposed.status, message(decomposed)]).toEqual([409, words])
    const two = [
      { name: 'milk', spec: backends },
      { name: 'milk', spec: backends },
    ]
    expect((await send('POST', '/logging_backends', two)).status).toBe(409)
  })

  test('a deleted rule or team gives its name to a new one', async () => {
    for (const [table, more] of [
      ['incident_rules', { spec: {} }],
      ['teams', { spec: {} }],
    ] as const) {
      const first = await make.insert(table, { name: 'phoenix', created_by: systemPerson, ...more })
      const taken = await send('POST', `/${table}`, { name: 'phoenix', ...more })
      expect(taken.status).toBe(409)
      await send('PATCH', `/${table}?id=eq.${first.id}`, { deleted_at: 'now()' })
      expect((await send('POST', `/${table}`, { name: 'phoenix', ...more })).status).toBe(201)
      const old = await db.one<{ name: string }>(`select name from ${table} where id = $1`, [first.id])
      expect(old.name).toMatch(/^phoenix \(deleted /)
    }
  })
})

describe('references', () => {
  test('people of a rule must exist', async () => {
    const nobody = '0190f3aa-0000-7000-8000-00000000dead'
    const wrong = await send('POST', '/incident_rules', { name: 'x', spec: { template: { commander_id: nobody } } })
    expect(wrong.status).toBe(400)
    expect(message(wrong)).toBe(`spec.template.commander_id: there is no person with the id ${nobody}`)
    const person = await make.aPerson()
    const right = await send('POST', '/incident_rules', { name: 'x', spec: { template: { commander_id: person.id } } })
    expect(right.status).toBe(201)
  })

  test('connections of a notification must exist', async () => {
    const to = (connection: string) => ({
      events: ['check.failed'],
      source: 'UI',
      custom_services: [{ name: 'chat', connection }],
    })
    const wrong = await send('POST', '/notifications', to('connection://default/gone'))
    expect(wrong.status).toBe(400)
    expect(message(wrong)).toBe('There is no connection connection://default/gone')
    const connection = await make.insert('connections', { name: 'ops', namespace: 'chat', type: 'slack' })
    for (const text of [connection.id, 'connection://chat/ops', 'connection://ops', 'connection://slack/ops'])
      expect((await send('POST', '/notifications', to(text))).status).toBe(201)
    expect((await send('POST', '/notifications', { ...to('x'), custom_services: {} })).status).toBe(400)
  })
})

describe('what is in use', () => {
  const ask = (table: string, id: string, role: Role = 'viewer') =>
    callAs(about, role, 'GET', `/v1/resources/${table}/${id}/about`)

  test('a topology says which components and incidents would notice', async () => {
    const { id } = await make.insert('topologies', topology({ name: 'used' }))
    for (const name of ['b', 'a'])
      await make.insert('components', { name, topology_id: id, external_id: name, status: '' })
    const answer = await ask('topologies', id)
    expect(answer.body).toEqual({
      file: null,
      uses: [{ what: 'components', count: 2, names: ['a', 'b'], blocks: false }],
    })
  })

  test('a team that notifications go to is not deleted, and says so', async () => {
    const team = await make.insert('teams', { name: 'Payments', spec: {}, created_by: systemPerson })
    await make.insert('notifications', { events: ['check.failed'], title: 'Shop is down', team_id: team.id })
    const refused = await send('PATCH', `/teams?id=eq.${team.id}`, { deleted_at: 'now()' })
    expect(refused.status).toBe(409)
    expect(message(refused)).toBe('Payments is in use: 1 notification that goes to it (Shop is down)')
    expect((await ask('teams', team.id)).body).toMatchObject({ uses: [{ blocks: true, count: 1 }] })
    await db.run('update notifications set deleted_at = now() where team_id = $1', [team.id])
    expect((await send('PATCH', `/teams?id=eq.${team.id}`, { deleted_at: 'now()' })).status).toBe(200)
  })

  test('the file that keeps a row is named', async () => {
    const { id } = await make.insert('topologies', topology({ name: 'filed' }))
    await db.run(
      `insert into resource_files (kind, namespace, name, source, hash, resource_id)
       values ('Topology', 'web', 'filed', 'folder:team/shop.yaml', 'x', $1)`,
      [id],
    )
    expect((await ask('topologies', id)).body).toMatchObject({ file: 'team/shop.yaml' })
    expect((await send('PATCH', `/topologies?id=eq.${id}`, { labels: {} })).status).toBe(409)
  })

  test('a line of the properties file wins over a stored property, and says so', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'quarterdeck-properties-')), 'local.properties')
    writeFileSync(file, 'check.retention.age=3d\n')
    const config = readConfig({ QUARTERDECK_DATA_DIR: '/nowhere', QUARTERDECK_PROPERTIES_FILE: file })
    const local = await routeApp(testContext(db, { config }), integrationRoutes)
    const fileOf = async (name: string) =>
      (await callAs(local, 'viewer', 'GET', `/v1/resources/properties/${name}/about`)).body
    expect(await fileOf('check.retention.age')).toEqual({ file: 'local.properties', uses: [] })
    expect(await fileOf('other')).toEqual({ file: null, uses: [] })
  })

  test('only tables there are, for who may read them', async () => {
    expect((await ask('access_tokens', 'x')).status).toBe(404)
    expect((await ask('__proto__', 'x')).status).toBe(404)
    expect((await ask('topologies', 'no id')).body).toEqual({ file: null, uses: [] })
    expect((await callAs(about, undefined, 'GET', '/v1/resources/topologies/x/about')).status).toBe(401)
  })
})

test('who added, changed and deleted a definition is kept', async () => {
  const made = await send('POST', '/topologies', topology({ name: 'watched' }))
  const [{ id }] = made.body as [{ id: string }]
  await send('PATCH', `/topologies?id=eq.${id}`, { labels: { a: 'b' } })
  await send('PATCH', `/topologies?id=eq.${id}`, { spec: 'refused' })
  await send('PATCH', `/topologies?id=eq.${id}`, { deleted_at: 'now()' })
  await send('POST', '/properties', { name: 'watched.too', value: 'not for the log' })
  await send('DELETE', '/properties?name=eq.watched.too')
  const lines = await db.query(
    `select action, actor_id, object_type, object_id, object_name from audit_log where object_name like 'watched%' order by at, id`,
  )
  const line = (action: string) => ({
    action: `definition_${action}`,
    actor_id: systemPerson,
    object_type: 'topology',
    object_id: id,
    object_name: 'watched',
  })
  const property = { object_type: 'property', object_id: 'watched.too', object_name: 'watched.too' }
  expect(lines).toEqual([
    line('added'),
    line('changed'),
    line('deleted'),
    { ...line('added'), ...property },
    { ...line('deleted'), ...property },
  ])
  expect(await db.query(`select from audit_log where audit_log::text like '%not for the log%'`)).toEqual([])
})

describe('who may', () => {
  test('[RBAC-11] [RBAC-16] [RBAC-17] the server refuses what the console hides', async () => {
    const { id } = await make.insert('topologies', topology({ name: 'guarded' }))
    for (const role of ['viewer', 'responder', 'commander'] as const) {
      for (const [method, path, body] of [
        ['POST', '/topologies', topology({ name: `by ${role}` })],
        ['PATCH', `/topologies?id=eq.${id}`, { spec: {} }],
        ['PATCH', `/topologies?id=eq.${id}`, { deleted_at: 'now()' }],
        ['POST', '/logging_backends', { name: 'x', spec: backends }],
        ['POST', '/incident_rules', { name: 'y', spec: {} }],
        ['POST', '/notifications', { events: ['check.failed'] }],
        ['POST', '/config_scrapers', { name: 'z', spec: {}, source: 'UI' }],
        ['POST', '/properties', { name: 'z', value: '1' }],
        ['DELETE', '/properties?name=eq.z', undefined],
        ['POST', '/canaries', { name: 'z', namespace: 'default', spec: {} }],
      ] as const) {
        expect((await send(method, path, body, role)).status, `${role} ${method} ${path}`).toBe(403)
      }
    }
  })
})
