import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash as argonHash } from '@node-rs/argon2'
import bcrypt from 'bcryptjs'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import type { Context } from '../../context.ts'
import { commandLine } from '../../modules/people/act.ts'
import { ensureFirstAdministrator } from '../../modules/people/first-administrator.ts'
import { setPassword, setRoles, setState } from '../../modules/people/people.service.ts'
import { createToken, revokeToken } from '../../modules/people/tokens.service.ts'
import { fakeClock, testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { browser, testServer } from '../../testing/http.ts'
import { aPerson, goodPassword, signedInAs, startedFlow } from '../../testing/identity.ts'
import { agents, anyOf, route, signedIn } from '../http/route.ts'
import { identityRoutes } from './identity.routes.ts'
import { prepareAuth } from './prepare.ts'
import { makeToken } from './tokens.ts'

const db = await testDatabase()
const clock = fakeClock('2026-01-15T10:00:00Z')
const ctx = testContext(db, { clock })

/** Says who is asking. */
const probe = [
  route({ method: 'GET', path: '/probe', access: signedIn, summary: 'probe', handle: ({ user }) => user }),
  route({ method: 'GET', path: '/probe/admin', access: anyOf('admin'), summary: 'probe', handle: ({ user }) => user }),
  route({ method: 'GET', path: '/probe/agent', access: agents, summary: 'probe', handle: ({ user }) => user }),
]
const servers: FastifyInstance[] = []
async function serverOf(context: Context) {
  const app = await testServer(context, [...identityRoutes, ...probe])
  servers.push(app)
  return app
}
let app: FastifyInstance
let person: { id: string; email: string }
beforeAll(async () => {
  app = await serverOf(ctx)
  person = await aPerson(ctx, ['editor'])
})
afterAll(() => Promise.all(servers.map((server) => server.close())))

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
const ask = (headers: Record<string, string>, url = '/api/probe', server = app, remoteAddress?: string) =>
  server.inject({ url, headers, ...(remoteAddress ? { remoteAddress } : {}) })

describe('a request is made by', () => {
  test('the person of the session cookie, with roles that follow at once', async () => {
    const visitor = await signedInAs(app, person.email)
    expect((await visitor.send({ url: '/api/probe' })).json()).toMatchObject({
      kind: 'person',
      id: person.id,
      roles: ['editor'],
      sessionId: expect.any(String),
    })
    expect((await visitor.send({ url: '/api/probe/admin' })).statusCode).toBe(403)
    await setRoles(ctx, commandLine, person.id, ['admin', 'editor'])
    // Sessions opened with other rights end.
    expect((await visitor.send({ url: '/api/probe/admin' })).statusCode).toBe(401)
    const raised = await signedInAs(app, person.email)
    expect((await raised.send({ url: '/api/probe/admin' })).statusCode).toBe(200)
    await aPerson(ctx, ['admin'])
    await setRoles(ctx, commandLine, person.id, ['editor'])
    const lowered = await signedInAs(app, person.email)
    expect((await lowered.send({ url: '/api/probe/admin' })).statusCode).toBe(403)
    expect((await ask({})).statusCode).toBe(401)
  })

  test('somebody without a role, who is a viewer', async () => {
    const { email } = await aPerson(ctx)
    const visitor = await signedInAs(app, email)
    expect((await visitor.send({ url: '/api/probe' })).json().roles).toEqual(['viewer'])
  })

  test('the person of an access token, as basic password of "token" and as bearer', async () => {
    const { id, token } = await createToken(ctx, commandLine, { person: person.email, name: 'ci', expiresAt: null })
    for (const headers of [
      basic('token', token),
      { authorization: `Bearer ${token}` },
      { authorization: `bearer  ${token}` },
    ]) {
      const answer = await ask(headers)
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toMatchObject({ kind: 'person', id: person.id, roles: ['editor'] })
    }
    expect(JSON.stringify(await db.query('select * from access_tokens'))).not.toContain(token)
    await revokeToken(ctx, commandLine, id)
    expect((await ask(basic('token', token))).statusCode).toBe(401)
  })

  test('many requests with one token at once', async () => {
    const { token } = await createToken(ctx, commandLine, { person: person.email, name: 'burst', expiresAt: null })
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => ask(basic('token', token), '/api/probe', app, '10.2.2.2')),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  })

  test('nobody, when the token has expired, is unknown or malformed', async () => {
    const expiresAt = new Date(clock.now().getTime() + 60_000)
    const { token } = await createToken(ctx, commandLine, { person: person.email, name: 'short', expiresAt })
    expect((await ask(basic('token', token))).statusCode).toBe(200)
    clock.add(60_000)
    const expired = await ask(basic('token', token))
    expect(expired.statusCode).toBe(401)
    expect(expired.json().message).toBe('access token has expired')
    expect((await ask(basic('token', (await makeToken()).text))).statusCode).toBe(401)
    for (const text of ['', 'x', 'a.b.c.d.e', 'a.AAAAAAAAAAAAAAAA.1.9999999.4']) {
      const malformed = await ask(basic('token', text))
      expect(malformed.statusCode).toBe(400)
      expect(malformed.json().message).toBe('invalid access token')
    }
  })

  test('the person of a name and a password, until it changes', async () => {
    const { id, email } = await aPerson(ctx)
    expect((await ask(basic(email.toUpperCase(), goodPassword))).json()).toMatchObject({ id })
    const many = await Promise.all(Array.from({ length: 50 }, () => ask(basic(email, goodPassword))))
    expect(new Set(many.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect((await ask(basic(email, 'wrong'))).statusCode).toBe(401)
    await setPassword(ctx, commandLine, id, 'another good phrase')
    expect((await ask(basic(email, goodPassword))).statusCode).toBe(401)
    expect((await ask(basic(email, 'another good phrase'))).statusCode).toBe(200)
    await setState(ctx, commandLine, id, 'inactive')
    expect((await ask(basic(email, 'another good phrase'))).statusCode).toBe(401)
  })

  test('an agent, who has no roles and its own routes', async () => {
    const [{ id: personId }] = (await db.query(
      `insert into people (name, email, type) values ('agent-1', 'agent-1@local', 'agent') returning id`,
    )) as [{ id: string }]
    await db.run(`insert into casbin_rule (ptype, v0, v1, v2, v3, v4, v5) values ('g', $1, 'agent', '', '', '', '')`, [
      personId,
    ])
    const [{ id: agentId }] = (await db.query(`insert into agents (name, person_id) values ('edge', $1) returning id`, [
      personId,
    ])) as [{ id: string }]
    const { token } = await createToken(ctx, commandLine, { person: personId, name: 'agent', expiresAt: null })
    expect((await ask(basic('token', token), '/api/probe/agent')).json()).toEqual({
      kind: 'agent',
      id: personId,
      name: 'agent-1',
      email: 'agent-1@local',
      roles: [],
      agentId,
    })
    expect((await ask(basic('token', token), '/api/probe')).statusCode).toBe(403)
    await db.run('update agents set deleted_at = now() where id = $1', [agentId])
    clock.set(new Date(Date.now() + 60_000).toISOString())
    expect((await ask(basic('token', token), '/api/probe/agent')).statusCode).toBe(401)
    clock.set('2026-01-15T12:00:00Z')
  })

  test.each([
    ['another scheme', 'Digest x', 401],
    ['no credentials', 'Basic', 400],
    ['no base64', 'Basic !!!!', 400],
    ['no colon', `Basic ${Buffer.from('nocolon').toString('base64')}`, 400],
    ['neither name nor password', `Basic ${Buffer.from(':').toString('base64')}`, 401],
    ['a zero byte', `Basic ${Buffer.from('a\0b@x.test:pw').toString('base64')}`, 401],
    ['a name without end', `Basic ${Buffer.from(`${'x'.repeat(9000)}:pw`).toString('base64')}`, 401],
    ['SQL', `Basic ${Buffer.from("' or 1=1--:x").toString('base64')}`, 401],
  ])('nobody, with %s', async (_, authorization, status) => {
    expect((await ask({ authorization }, '/api/probe', app, '10.3.3.3')).statusCode).toBe(status)
  })

  test('nobody, after too many wrong passwords', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 11; i++)
      statuses.push((await ask(basic(person.email, `wrong ${i}`), '/api/probe', app, '10.4.4.4')).statusCode)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    const waiting = await ask(basic(person.email, 'wrong again'), '/api/probe', app, '10.4.4.4')
    expect(Number(waiting.headers['retry-after'])).toBeGreaterThan(0)
    expect(waiting.json().message).toContain('Too many attempts')
    expect((await ask(basic(person.email, goodPassword), '/api/probe', app, '10.4.4.5')).statusCode).toBe(200)
  })
})

