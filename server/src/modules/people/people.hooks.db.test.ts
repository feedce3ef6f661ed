import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerDataApi } from '../../data-api/data-api.ts'
import { authenticate } from '../../platform/auth/authenticate.ts'
import { identityRoutes } from '../../platform/auth/identity.routes.ts'
import { readConfig } from '../../config.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { type Browser, testServer } from '../../testing/http.ts'
import { aPerson, goodPassword, signedInAs } from '../../testing/identity.ts'
import { commandLine } from './act.ts'
import { registerPeopleHooks } from './people.hooks.ts'
import { createToken } from './tokens.service.ts'

const db = await testDatabase()
const ctx = testContext(db)
let app: FastifyInstance
let boss: { id: string; email: string }
let admin: Browser

async function serverOf(context: typeof ctx) {
  const server = await testServer(context, identityRoutes)
  const api = await registerDataApi(server, context, {
    prefix: '/api/db',
    principalOf: (request) => authenticate(context, request),
    connections: 4,
  })
  registerPeopleHooks(api)
  await api.reload()
  return server
}

beforeAll(async () => {
  app = await serverOf(ctx)
  boss = await aPerson(ctx, ['admin'])
  admin = await signedInAs(app, boss.email)
})
afterAll(() => app.close())

const returned = { prefer: 'return=representation' }
const remove = (as: Browser, id: string) =>
  as.send({ method: 'DELETE', url: `/api/db/identities?id=eq.${id}`, headers: returned })
const patch = (url: string, payload: object) =>
  admin.send({ method: 'PATCH', url: `/api/db/${url}`, payload, headers: returned })

describe('deleting an identity through the data API', () => {
  test('ends sessions and tokens, keeps the person as deleted, frees the address, is written down', async () => {
    const { id, email } = await aPerson(ctx, ['editor'])
    const person = await signedInAs(app, email)
    const { token } = await createToken(ctx, commandLine, { person: id, name: 'x', expiresAt: null })
    const authorization = `Bearer ${token}`
    const url = '/api/db/people?limit=1'
    expect((await person.send({ url })).statusCode).toBe(200)
    expect((await app.inject({ url, headers: { authorization } })).statusCode).toBe(200)

    const answer = await remove(admin, id)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await person.send({ url })).statusCode).toBe(401)
    expect((await app.inject({ url, headers: { authorization } })).statusCode).toBe(401)
    expect(await db.one('select name, deleted_at from people where id = $1', [id])).toMatchObject({
      deleted_at: expect.any(Date),
    })
    expect(await db.query('select 1 from casbin_rule where v0 = $1', [id])).toEqual([])
    expect(
      await db.one(`select actor_id, object_id, object_name from audit_log where action = 'person_deleted'`),
    ).toEqual({
      actor_id: boss.id,
      object_id: id,
      object_name: email,
    })
    await aPerson(ctx, [], email)
    await signedInAs(app, email, goodPassword)
  })

  test('is for administrators only', async () => {
    const { id } = await aPerson(ctx)
    const editor = await signedInAs(app, (await aPerson(ctx, ['editor'])).email)
    expect((await remove(editor, id)).statusCode).toBe(403)
    expect((await admin.send({ url: `/api/db/identities?id=eq.${id}` })).json()).toHaveLength(1)
  })

  test('never takes the last administrator, alone or with all others, or two by each other', async () => {
    const alone = await remove(admin, boss.id)
    expect(alone.statusCode).toBe(409)
    expect(alone.json()).toMatchObject({
      code: 'last_administrator',
      message: 'The last administrator cannot be deleted',
    })
    const all = await admin.send({ method: 'DELETE', url: '/api/db/identities?state=eq.active', headers: returned })
    expect(all.statusCode).toBe(409)

    const second = await aPerson(ctx, ['admin'])
    const other = await signedInAs(app, second.email)
    const statuses = (await Promise.all([remove(admin, second.id), remove(other, boss.id)])).map(
      ({ statusCode }) => statusCode,
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(
      await db.query(
        `select 1 from people p join casbin_rule r on r.v0 = p.id::text where p.deleted_at is null and r.v1 = 'admin'`,
      ),
    ).toHaveLength(1)
    if (statuses[0] !== 200) {
      admin = other
      boss = second
    }
  })
})

