import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { commandLine } from '../../modules/people/act.ts'
import { setState } from '../../modules/people/people.service.ts'
import { fakeClock, testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { browser, testServer } from '../../testing/http.ts'
import { aPerson, signedInAs } from '../../testing/identity.ts'
import { sessionCookie } from './cookies.ts'
import { identityRoutes } from './identity.routes.ts'
import { endSession } from './identity.sql.ts'

const db = await testDatabase()
const clock = fakeClock('2026-01-15T10:00:00Z')
const ctx = testContext(db, { clock })
let app: FastifyInstance
let email: string
let id: string

beforeAll(async () => {
  app = await testServer(ctx, identityRoutes)
  void (await aPerson(ctx, ['admin']))
  ;({ email, id } = await aPerson(ctx))
})
afterAll(() => app.close())
beforeEach(() => clock.set('2026-01-15T10:00:00Z'))

const whoami = '/api/.ory/sessions/whoami'
const status = async (visitor: ReturnType<typeof browser>) => (await visitor.send({ url: whoami })).statusCode
const hour = 3_600_000

describe('a session', () => {
  test('is answered by whoami in the shape clients read', async () => {
    const visitor = await signedInAs(app, email)
    const answer = await visitor.send({ url: whoami })
    expect(answer.json()).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      active: true,
      expires_at: '2026-01-16T10:00:00.000Z',
      authenticated_at: '2026-01-15T10:00:00.000Z',
      identity: { id, schema_id: 'default', traits: { email, name: { first: 'Pat' } } },
      devices: [{ ip_address: '127.0.0.1' }],
    })
    expect(answer.body).not.toContain('hash')
    expect(answer.body).not.toContain(visitor.cookies.get(sessionCookie))
  })

  test('missing, unknown and garbage cookies answer 401, never worse', async () => {
    const garbage = [
      '',
      'x',
      'a'.repeat(10_000),
      '"quoted"',
      '%00',
      'ünï',
      '; ;=;;',
      '../../etc',
      "' or 1=1 --",
      '{"a":1}',
    ]
    for (const value of garbage) {
      const answer = await app.inject({ url: whoami, headers: { cookie: `a=b; ${sessionCookie}=${value}; c` } })
      expect(answer.statusCode).toBe(401)
      expect(answer.json().error).toMatchObject({ id: 'session_inactive', code: 401, status: 'Unauthorized' })
    }
    expect((await app.inject({ url: whoami })).statusCode).toBe(401)
  })

  test('ends a day after its last use, and slides while it is used', async () => {
    const idle = await signedInAs(app, email)
    const used = await signedInAs(app, email)
    for (let i = 0; i < 5; i++) {
      clock.add(10 * hour)
      expect(await status(used)).toBe(200)
    }
    expect(await status(idle)).toBe(401)
    clock.add(25 * hour)
    expect(await status(used)).toBe(401)
  })

  test('ends two weeks after the sign-in however much it is used', async () => {
    const visitor = await signedInAs(app, email)
    const statuses: number[] = []
    for (let i = 0; i < 30; i++) {
      clock.add(12 * hour)
      statuses.push(await status(visitor))
    }
    expect(statuses.indexOf(401)).toBe(27)
  })

  test('costs no query while it is remembered, and is dropped at once when it is revoked here', async () => {
    const visitor = await signedInAs(app, email)
    const session = (await visitor.send({ url: whoami })).json()
    await endSession(db, session.id, id)
    // Another process ended it: this one may believe in it for five seconds, no longer.
    expect(await status(visitor)).toBe(200)
    clock.add(5000)
    expect(await status(visitor)).toBe(401)
  })

  test('of a deactivated account ends at once', async () => {
    const victim = await aPerson(ctx)
    const visitor = await signedInAs(app, victim.email)
    expect(await status(visitor)).toBe(200)
    await setState(ctx, commandLine, victim.id, 'inactive')
    expect(await status(visitor)).toBe(401)
    await setState(ctx, commandLine, victim.id, 'active')
    expect(await status(visitor)).toBe(401)
  })

  test('of a deleted person ends within seconds', async () => {
    const victim = await aPerson(ctx)
    const visitor = await signedInAs(app, victim.email)
    await db.run('delete from identities where id = $1', [victim.id])
    clock.add(5000)
    expect(await status(visitor)).toBe(401)
  })
})

