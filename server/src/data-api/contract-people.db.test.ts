import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { id, local, seedContract } from './contract-data.ts'
import { type TestApi, testApi } from './testing.ts'

/** api-contract.md 6.1 to 6.3: every request exactly as a console of this API sends it. */

let api: TestApi
beforeAll(async () => {
  const db = await testDatabase()
  await seedContract(db)
  api = await testApi(db)
})
const count = { prefer: 'count=exact' }
const ada = { id: id.ada, name: 'Ada Example', avatar: 'ada.png' }

describe('agents', () => {
  test('D101 lists agents with their creator, the last of two orders counting', async () => {
    const url =
      '/agents_summary?select=*,created_by(id,name,avatar)&order=created_at.desc&&limit=50&offset=0&order=name.asc'
    const answer = await api.get(url, count)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-range']).toBe('0-1/2')
    expect(answer.rows.map((row) => row.name)).toEqual(['eu-cluster', 'local'])
    expect(answer.rows[0]).toMatchObject({ created_by: ada, properties: { region: 'eu' }, config_scrapper_count: null })
  })
  test('D101 refuses to sort by what is no column', async () => {
    const answer = await api.get(
      '/agents_summary?select=*,created_by(id,name,avatar)&order=created_at.desc&&limit=50&offset=0&order=status.desc',
    )
    expect(answer.status).toBe(400)
    expect(answer.object).toMatchObject({ code: '42703', message: 'column agents_summary.status does not exist' })
  })
  test('D102 reads one agent', async () => {
    const answer = await api.get(`/agents_summary?select=*&id=eq.${id.agent}`)
    expect(answer.rows).toMatchObject([{ id: id.agent, name: 'eu-cluster' }])
  })
  test('D103 lists ids and names, the local agent included', async () => {
    const answer = await api.get('/agents?select=id,name,description')
    expect(answer.rows).toContainEqual({ id: local, name: 'local', description: null })
  })
  test('D104 reads one by id, D105 several', async () => {
    expect((await api.get(`/agents?select=id,name,description&id=eq.${id.agent}`)).rows).toHaveLength(1)
    expect((await api.get(`/agents?select=id,name,description&id=in.(${id.agent},${local})`)).rows).toHaveLength(2)
  })
  test('D106 and D107 change and delete an agent', async () => {
    const [agent] = (await api.post('/agents', { name: 'temporary' })).rows
    const changed = await api.patch(`/agents?id=eq.${agent!.id}`, { properties: { region: 'us' } })
    expect(changed.status).toBe(200)
    expect(changed.rows).toMatchObject([{ properties: { region: 'us' }, created_by: id.ada }])
    const gone = await api.patch(`/agents?id=eq.${agent!.id}`, { deleted_at: 'now()', cleanup: true })
    expect(gone.rows[0]!.deleted_at).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect((await api.get(`/agents_summary?id=eq.${agent!.id}`)).rows).toEqual([])
  })
})

describe('people, roles, teams', () => {
  test('[API-10] D201 reads one person with id, name, avatar and email', async () => {
    const answer = await api.get(`/people?id=eq.${id.ada}`)
    expect(answer.rows).toMatchObject([{ ...ada, email: 'ada@example.test' }])
  })
  test('D202 lists people by name, the System person included', async () => {
    const answer = await api.get('/people?select=*&order=name.asc')
    expect(answer.rows.map((row) => row.name)).toEqual(['Ada Example', 'Bob Example', 'System'])
  })
  test('D203 reads roles; an empty list of ids gives no rows', async () => {
    const answer = await api.get(`/people_roles?id=in.(${id.ada},${id.bob})`)
    expect(answer.rows).toEqual([{ id: id.ada, name: 'Ada Example', email: 'ada@example.test', roles: ['admin'] }])
    const none = await api.get('/people_roles?id=in.()')
    expect([none.status, none.rows]).toEqual([200, []])
  })
  test('D204 lists identities and D205 deletes one', async () => {
    const answer = await api.get('/identities')
    expect(answer.rows).toMatchObject([{ id: id.bob, state: 'active', traits: { email: 'bob@example.test' } }])
    const gone = await api.delete(`/identities?id=eq.${id.bob}`)
    expect([gone.status, gone.rows.length]).toEqual([200, 1])
    expect((await api.delete(`/identities?id=eq.${id.bob}`)).rows).toEqual([])
  })
  test('D206 reads one team, D207 lists live ones', async () => {
    expect((await api.get(`/teams?id=eq.${id.team}`)).rows).toMatchObject([{ name: 'Payments' }])
    const teams = await api.get('/teams?deleted_at=is.null&order=name.asc')
    expect(teams.rows).toMatchObject([{ spec: { responder_clients: {} } }])
  })
  test('D208 lists members with the person in place of its id', async () => {
    const answer = await api.get(`/team_members?team_id=eq.${id.team}&select=*,person_id(*)`)
    expect(answer.rows).toMatchObject([{ team_id: id.team, person_id: { ...ada, email: 'ada@example.test' } }])
  })
  test('D209 adds members in bulk, refuses a duplicate, takes an empty list; D210 removes', async () => {
    const added = await api.post('/team_members', [{ team_id: id.team, person_id: id.bob }])
    expect([added.status, added.rows]).toEqual([201, [{ team_id: id.team, person_id: id.bob }]])
    const again = await api.post('/team_members', [{ team_id: id.team, person_id: id.bob }])
    expect(again.status).toBe(409)
    expect(again.object).toMatchObject({ code: '23505', details: expect.stringContaining('already exists') })
    const none = await api.post('/team_members', [])
    expect([none.status, none.rows]).toEqual([201, []])
    const removed = await api.delete(`/team_members?person_id=eq.${id.bob}`)
    expect([removed.status, removed.rows.length, removed.headers['content-range']]).toEqual([200, 1, '*/*'])
  })
})

describe('properties', () => {
  test('D301 reads a flag with its creator', async () => {
    const answer = await api.get('/properties?select=*,created_by(id,name,avatar)&name=eq.logs.disable&value=eq.true')
    expect(answer.rows).toMatchObject([{ name: 'logs.disable', value: 'true', created_by: ada }])
  })
  test('D302 creates, D303 updates by sending the whole row back, D304 deletes', async () => {
    const created = await api.post('/properties', { name: 'agents.disable', value: 'true', created_by: id.ada })
    expect([created.status, created.rows.length]).toEqual([201, 1])
    const [row] = (
      await api.get('/properties?select=*,created_by(id,name,avatar)&name=eq.agents.disable&value=eq.true')
    ).rows
    const updated = await api.patch('/properties?name=eq.agents.disable', {
      ...row,
      value: 'false',
      created_by: id.ada,
    })
    expect(updated.rows).toMatchObject([{ name: 'agents.disable', value: 'false', created_by: id.ada }])
    const renamed = await api.patch('/properties?name=eq.not.there', { ...row, created_by: id.ada })
    expect([renamed.status, renamed.rows]).toEqual([200, []])
    expect((await api.delete('/properties?name=eq.agents.disable')).rows).toHaveLength(1)
  })
})