describe('other ways around', () => {
  test('accounts are not changed through their table', async () => {
    const { id } = await aPerson(ctx)
    expect((await patch(`identities?id=eq.${id}`, { state: 'inactive' })).statusCode).toBe(400)
    expect((await patch(`identities?id=eq.${id}`, { traits: { email: 'x@example.test' } })).statusCode).toBe(400)
  })

  test('the last administrator is not deleted, retyped or upserted away as a person', async () => {
    expect((await patch(`people?id=eq.${boss.id}`, { deleted_at: 'now()' })).statusCode).toBe(409)
    expect((await patch(`people?id=eq.${boss.id}`, { type: 'agent' })).statusCode).toBe(409)
    expect((await admin.send({ method: 'DELETE', url: `/api/db/people?id=eq.${boss.id}` })).statusCode).toBe(409)
    const upsert = await admin.send({
      method: 'POST',
      url: '/api/db/people',
      payload: [{ id: boss.id, name: 'x', deleted_at: 'now()' }],
      headers: { prefer: 'resolution=merge-duplicates,return=representation' },
    })
    expect(upsert.statusCode).toBe(409)
    expect((await admin.send({ url: '/api/db/people?limit=1' })).statusCode).toBe(200)
  })

  test('an upsert that leaves the people it meets as they are is no removal', async () => {
    const upsert = await admin.send({
      method: 'POST',
      url: '/api/db/people',
      payload: [{ id: boss.id, name: 'x', type: 'agent' }],
      headers: { prefer: 'resolution=ignore-duplicates,return=representation' },
    })
    expect(upsert.json()).toEqual([])
    expect(await db.one('select type, deleted_at from people where id = $1', [boss.id])).toMatchObject({
      deleted_at: null,
    })
  })

  test('an upsert by the address of an administrator does not get around the rules', async () => {
    const payload = [{ name: 'x', email: boss.email, deleted_at: 'now()' }]
    const headers = { prefer: 'resolution=merge-duplicates,return=representation' }
    const upsert = await admin.send({
      method: 'POST',
      url: '/api/db/people?on_conflict=email',
      payload,
      headers,
    })
    expect(upsert.json().code).toBe('last_administrator')
    expect(await db.one('select deleted_at from people where id = $1', [boss.id])).toEqual({ deleted_at: null })
  })

  test('the address of an account is not changed at the person; names, titles and other people are', async () => {
    const { id } = await aPerson(ctx)
    expect((await patch(`people?id=eq.${id}`, { email: 'new@example.test' })).statusCode).toBe(400)
    expect((await patch(`people?id=eq.${id}`, { title: 'Captain' })).statusCode).toBe(200)
    const made = await admin.send({
      method: 'POST',
      url: '/api/db/people',
      payload: { name: 'Guest', email: 'guest@example.test' },
      headers: returned,
    })
    expect(made.statusCode).toBe(201)
    expect((await patch(`people?id=eq.${made.json()[0].id}`, { email: 'guest2@example.test' })).statusCode).toBe(200)
  })

  test('accounts that Kratos keeps are removed there', async () => {
    const remote = testContext(await testDatabase(), {
      config: readConfig({ QUARTERDECK_AUTH: 'kratos', KRATOS_URL: 'http://127.0.0.1:9' }),
    })
    const server = await serverOf(remote)
    const { id } = await aPerson(remote, ['admin'])
    const { token } = await createToken(remote, commandLine, { person: id, name: 'x', expiresAt: null })
    const headers = { authorization: `Bearer ${token}` }
    const answer = await server.inject({ method: 'DELETE', url: `/api/db/identities?id=eq.${id}`, headers })
    expect(answer.statusCode).toBe(409)
    expect(answer.json().message).toBe('Accounts are kept by kratos')
    await server.close()
  })
})