describe('signing out', () => {
  test('[AUTH-13] a logout flow answers a token, and 401 when nobody is signed in', async () => {
    const visitor = await signedInAs(app, email)
    const flow = (await visitor.send({ url: '/api/.ory/self-service/logout/browser' })).json()
    expect(flow.logout_token).toMatch(/^[\w-]{43}$/)
    expect(flow.logout_url).toContain(`/api/.ory/self-service/logout?token=${flow.logout_token}`)
    const nobody = await browser(app).send({ url: '/api/.ory/self-service/logout/browser' })
    expect(nobody.statusCode).toBe(401)
    expect(nobody.json().error.id).toBe('session_inactive')
  })

  test('[AUTH-14] the token ends the session and removes the cookie', async () => {
    const visitor = await signedInAs(app, email)
    const cookie = visitor.cookies.get(sessionCookie)
    const { logout_token } = (await visitor.send({ url: '/api/.ory/self-service/logout/browser' })).json()
    const answer = await visitor.send({
      url: `/api/.ory/self-service/logout?token=${logout_token}&return_to=%2Fhealth`,
    })
    expect(answer.statusCode).toBe(204)
    expect(visitor.cookies.has(sessionCookie)).toBe(false)
    const replay = await app.inject({ url: whoami, headers: { cookie: `${sessionCookie}=${cookie}` } })
    expect(replay.statusCode).toBe(401)
    const [last] = await db.query<{ action: string }>('select action from audit_log order by at desc, id desc limit 1')
    expect(last?.action).toBe('signed_out')
  })

  test('without the token, with a wrong one or with that of another session nothing ends', async () => {
    const visitor = await signedInAs(app, email)
    const other = await signedInAs(app, email)
    const foreign = (await other.send({ url: '/api/.ory/self-service/logout/browser' })).json().logout_token
    for (const token of ['', 'x', foreign]) {
      expect((await visitor.send({ url: `/api/.ory/self-service/logout?token=${token}` })).statusCode).toBe(403)
    }
    expect(
      (await visitor.send({ method: 'HEAD', url: `/api/.ory/self-service/logout?token=${foreign}` })).statusCode,
    ).toBe(200)
    expect(await status(visitor)).toBe(200)
  })

  test('a browser without script lands where it asked to, on this site', async () => {
    for (const [to, expected] of [
      ['/login?return_to=%2Fx', '/login?return_to=%2Fx'],
      ['https://evil.test', '/login'],
      ['', '/login'],
    ] as const) {
      const visitor = await signedInAs(app, email)
      const { logout_token } = (await visitor.send({ url: '/api/.ory/self-service/logout/browser' })).json()
      const url = `/api/.ory/self-service/logout?token=${logout_token}&return_to=${encodeURIComponent(to)}`
      const answer = await visitor.send({ url, headers: { accept: 'text/html' } })
      expect(answer.statusCode).toBe(303)
      expect(answer.headers.location).toBe(expected)
    }
  })
})

describe('other sessions of the account', () => {
  test('can be listed and ended, but not those of others', async () => {
    const [mine, second, third] = [
      await signedInAs(app, email),
      await signedInAs(app, email),
      await signedInAs(app, email),
    ]
    const stranger = await signedInAs(app, (await aPerson(ctx)).email)
    const strangers = (await stranger.send({ url: whoami })).json().id
    const listed = (await mine.send({ url: '/api/.ory/sessions' })).json<{ id: string }[]>()
    expect(listed.length).toBeGreaterThanOrEqual(2)
    const secondId = (await second.send({ url: whoami })).json().id
    expect(listed.map((one) => one.id)).toContain(secondId)
    expect((await mine.send({ method: 'DELETE', url: `/api/.ory/sessions/${secondId}` })).statusCode).toBe(204)
    expect(await status(second)).toBe(401)
    for (const other of [strangers, 'nonsense']) {
      expect((await mine.send({ method: 'DELETE', url: `/api/.ory/sessions/${other}` })).statusCode).toBe(404)
    }
    expect(await status(stranger)).toBe(200)
    expect((await mine.send({ method: 'DELETE', url: '/api/.ory/sessions' })).json().count).toBeGreaterThanOrEqual(1)
    expect(await status(third)).toBe(401)
    expect(await status(mine)).toBe(200)
  })
})

test('an unknown address of the identity service answers 404 in its words', async () => {
  const answer = await app.inject({ url: '/api/.ory/nothing/here' })
  expect(answer.statusCode).toBe(404)
  expect(answer.json().error).toMatchObject({ code: 404, status: 'Not Found' })
})
