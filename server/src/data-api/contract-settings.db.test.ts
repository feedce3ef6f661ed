import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { id, local, seedContract } from './contract-data.ts'
import { type TestApi, testApi } from './testing.ts'

/** api-contract.md 6.9 and 6.10: settings and connections, every request exactly as sent. */

let api: TestApi
beforeAll(async () => {
  const db = await testDatabase()
  await seedContract(db)
  api = await testApi(db)
})
const count = { prefer: 'count=exact' }
const ada = { id: id.ada, name: 'Ada Example', avatar: 'ada.png' }
const bob = { id: id.bob, name: 'Bob Example', avatar: null }

describe('jobs, notifications, integrations', () => {
  test('D901 pages through job history with tri-state filters and bounds', async () => {
    const from = new Date(Date.now() - 3_600_000).toISOString()
    const to = new Date(Date.now() + 3_600_000).toISOString()
    const bounds = `and=(created_at.gt.${from},created_at.lt.${to})`
    const defaults = await api.get(
      `/job_histories?&select=*&limit=5&offset=0&status.filter=!SUCCESS&order=created_at.desc&${bounds}`,
      count,
    )
    expect([defaults.status, defaults.headers['content-range']]).toEqual([206, '0-4/10'])
    expect(defaults.rows[0]).toMatchObject({
      status: 'FAILED',
      resource_name: 'shop',
      agent: { id: local, name: 'local' },
    })
    const some = await api.get(
      `/job_histories?&select=*&limit=150&offset=0&resource_type.filter=topology,!canary&resource_id=eq.${id.topology}&name.filter=Topology*&status.filter=FAILED,SUCCESS&order=duration_millis.asc&${bounds}&duration_millis=gte.1000`,
      count,
    )
    expect(some.headers['content-range']).toBe('0-10/11')
    expect(some.rows.map((row) => row.duration_millis)).toEqual([
      1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600, 2800, 3000,
    ])
  })
  test.each(['time_start', 'status', 'duration_millis', 'success_count', 'error_count', 'resource_name'])(
    'D901 sorts by %s',
    async (column) => {
      expect(
        (await api.get(`/job_histories?&select=*&limit=150&offset=0&order=${column}.desc`, count)).headers[
          'content-range'
        ],
      ).toBe('0-29/30')
    },
  )
  test.each(['created_at.desc', 'status.asc', 'resource_name.desc.nullslast', 'details->>errors.asc'])(
    'D901 a page further on, by %s, is the same part of the whole',
    async (order) => {
      const rows = `/job_histories?select=*,agent_id&status.filter=!WARNING&order=${order},id.asc`
      const whole = await api.get(`${rows}&limit=150`)
      const page = await api.get(`${rows}&limit=7&offset=11`, count)
      expect(page.rows).toEqual(whole.rows.slice(11, 18))
      expect(page.headers['content-range']).toBe(`11-17/${whole.rows.length}`)
      const beyond = await api.get(`${rows}&limit=7&offset=1000`)
      expect(beyond.rows).toEqual([])
    },
  )
  test('D902 lists names', async () => {
    expect((await api.get('/job_history_names?order=name.asc')).rows).toEqual([
      { name: 'Scrape' },
      { name: 'TopologyRun' },
    ])
  })
  test('D903 and D904 read notifications with person, team and creator', async () => {
    const embeds = 'select=*,person:person_id(id,name,avatar),team:team_id(id,name,icon),created_by(id,name,avatar)'
    const list = await api.get(`/notifications_summary?${embeds}&order=created_at.desc`, count)
    expect(list.headers['content-range']).toBe('0-0/1')
    expect(list.rows).toMatchObject([
      {
        title: 'On failure',
        events: ['check.failed'],
        person: bob,
        team: null,
        created_by: ada,
        pending: expect.any(Number),
      },
    ])
    const one = await api.get(`/notifications?id=eq.${id.notification}&${embeds}`)
    expect(one.rows).toMatchObject([{ template: 'hi', person: bob, team: null, created_by: ada }])
  })
  test('D905 creates, D906 updates with ids in place of people, D930 deletes', async () => {
    const created = await api.post('/notifications', {
      title: 'T',
      events: ['check.passed'],
      filter: '',
      template: 't',
      properties: {},
      team_id: id.team,
      source: 'UI',
      created_by: id.ada,
    })
    expect(created.status).toBe(201)
    const { created_at: _, updated_at: __, ...row } = created.rows[0]!
    const updated = await api.patch(`/notifications?id=eq.${row.id}`, {
      ...row,
      title: 'U',
      person_id: id.bob,
      team_id: null,
      custom_services: null,
    })
    expect(updated.rows).toMatchObject([{ title: 'U', person_id: id.bob, team_id: null }])
    expect((await api.patch(`/notifications?id=eq.${row.id}`, { deleted_at: 'now()' })).status).toBe(200)
    expect((await api.get(`/notifications_summary?id=eq.${row.id}`)).rows).toEqual([])
  })
  test('D907 pages through integrations', async () => {
    const answer = await api.get(
      '/integrations_with_status?order=created_at.desc&select=*&deleted_at=is.null&limit=50&offset=0',
      count,
    )
    expect(answer.headers['content-range']).toBe('0-2/3')
    expect(answer.rows.map((row) => row.integration_type).sort()).toEqual([
      'logging_backends',
      'scrapers',
      'topologies',
    ])
  })
  test('D908 sums up the event queue', async () => {
    const answer = await api.get('/event_queue_summary?order=last_failure.desc')
    expect(answer.rows).toContainEqual(
      expect.objectContaining({ name: 'notification.send', pending: 1, failed: 1, most_common_error: 'refused' }),
    )
  })
})