describe('QUARTERDECK_AUTH=none', () => {
  test('[MODE-04] no sign-in is asked for: everybody is the first administrator', async () => {
    const context = testContext(await freshDatabase(), { config: readConfig({ QUARTERDECK_AUTH: 'none' }) })
    const server = await serverOf(context)
    expect((await server.inject('/api/probe')).statusCode).toBe(401)
    expect(await ensureFirstAdministrator(context)).toEqual({ email: 'admin@quarterdeck.local' })
    const answer = await server.inject('/api/probe/admin')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ email: 'admin@quarterdeck.local', roles: ['admin'] })
    const session = await server.inject({ url: '/api/.ory/sessions/whoami' })
    expect(session.json()).toMatchObject({ active: true, identity: { traits: { email: 'admin@quarterdeck.local' } } })
    const login = await startedFlow(browser(server), 'login')
    expect(login.answer.json().error.id).toBe('session_already_available')
    expect((await server.inject({ url: '/api/.ory/self-service/logout/browser' })).statusCode).toBe(401)
  })
})

describe('QUARTERDECK_AUTH=plain', () => {
  test('[MODE-03] names and passwords of an htpasswd file sign in people by name or address', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-plain-'))
    const file = join(folder, 'htpasswd')
    const time = fakeClock('2026-01-15T10:00:00Z')
    const context = testContext(await freshDatabase(), {
      clock: time,
      config: readConfig({ QUARTERDECK_AUTH: 'plain', QUARTERDECK_PASSWORD_FILE: file }),
    })
    await expect(prepareAuth(context)).rejects.toThrow('cannot be read: ENOENT')
    writeFileSync(file, 'ada:{SHA}nonsense\n')
    await expect(prepareAuth(context)).rejects.toThrow('Line 1 of the password file has no bcrypt or argon2id hash')
    const lines = [
      '# people',
      `Admin:${await bcrypt.hash('first secret', 4)}`,
      `grace@example.test:${await argonHash('second secret')}`,
      `stranger:${await bcrypt.hash('third secret', 4)}`,
    ]
    writeFileSync(file, lines.join('\n'))
    await prepareAuth(context)
    await ensureFirstAdministrator(context)
    await context.db.run(`insert into people (name, email) values ('Grace', 'grace@example.test')`)
    const server = await serverOf(context)

    const visitor = browser(server)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const send = (identifier: string, password: string) =>
      visitor.send({
        method: 'POST',
        url: `/api/.ory/self-service/login?flow=${flow.id}`,
        payload: { csrf_token: csrf, method: 'password', identifier, password },
      })
    expect((await send('admin', 'wrong')).statusCode).toBe(400)
    expect((await send('stranger', 'third secret')).statusCode).toBe(400)
    expect((await send('nobody', 'first secret')).statusCode).toBe(400)
    expect((await send('ADMIN', 'first secret')).statusCode).toBe(200)
    expect((await visitor.send({ url: '/api/probe/admin' })).statusCode).toBe(200)
    const settings = await startedFlow(visitor, 'settings')
    expect(settings.flow.ui.nodes.map(({ attributes }) => attributes.name)).toEqual(['csrf_token'])
    expect(settings.flow.ui.messages?.[0]?.text).toContain('kept in a file')

    const grace = await ask(basic('grace@example.test', 'second secret'), '/api/probe', server)
    expect(grace.json()).toMatchObject({ name: 'Grace', roles: ['viewer'] })
    writeFileSync(file, lines.slice(0, 2).join('\n'))
    time.add(5000)
    expect((await ask(basic('grace@example.test', 'second secret'), '/api/probe', server)).statusCode).toBe(401)
    expect((await visitor.send({ url: '/api/probe/admin' })).statusCode).toBe(200)
    writeFileSync(file, lines.slice(2).join('\n'))
    time.add(5000)
    expect((await visitor.send({ url: '/api/probe/admin' })).statusCode).toBe(401)
    await rm(folder, { recursive: true })
  })

  test('without a file the start says what is missing', async () => {
    const context = testContext(db, { config: readConfig({ QUARTERDECK_AUTH: 'plain' }) })
    await expect(prepareAuth(context)).rejects.toThrow('QUARTERDECK_PASSWORD_FILE')
    await expect(prepareAuth(testContext(db, { config: readConfig({ QUARTERDECK_AUTH: 'kratos' }) }))).rejects.toThrow(
      'KRATOS_URL',
    )
    await expect(prepareAuth(testContext(db, { config: readConfig({ QUARTERDECK_AUTH: 'clerk' }) }))).rejects.toThrow(
      'CLERK_PUBLISHABLE_KEY',
    )
  })
})

/** Another clone; the modes must not see each other's people. */
function freshDatabase() {
  return testDatabase()
}
