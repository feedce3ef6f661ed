import type { FastifyInstance } from 'fastify'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registerDataApi } from '../../data-api/data-api.ts'
import { authenticate } from '../../platform/auth/authenticate.ts'
import { identityRoutes } from '../../platform/auth/identity.routes.ts'
import { resolveConnection } from '../../platform/resolve/connections.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { type Browser, testServer } from '../../testing/http.ts'
import { aPerson, signedInAs } from '../../testing/identity.ts'
import { rows } from '../../testing/rows.ts'
import { registerConnectionHooks } from './connections.hooks.ts'
import { connectionRoutes } from './connections.routes.ts'

const db = await testDatabase()
const ctx = testContext(db)
const make = rows(db)
let app: FastifyInstance
let admin: Browser
let editor: Browser
let boss: { id: string }
let site: Server
let address: string

beforeAll(async () => {
  app = await testServer(ctx, [...identityRoutes, ...connectionRoutes])
  const api = await registerDataApi(app, ctx, {
    prefix: '/api/db',
    principalOf: (request) => authenticate(ctx, request),
    connections: 4,
  })
  registerConnectionHooks(api)
  await api.reload()
  const person = await aPerson(ctx, ['admin'])
  boss = person
  admin = await signedInAs(app, person.email)
  editor = await signedInAs(app, (await aPerson(ctx, ['editor'])).email)
  site = createServer((request, response) => {
    const isRight = request.headers.authorization === `Basic ${Buffer.from('ann:hunter2-long').toString('base64')}`
    response.writeHead(isRight ? 200 : 401).end(isRight ? 'hello' : `no entry with ${request.headers.authorization}`)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(async () => {
  site.closeAllConnections()
  site.close()
  await app.close()
})
beforeEach(() => db.run('delete from connections'))

const returned = { prefer: 'return=representation' }
const create = (payload: object, as = admin) =>
  as.send({ method: 'POST', url: '/api/db/connections', payload, headers: returned })
const change = (id: string, payload: object, as = admin) =>
  as.send({ method: 'PATCH', url: `/api/db/connections?id=eq.${id}`, payload, headers: returned })
const tried = (id: string, as = admin) => as.send({ method: 'POST', url: `/api/connection/test/${id}` })
const stored = (id: string) => db.one<Record<string, unknown>>('select * from connections where id = $1', [id])
const http = { name: 'site', type: 'http' }

async function created(payload: object): Promise<{ id: string } & Record<string, unknown>> {
  const answer = await create(payload)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json<({ id: string } & Record<string, unknown>)[]>()[0]!
}

describe('secrets', () => {
  const secret = 'hunter2-long'
  test('are encrypted at rest and never come back; sent back as shown they stay', async () => {
    const answer = await create({
      ...http,
      url: 'https://a.test',
      username: 'ann',
      password: secret,
      certificate: 'PEM-secret',
      properties: { bearer: 'bearer-secret', region: 'eu', retries: 3 },
    })
    expect(answer.statusCode).toBe(201)
    expect(answer.body).not.toMatch(/hunter2|PEM-secret|bearer-secret|qd1\./)
    const row = answer.json<{ id: string }[]>()[0]!
    expect(row).toMatchObject({
      url: 'https://a.test',
      username: 'ann',
      password: '***',
      certificate: '***',
      insecure_tls: false,
      properties: { bearer: '***', region: 'eu', retries: '3' },
    })
    const { password, certificate, properties } = await stored(row.id)
    for (const text of [password, certificate, (properties as { bearer: string }).bearer])
      expect(ctx.secrets.isEncrypted(String(text))).toBe(true)

    // As a client that sends the whole form back does.
    expect((await change(row.id, { ...row, username: 'bob' })).json()).toMatchObject([
      { username: 'bob', password: '***' },
    ])
    const opened = await resolveConnection(ctx, row.id)
    expect(opened).toMatchObject({
      username: 'bob',
      password: secret,
      certificate: 'PEM-secret',
      properties: { bearer: 'bearer-secret', region: 'eu' },
    })
    expect((await change(row.id, { password: '***' })).statusCode).toBe(200)
    await change(row.id, { password: 'other-secret', properties: { bearer: '***' } })
    expect(await resolveConnection(ctx, row.id)).toMatchObject({
      password: 'other-secret',
      properties: { bearer: 'bearer-secret' },
    })
    expect((await admin.send({ url: '/api/db/connections' })).body).not.toMatch(/qd1\.|other-secret/)
  })

  test('inside addresses and of types whose address is the secret are hidden too; references stay open', async () => {
    const inside = await created({ name: 'a', type: 'postgres', url: 'postgres://ann:pass-word@db/x' })
    expect(inside.url).toBe('***')
    const hook = await created({ name: 'b', type: 'slackwebhook', url: 'https://hooks.slack.com/services/T/B/X' })
    expect(hook.url).toBe('***')
    const template = 'postgres://$(username):$(password)@db/x'
    const open = await created({
      name: 'c',
      type: 'postgres',
      url: template,
      username: 'secret://db/user',
      password: 'env://QUARTERDECK_SECRET_DB',
      certificate: 'file:///run/secrets/ca',
    })
    expect(open).toMatchObject({
      url: template,
      username: 'secret://db/user',
      password: 'env://QUARTERDECK_SECRET_DB',
      certificate: 'file:///run/secrets/ca',
    })
  })

  test('restic as other consoles send it: what is no column is a property', async () => {
    const row = await created({
      name: 'backup',
      type: 'restic',
      url: 's3:https://s3.test/b',
      password: 'repo-secret',
      awsConnectionName: 'connection://aws',
      accessKey: 'AK',
      secretKey: 'very-secret-key',
    })
    expect(row.properties).toEqual({ awsConnectionName: 'connection://aws', accessKey: 'AK', secretKey: '***' })
    expect(await resolveConnection(ctx, row.id)).toMatchObject({ properties: { secretKey: 'very-secret-key' } })
  })

  test('a hidden value cannot be made from nothing', async () => {
    const answer = await create({ ...http, password: '***' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ message: string }>().message).toContain('enter the password')
  })
})

describe('bad input', () => {
  test.each([
    [{ type: 'http' }, 'The name of a connection'],
    [{ name: ' ', type: 'http' }, 'The name of a connection'],
    [{ name: 'a/b', type: 'http' }, 'cannot hold a slash'],
    [{ name: 'a', namespace: '', type: 'http' }, 'The namespace of a connection'],
    [{ name: 'a' }, 'Nothing is not a type'],
    [{ name: 'a', type: 'fax' }, '"fax" is not a type of connection'],
    [{ name: 'a', type: 'http', properties: ['x'] }, 'must be a map'],
    [{ name: 'a', type: 'http', properties: { x: {} } }, 'The property x'],
    [{ name: 'a', type: 'http', url: 7 }, 'The url of a connection must be text'],
  ])('%j', async (payload, words) => {
    const answer = await create(payload)
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ message: string }>().message).toContain(words)
  })

  test('names collide within a namespace, also when one is renamed', async () => {
    await created(http)
    const again = await create({ ...http, type: 'redis' })
    expect(again.statusCode).toBe(409)
    expect(again.json()).toMatchObject({
      message: 'There is already a connection named site in the namespace default',
    })
    const other = await created({ ...http, namespace: 'prod' })
    expect((await change(other.id, { namespace: 'default' })).statusCode).toBe(409)
    expect((await change(other.id, { name: 'site', username: 'x' })).statusCode).toBe(200)
  })

  test('only the version that was read is changed', async () => {
    const { id, updated_at: at } = await created(http)
    const guarded = (payload: object) =>
      admin.send({
        method: 'PATCH',
        url: `/api/db/connections?id=eq.${id}&updated_at=eq.${encodeURIComponent(String(at))}`,
        payload,
        headers: returned,
      })
    expect((await guarded({ username: 'first' })).json()).toHaveLength(1)
    expect((await guarded({ username: 'second' })).json()).toEqual([])
    expect(await stored(id)).toMatchObject({ username: 'first' })
  })
})

describe('what is in use', () => {
  test('cannot be deleted or renamed, and says by what', async () => {
    const { id } = await created({ ...http, namespace: 'prod' })
    const check = { http: [{ name: 'x', connection: 'connection://prod/site' }] }
    const canary = await make.aCanary({ name: 'shop', namespace: 'web', spec: check })
    await make.insert('notifications', {
      title: 'On call',
      events: ['check.failed'],
      custom_services: JSON.stringify([{ name: 'x', connection: id }]),
    })
    const answer = await change(id, { deleted_at: 'now()' })
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({
      message: 'The connection site cannot be deleted: it is used by health check web/shop and notification On call',
      details: 'health check web/shop\nnotification On call',
    })
    expect((await change(id, { name: 'new' })).json<{ message: string }>().message).toContain('cannot be renamed')
    const removal = await admin.send({ method: 'DELETE', url: `/api/db/connections?id=eq.${id}` })
    expect(removal.statusCode).toBe(409)
    const usage = await admin.send({ url: `/api/v1/connections/${id}/usage` })
    expect(usage.json()).toMatchObject({
      used_by: [
        { kind: 'health check', table: 'canaries', id: canary.id, name: 'shop', namespace: 'web' },
        { kind: 'notification', name: 'On call' },
      ],
      last_used_at: null,
    })
    await db.run('update canaries set deleted_at = now()')
    await db.run('delete from notifications')
    expect((await change(id, { deleted_at: 'now()' })).statusCode).toBe(200)
    expect((await admin.send({ url: `/api/v1/connections/${id}/usage` })).statusCode).toBe(404)
    await created({ ...http, namespace: 'prod' })
  })

  test('every way to name it counts; what only looks like it does not', async () => {
    const { id } = await created({ ...http, name: 'it' })
    const usedBy = async (spec: object, namespace = 'default') => {
      await make.aCanary({ namespace, spec })
      const answer = await admin.send({ url: `/api/v1/connections/${id}/usage` })
      await db.run('delete from canaries')
      return answer.json<{ used_by: unknown[] }>().used_by.length
    }
    const at = (connection: string) => ({ deep: [{ er: { connection } }] })
    expect(await usedBy(at('connection://default/it'))).toBe(1)
    expect(await usedBy(at('connection://it'))).toBe(1)
    expect(await usedBy(at('connection://http/it'))).toBe(1)
    expect(await usedBy(at('connection://http/default/it'))).toBe(1)
    expect(await usedBy(at(id.toUpperCase()))).toBe(1)
    expect(await usedBy(at(id))).toBe(1)
    expect(await usedBy(at('connection://it'), 'other')).toBe(0)
    expect(await usedBy(at('connection://prod/it'))).toBe(0)
    expect(await usedBy(at('connection://default/it2'))).toBe(0)
    expect(await usedBy({ text: 'see connection://default/it for more' })).toBe(0)
    const other = await created({ name: 'backup', type: 'restic', properties: { awsConnectionName: 'it' } })
    const usage = await admin.send({ url: `/api/v1/connections/${id}/usage` })
    expect(usage.json()).toMatchObject({ used_by: [{ kind: 'connection', id: other.id, name: 'backup' }] })
  })
})

describe('[RBAC-13] who may', () => {
  test('nobody but administrators reads, writes or tests connections', async () => {
    const { id } = await created(http)
    for (const answer of [
      await editor.send({ url: '/api/db/connections' }),
      await create({ ...http, name: 'mine' }, editor),
      await change(id, { username: 'x' }, editor),
      await change(id, { deleted_at: 'now()' }, editor),
      await tried(id, editor),
      await editor.send({ url: `/api/v1/connections/${id}/usage` }),
    ])
      expect(answer.statusCode).toBe(403)
    expect((await app.inject({ method: 'POST', url: `/api/connection/test/${id}` })).statusCode).toBe(401)
    const picked = await editor.send({ url: '/api/db/connections_list' })
    expect(picked.json()).toMatchObject([{ id, name: 'site', type: 'http' }])
  })
})

describe('testing', () => {
  test('[CONN-30] a good one answers 200 with ok; it is written down who used it', async () => {
    const { id } = await created({ ...http, url: address, username: 'ann', password: 'hunter2-long' })
    const answer = await tried(id)
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'ok' }])
    const used = (await admin.send({ url: `/api/v1/connections/${id}/usage` })).json<Record<string, unknown>>()
    await expect.poll(async () => (await stored(id)).last_used_by).toMatch(/Pat/)
    expect(used.used_by).toEqual([])
    expect(
      await db.query(`select actor_id, action, outcome from audit_log where object_id = $1 order by at`, [id]),
    ).toEqual([
      { actor_id: boss.id, action: 'connection_added', outcome: 'success' },
      { actor_id: boss.id, action: 'connection_tested', outcome: 'success' },
    ])
  })
  test('a wrong password is a 400 with the reason, in which it does not appear', async () => {
    const { id } = await created({ ...http, url: address, username: 'ann', password: 'wrong-password' })
    const answer = await tried(id)
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ error: string }>().error).toMatch(/answered 401: no entry with Basic \*\*\*/)
    expect(answer.body).not.toContain('wrong-password')
    expect(answer.body).not.toContain(Buffer.from('ann:wrong-password').toString('base64'))
  })
  test('nobody there, nothing to resolve, denied by the network policy', async () => {
    const { id } = await created({ ...http, url: 'http://127.0.0.1:1' })
    expect((await tried(id)).json()).toMatchObject({ error: '127.0.0.1:1 refused the connection' })
    await change(id, { url: 'http://169.254.169.254/latest' })
    expect((await tried(id)).json()).toMatchObject({ error: expect.stringContaining('network policy') })
    await change(id, { url: address, password: 'env://NOT_ALLOWED' })
    const answer = await tried(id)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ error: expect.stringContaining('env://NOT_ALLOWED') })
  })
  test('a type that cannot be tried is a 501; what is not there a 404', async () => {
    const { id } = await created({ name: 'x', type: 'ifttt', username: 'k' })
    const answer = await tried(id)
    expect(answer.statusCode).toBe(501)
    expect(answer.json<{ error: string }>().error).toContain('IFTTT')
    for (const unknown of ['00000000-0000-0000-0000-000000000000', 'nonsense']) {
      const missing = await tried(unknown)
      expect([missing.statusCode, missing.json<{ error: string }>().error]).toEqual([404, 'connection was not found'])
    }
  })
  test('special characters of a password survive the address', async () => {
    const password = `p@ss:w/o?r#d%41 "ü'`
    const { id } = await created({
      name: 'db',
      type: 'postgres',
      url: 'postgres://$(username):$(password)@db.test/x',
      username: 'ann',
      password,
    })
    const opened = await resolveConnection(ctx, id)
    expect(decodeURIComponent(new URL(opened.url).password)).toBe(password)
    expect(new URL(opened.url).host).toBe('db.test')
  })
})
