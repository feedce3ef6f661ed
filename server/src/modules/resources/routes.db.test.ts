import { schemaFileNames } from '@quarterdeck/contract/documents'
import { Ajv } from 'ajv'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DataApi, registerDataApi } from '../../data-api/data-api.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { callAs, routeApp } from '../../testing/route-app.ts'
import { protectRowsOfFiles } from './read-only.ts'
import { resourceRoutes } from './resources.routes.ts'

const db = await testDatabase()
const ctx = testContext(db)
const app = await routeApp(ctx, resourceRoutes())

describe('schemas for editors', () => {
  test('every one is a JSON Schema that a validator takes', async () => {
    const ajv = new Ajv({ strict: false, validateFormats: false })
    for (const file of schemaFileNames()) {
      const answer = await callAs(app, 'viewer', 'GET', `/schemas/${file}`)
      expect(answer.status, file).toBe(200)
      expect(() => ajv.compile(answer.body as object), file).not.toThrow()
    }
  })

  test('they know what is right', async () => {
    const { body } = await callAs(app, 'viewer', 'GET', '/schemas/canary.spec.schema.json')
    const validate = new Ajv({ strict: false }).compile(body as object)
    expect(validate({ schedule: '@every 1m', http: [{ name: 'a', url: 'http://x' }] })).toBe(true)
    expect(validate({ htttp: [] })).toBe(false)
    // The checks themselves come from the schemas of their kinds.
    expect(validate({ exec: [{ name: 'a' }] })).toBe(false)
    expect(validate({ http: [{ name: 'a', thresholdMillis: -1 }] })).toBe(false)
    expect(validate({ webhook: { name: 'a' } })).toBe(true)
  })

  test('there is no other file', async () => {
    expect((await callAs(app, 'viewer', 'GET', '/schemas/passwd.schema.json')).status).toBe(404)
    expect((await callAs(app, 'viewer', 'GET', '/schemas/..%2f..%2fetc%2fpasswd')).status).toBe(404)
    expect((await callAs(app, undefined, 'GET', '/schemas/canary.spec.schema.json')).status).toBe(401)
  })
})

describe('rows of files in the data API', () => {
  const api = Fastify()
  let data: DataApi
  const file = '0190f3aa-0000-7000-8000-00000000000a'
  const person = '0190f3aa-0000-7000-8000-00000000000b'
  beforeAll(async () => {
    data = await registerDataApi(api, ctx, {
      prefix: '/db',
      principalOf: () => ({
        kind: 'person',
        id: '00000000-0000-4000-8000-000000000001',
        name: 'System',
        email: null,
        roles: ['admin'],
      }),
    })
    protectRowsOfFiles(data)
    await db.run(
      `insert into topologies (id, name, namespace, source) values ($1, 'filed', 'default', 'ConfigFile'), ($2, 'free', 'default', 'UI')`,
      [file, person],
    )
    await db.run(
      `insert into resource_files (kind, namespace, name, source, hash, resource_id) values
      ('Topology', 'default', 'filed', 'folder:/etc/qd/a.yaml', '', $1), ('Topology', 'default', 'free', 'first-start:a.yaml', '', $2)`,
      [file, person],
    )
  })
  afterAll(() => api.close())
  const send = (method: 'PATCH' | 'DELETE' | 'POST', url: string, payload?: object, headers = {}) =>
    api.inject({
      method,
      url: `/db${url}`,
      headers: { 'content-type': 'application/json', prefer: 'return=representation', ...headers },
      ...(payload && { payload: JSON.stringify(payload) }),
    })

  test('cannot be changed or deleted, and the answer says where to', async () => {
    for (const [method, body] of [
      ['PATCH', { labels: { a: 'b' } }],
      ['PATCH', { deleted_at: 'now()' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await send(method, `/topologies?id=eq.${file}`, body)
      expect(answer.statusCode).toBe(409)
      expect(answer.json()).toMatchObject({
        code: 'conflict',
        message: 'This comes from a file and can only be changed there',
        details: 'The file is /etc/qd/a.yaml.',
      })
    }
  })

  test('one of them among many refuses the whole write', async () => {
    expect((await send('PATCH', '/topologies?namespace=eq.default', { labels: {} })).statusCode).toBe(409)
    expect(await db.query('select from topologies where labels is not null')).toEqual([])
  })

  test('an upsert does not reach them either', async () => {
    const upsert = { prefer: 'resolution=merge-duplicates,return=representation' }
    expect(
      (await send('POST', '/topologies', { id: file, name: 'filed', namespace: 'default', source: 'UI' }, upsert))
        .statusCode,
    ).toBe(409)
  })

  test('rows of people, and those of the first start, are free', async () => {
    expect((await send('PATCH', `/topologies?id=eq.${person}`, { labels: { a: 'b' } })).statusCode).toBe(200)
    expect(
      (await send('POST', '/topologies', { name: 'new', namespace: 'default', source: 'UI', spec: {} })).statusCode,
    ).toBe(201)
  })
})
