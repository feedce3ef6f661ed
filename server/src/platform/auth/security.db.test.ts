import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { peopleRoutes } from '../../modules/people/people.routes.ts'
import { commandLine } from '../../modules/people/act.ts'
import { setPassword } from '../../modules/people/people.service.ts'
import { readConfig } from '../../config.ts'
import { fakeClock, testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { type Browser, browser, testServer } from '../../testing/http.ts'
import { aPerson, goodPassword, signedInAs, startedFlow } from '../../testing/identity.ts'
import { sessionCookie } from './cookies.ts'
import { identityRoutes } from './identity.routes.ts'

const db = await testDatabase()
const clock = fakeClock('2026-01-15T10:00:00Z')
const ctx = testContext(db, { clock })
let app: FastifyInstance
let email: string
let id: string

beforeAll(async () => {
  app = await testServer(ctx, [...identityRoutes, ...peopleRoutes])
  void (await aPerson(ctx, ['admin']))
})
afterAll(() => app.close())
beforeEach(async () => {
  clock.add(24 * 3_600_000)
  ;({ email, id } = await aPerson(ctx, ['editor']))
})

const submit = (visitor: Browser, flow: string, payload: object, kind = 'login', headers = {}) =>
  visitor.send({ method: 'POST', url: `/api/.ory/self-service/${kind}?flow=${flow}`, payload, headers })
const whoami = async (visitor: Browser) => (await visitor.send({ url: '/api/.ory/sessions/whoami' })).statusCode
const credentials = (csrf: string, password = goodPassword) => ({
  method: 'password',
  csrf_token: csrf,
  identifier: email,
  password,
})
const hour = 3_600_000

describe('passwords', () => {
  test('an old hash is replaced with current parameters at the next sign-in', async () => {
    const old = await hash(goodPassword, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    await db.run(`update identity_credentials set config = $2 where identity_id = $1 and type = 'password'`, [
      id,
      JSON.stringify({ hashed_password: old }),
    ])
    await signedInAs(app, email)
    const { stored } = await db.one<{ stored: string }>(
      `select config ->> 'hashed_password' as stored from identity_credentials where identity_id = $1`,
      [id],
    )
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    await signedInAs(app, email)
  })

  test('somebody unknown and a wrong password get the same answer in about the same time', async () => {
    const attempt = async (identifier: string) => {
      const visitor = browser(app)
      const { flow, csrf } = await startedFlow(visitor, 'login')
      const start = performance.now()
      const answer = await submit(visitor, flow.id, { ...credentials(csrf, 'wrong password'), identifier })
      return { took: performance.now() - start, answer, flow }
    }
    await attempt(email)
    const rounds = [0, 1, 2]
    const known: number[] = []
    const unknown: number[] = []
    const words = new Set<string>()
    for (const round of rounds) {
      const [one, two] = [await attempt(email), await attempt(`nobody-${round}@example.test`)]
      known.push(one.took)
      unknown.push(two.took)
      for (const { answer } of [one, two])
        words.add(`${answer.statusCode} ${JSON.stringify(answer.json().ui.messages)}`)
    }
    expect(words.size).toBe(1)
    // A hash takes tens of milliseconds; leaving it out would show as a factor far beyond this.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 4)
  })
})

describe('sessions', () => {
  test('get a new token at every sign-in, and the one before ends', async () => {
    const visitor = await signedInAs(app, email)
    const before = visitor.cookies.get(sessionCookie)!
    const { flow, csrf } = await startedFlow(visitor, 'login', '?refresh=true')
    expect((await submit(visitor, flow.id, credentials(csrf))).statusCode).toBe(200)
    expect(visitor.cookies.get(sessionCookie)).not.toBe(before)
    const old = await app.inject({ url: '/api/auth/whoami', headers: { cookie: `${sessionCookie}=${before}` } })
    expect(old.statusCode).toBe(401)
  })

  test('a token that was known before signing in is not taken over', async () => {
    const fixed = browser(app)
    fixed.cookies.set(sessionCookie, 'known-to-somebody-else')
    const { flow, csrf } = await startedFlow(fixed, 'login')
    await submit(fixed, flow.id, credentials(csrf))
    expect(fixed.cookies.get(sessionCookie)).not.toBe('known-to-somebody-else')
  })

  test('end when idle for a day, and after two weeks however busy', async () => {
    const [idle, busy] = [await signedInAs(app, email), await signedInAs(app, email)]
    clock.add(25 * hour)
    expect(await whoami(idle)).toBe(401)
    const busier = await signedInAs(app, email)
    const days: number[] = []
    for (let day = 0; day < 30 && (await whoami(busier)) === 200; day++) {
      days.push(day)
      clock.add(12 * hour)
    }
    expect(days.length).toBe(28)
    expect(await whoami(busy)).toBe(401)
  })

  test('end with the password, the person, and their sign-out', async () => {
    const one = await signedInAs(app, email)
    await setPassword(ctx, commandLine, email, 'another good password')
    expect(await whoami(one)).toBe(401)
    const two = await signedInAs(app, email, 'another good password')
    await db.run('delete from identities where id = $1', [id])
    clock.add(6000)
    expect(await whoami(two)).toBe(401)
  })

  test('cookies are hidden from scripts and other sites, and Secure behind TLS', async () => {
    const secure = await testServer(
      testContext(db, { clock, config: readConfig({ QUARTERDECK_PUBLIC_URL: 'https://deck.example.test' }) }),
      identityRoutes,
    )
    for (const [server, isSecure] of [
      [app, false],
      [secure, true],
    ] as const) {
      const visitor = browser(server)
      const { flow, csrf, answer } = await startedFlow(visitor, 'login')
      const done = await submit(visitor, flow.id, credentials(csrf))
      const lines = [answer, done].flatMap((one) => [one.headers['set-cookie'] ?? []].flat())
      expect(lines.length).toBeGreaterThanOrEqual(2)
      for (const line of lines) {
        expect(line).toMatch(/; HttpOnly; SameSite=Lax/)
        expect(/; Secure/.test(line)).toBe(isSecure)
      }
    }
    await secure.close()
    const proxied = await app.inject({
      url: '/api/.ory/self-service/login/browser',
      headers: { accept: 'application/json', 'x-forwarded-proto': 'https' },
    })
    expect(String(proxied.headers['set-cookie'])).toContain('Secure')
  })
})

describe('guessing', () => {
  test('one address at one account is stopped after ten, the account stays open to its owner elsewhere', async () => {
    const codes: number[] = []
    const visitor = browser(app)
    for (let i = 0; i < 11; i++) {
      const { flow, csrf } = await startedFlow(visitor, 'login')
      codes.push((await submit(visitor, flow.id, credentials(csrf, `wrong ${i}`))).statusCode)
    }
    expect(codes).toEqual([...Array<number>(10).fill(400), 429])
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const right = await submit(visitor, flow.id, credentials(csrf))
    expect(right.statusCode).toBe(429)
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0)
    const owner = await startedFlow(visitor, 'login')
    const elsewhere = await submit(visitor, owner.flow.id, credentials(owner.csrf), 'login', {
      'x-forwarded-for': '198.51.100.7',
    })
    expect(elsewhere.statusCode).toBe(200)
    const log = await db.query(
      `select 1 from audit_log where object_id = $1 and action = 'sign_in_failed' and outcome = 'failure'`,
      [id],
    )
    expect(log).toHaveLength(10)
  })
})

describe('flows', () => {
  test.each([
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    'https://deck@evil.test/',
    'https://evil.test',
    '/\t/evil.test',
    '/%09/evil.test\t',
    'javascript:alert(1)',
    '/.//evil.test',
    'http:evil.test',
    '／／evil.test',
    'https:/evil.test',
    ' //evil.test',
  ])('return_to %j is refused or stays here', async (given) => {
    for (const kind of ['login', 'recovery']) {
      const { answer } = await startedFlow(browser(app), kind, `?return_to=${encodeURIComponent(given)}`)
      if (answer.statusCode === 400) expect(answer.json().error.id).toBe('self_service_flow_return_to_forbidden')
      else expect(new URL(answer.json().return_to, 'https://here.test').host).toBe('here.test')
    }
  })

  test('expired, foreign, replayed and tampered ones are refused by name', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const stranger = browser(app)
    await startedFlow(stranger, 'login')
    const error = (answer: { json(): unknown }) => (answer.json() as { error: { id?: string } }).error.id
    expect(error(await submit(stranger, flow.id, credentials(csrf)))).toBe('security_csrf_violation')
    expect(error(await submit(visitor, flow.id, credentials(`${csrf}x`)))).toBe('security_csrf_violation')
    expect(error(await submit(visitor, flow.id, { ...credentials(''), csrf_token: undefined }))).toBe(
      'security_csrf_violation',
    )
    expect((await submit(visitor, '00000000-0000-0000-0000-000000000000', credentials(csrf))).statusCode).toBe(404)
    expect((await submit(visitor, flow.id, credentials(csrf), 'recovery')).statusCode).toBe(404)
    const other = await startedFlow(visitor, 'login')
    expect(error(await submit(visitor, other.flow.id, credentials(csrf)))).toBe('security_csrf_violation')
    expect((await submit(visitor, flow.id, credentials(csrf))).statusCode).toBe(200)
    expect(error(await submit(visitor, flow.id, credentials(csrf)))).toBe('session_already_available')

    const late = browser(app)
    const stale = await startedFlow(late, 'login')
    clock.add(2 * hour)
    const answer = await submit(late, stale.flow.id, credentials(stale.csrf))
    expect(answer.statusCode).toBe(410)
    expect(answer.json()).toMatchObject({ error: { id: 'self_service_flow_expired' }, use_flow_id: expect.any(String) })
  })

  test('two tabs at once: both forms work, and one of two equal submissions signs in', async () => {
    const visitor = browser(app)
    const [one, two] = [await startedFlow(visitor, 'login'), await startedFlow(visitor, 'login')]
    const both = await Promise.all([
      submit(visitor, one.flow.id, credentials(one.csrf)),
      submit(visitor, one.flow.id, credentials(one.csrf)),
    ])
    expect(both.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1)
    expect([400, 403]).toContain((await submit(visitor, two.flow.id, credentials(two.csrf))).statusCode)
    expect(await whoami(visitor)).toBe(200)
  })

  test('oversized and strange input is a clear 4xx', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const long = 'x'.repeat(3000)
    expect((await submit(visitor, flow.id, credentials(csrf, long))).statusCode).toBe(400)
    expect((await submit(visitor, flow.id, { ...credentials(csrf), identifier: long })).statusCode).toBe(400)
    expect((await submit(visitor, flow.id, { ...credentials(csrf), filler: 'x'.repeat(80_000) })).statusCode).toBe(413)
    expect((await submit(visitor, flow.id, { csrf_token: csrf, method: 'telepathy' })).statusCode).toBe(400)
    for (const method of ['PUT', 'DELETE', 'PATCH'] as const) {
      const answer = await visitor.send({ method, url: `/api/.ory/self-service/login?flow=${flow.id}`, payload: {} })
      expect([404, 405]).toContain(answer.statusCode)
    }
  })

  test('a write with our cookie that another site makes a browser send is refused', async () => {
    const visitor = await signedInAs(app, email)
    const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    const answer = await visitor.send({ method: 'DELETE', url: '/api/.ory/sessions', headers: foreign })
    expect(answer.statusCode).toBe(403)
    const flow = await startedFlow(visitor, 'settings')
    const changed = await submit(
      visitor,
      flow.flow.id,
      { csrf_token: flow.csrf, method: 'password', password: 'evil password 1' },
      'settings',
      foreign,
    )
    expect(changed.statusCode).toBe(403)
  })
})