describe('generic resources', () => {
  const list = (view: string, more = '') =>
    `/${view}?select=${encodeURIComponent(`*,created_by(id,name,avatar)${more}`)}&deleted_at=is.null&order=created_at.desc&limit=100`
  test.each([
    ['D910', 'teams_with_status', 'Payments'],
    ['D911', 'incident_rules', 'any'],
    ['D912', 'config_scrapers_with_status', 'kubernetes'],
    ['D914', 'canaries_with_status', 'shop'],
    ['D915', 'connections', 'db'],
  ])('%s lists %s', async (_, view, name) => {
    const answer = await api.get(list(view))
    expect(answer.status).toBe(200)
    expect(answer.rows).toMatchObject([{ name, created_by: ada }])
  })
  test('D913 lists topologies, the embedded agent in place of the column', async () => {
    const answer = await api.get(list('topologies_with_status', ',agent:agent_id(id,name,description)'))
    expect(answer.rows).toMatchObject([
      { name: 'shop', agent_id: local, agent: { id: local, name: 'local', description: null } },
    ])
  })

  const bodies: Record<string, object> = {
    teams: { name: 'Ops', icon: 'i', spec: {} },
    incident_rules: { name: 'rule', spec: {} },
    config_scrapers: { name: 'aws', source: 'UI', spec: {} },
    topologies: { name: 'other', namespace: 'default', labels: { a: 'b' }, source: 'UI', spec: {} },
    canaries: { name: 'other', namespace: 'default', labels: { a: 'b' }, spec: { schedule: '@every 1m' } },
    logging_backends: { name: 'elastic', labels: { a: 'b' }, spec: {} },
    connections: {
      name: 'cache',
      type: 'redis',
      url: 'redis://x',
      username: 'u',
      password: 'p',
      insecure_tls: true,
      properties: { db: '1' },
    },
  }
  test.each(Object.entries(bodies))(
    'D916, D920, D925, D930 read, create, change and delete %s',
    async (table, body) => {
      const created = await api.post(`/${table}`, { ...body, created_by: id.ada })
      expect(created.status).toBe(201)
      const loaded = (await api.get(`/${table}?id=eq.${created.rows[0]!.id}`)).rows[0]!
      expect(loaded).toMatchObject(body)
      const changed = await api.patch(`/${table}?id=eq.${loaded.id}`, { ...loaded, name: 'renamed' })
      expect([changed.status, changed.rows.length]).toEqual([200, 1])
      expect(changed.rows[0]).toMatchObject({
        ...body,
        name: 'renamed',
        created_by: id.ada,
        created_at: loaded.created_at,
      })
      const gone = await api.patch(`/${table}?id=eq.${loaded.id}`, { deleted_at: 'now()' })
      expect(gone.rows[0]!.deleted_at).toMatch(/^\d{4}-/)
    },
  )
  test('D920 refuses fields that are no columns', async () => {
    const answer = await api.post('/connections', { name: 'r', type: 'restic', created_by: id.ada, accessKey: 'k' })
    expect(answer.status).toBe(400)
    expect(answer.object).toMatchObject({
      code: 'PGRST204',
      message: `Could not find the 'accessKey' column of 'connections' in the schema cache`,
    })
  })
})
