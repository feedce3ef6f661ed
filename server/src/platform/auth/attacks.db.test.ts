import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { buildApp, routesOf } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { fakeClock, testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { type Browser, browser } from '../../testing/http.ts'
import { aPerson, goodPassword, signedInAs, startedFlow } from '../../testing/identity.ts'
import { startMailbox } from '../../testing/mailbox.ts'
import { type Db, openDb, type Sql } from '../db/db.ts'
import { sessionCookie } from './cookies.ts'

/** What somebody hostile would try, at the whole product: two servers on one database, a real mail server. */
const db = await testDatabase()
const otherDb = openDb({ url: db.url })
const mailbox = await startMailbox()
const clock = fakeClock('2026-01-15T10:00:00Z')
const settings = { SMTP_URL: mailbox.url, MAIL_FROM: 'ops@example.test' }
const ctx = testContext(db, { clock, config: readConfig(settings) })
let app: FastifyInstance
let twin: FastifyInstance
let email: string
let id: string

beforeAll(async () => {
  app = await buildApp(ctx)
  twin = await buildApp({ ...ctx, db: otherDb })
})
afterAll(async () => {
  await app.close()
  await twin.close()
  await otherDb.close()
  await mailbox.close()
})
beforeEach(async () => {
  clock.add(3_600_000)
  ;({ email, id } = await aPerson(ctx, ['admin']))
})

const submit = (visitor: Browser, kind: string, flow: string, payload: object) =>
  visitor.send({ method: 'POST', url: `/api/.ory/self-service/${kind}?flow=${flow}`, payload })
const whoami = async (visitor: Browser) => (await visitor.send({ url: '/api/auth/whoami' })).statusCode
/** The same browser at another of our servers. */
function at(server: FastifyInstance, visitor: Browser): Browser {
  const same = browser(server)
  for (const [name, value] of visitor.cookies) same.cookies.set(name, value)
  return same
}

describe('requests that another site makes a browser send', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site', origin: 'http://other.localhost' },
    { origin: 'http://localhost.evil.test' },
    { origin: 'http://localhost:81' },
  ]

  test('are refused at every route that writes, and at the data API', async () => {
    const { cookies } = await signedInAs(app, email)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const writes = routesOf('full')
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => ({
        method,
        url: `/api${path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000').replace(/\*$/, 'x')}`,
      }))
    const tables = (['POST', 'PATCH', 'PUT', 'DELETE'] as const).map((method) => ({
      method,
      url: '/api/db/people?id=eq.00000000-0000-4000-8000-000000000000',
    }))
    const all = [...writes, ...tables, { method: 'POST' as const, url: '/api/db/rpc/uuid_to_ulid' }]
    expect(all.length).toBeGreaterThan(40)
    const let_through: string[] = []
    for (const { method, url } of all) {
      for (const [type, payload] of [
        ['application/json', '{}'],
        ['application/x-www-form-urlencoded', 'a=1'],
      ]) {
        for (const headers of foreign) {
          const answer = await app.inject({
            method,
            url,
            payload,
            headers: { host: 'localhost', cookie, 'content-type': type, ...headers },
          })
          if (answer.statusCode !== 403 || !answer.body.includes('page of another site'))
            let_through.push(`${method} ${url} ${JSON.stringify(headers)}: ${answer.statusCode}`)
        }
      }
    }
    expect(let_through).toEqual([])
  })

  test('read nothing: no answer allows another origin, the stream of changes neither', async () => {
    const { cookies } = await signedInAs(app, email)
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const headers = { cookie: `${sessionCookie}=${cookies.get(sessionCookie)}`, origin: 'https://evil.test' }
    for (const path of ['/api/auth/whoami', '/api/db/people', '/api/events', '/api/.ory/sessions/whoami']) {
      const stop = new AbortController()
      const answer = await fetch(address + path, { headers, signal: stop.signal })
      expect([path, answer.status]).toEqual([path, 200])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      stop.abort()
    }
  })

  test('make nothing by a link either: no kubeconfig, no sign-out, no proof', async () => {
    const visitor = await signedInAs(app, email)
    const cross = { accept: 'text/html', 'sec-fetch-site': 'cross-site' }
    expect((await visitor.send({ url: '/api/kubeconfig', headers: cross })).statusCode).toBe(403)
    await visitor.send({ url: '/api/.ory/self-service/logout', headers: cross })
    await visitor.send({ url: '/api/.ory/self-service/logout?token=guessed', headers: cross })
    expect(await whoami(visitor)).toBe(200)
    expect(await db.run('select 1 from access_tokens where person_id = $1', [id])).toBe(0)
    expect(
      (await visitor.send({ url: '/api/kubeconfig', headers: { 'sec-fetch-site': 'same-origin' } })).statusCode,
    ).toBe(200)
  })

  test('a console of an allowed origin reads with a token, the stream of changes too', async () => {
    const origin = 'https://console.example.test'
    const config = readConfig({ ...settings, QUARTERDECK_ALLOWED_ORIGINS: origin })
    const server = await buildApp({ ...ctx, config })
    const { token } = (
      await (
        await signedInAs(server, email)
      ).send({ method: 'POST', url: '/api/v1/tokens', payload: { name: 'console' } })
    ).json()
    const address = await server.listen({ port: 0, host: '127.0.0.1' })
    for (const path of ['/api/db/people?limit=1', '/api/events']) {
      const stop = new AbortController()
      const headers = { origin, authorization: `Bearer ${token}`, prefer: 'count=exact' }
      const answer = await fetch(address + path, { headers, signal: stop.signal })
      expect(answer.status).toBeLessThan(300)
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(answer.headers.get('access-control-expose-headers')).toContain('content-range')
      stop.abort()
    }
    const saved = await fetch(`${address}/api/db/people?id=eq.${id}`, {
      method: 'PATCH',
      headers: { origin, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Captain' }),
    })
    expect(saved.status).toBe(204)
    await server.close()
  })

  test('with sessions switched off nothing is written for another site, cookies or not', async () => {
    const config = readConfig({ QUARTERDECK_AUTH: 'none' })
    const none = await buildApp({ ...ctx, config })
    const write = (headers: Record<string, string>) =>
      none.inject({
        method: 'PATCH',
        url: `/api/db/people?id=eq.${id}`,
        payload: { title: 'Owned' },
        headers: { host: 'localhost', ...headers },
      })
    for (const headers of foreign) expect((await write(headers)).statusCode).toBe(403)
    expect((await write({ 'sec-fetch-site': 'same-origin' })).statusCode).toBe(204)
    await none.close()
  })
})

describe('codes', () => {
  async function askedFor(kind: 'recovery' | 'verification') {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, kind)
    await submit(visitor, kind, flow.id, { csrf_token: csrf, method: 'code', email })
    const code = /\d{8}/.exec((await mailbox.to(email)).text)![0]
    const wrong = String((Number(code) + 1) % 100_000_000).padStart(8, '0')
    return { visitor, flow, csrf, code, wrong }
  }

  test.each(['recovery', 'verification'] as const)(
    'of a %s are tried five times, however many tries come at once and at whichever server',
    async (kind) => {
      const { visitor, flow, csrf, code, wrong } = await askedFor(kind)
      const both = [at(app, visitor), at(twin, visitor)] as const
      let looked = 0
      for (let burst = 0; burst < 4; burst++) {
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, i) =>
            submit(both[i % 2]!, kind, flow.id, { csrf_token: csrf, method: 'code', code: wrong }),
          ),
        )
        looked += answers.filter(({ body }) => body.includes('is not right')).length
      }
      expect(looked).toBe(5)
      const late = await submit(visitor, kind, flow.id, { csrf_token: csrf, method: 'code', code })
      expect(late.statusCode).toBe(400)
      expect(await whoami(visitor)).toBe(401)
    },
  )

  test('that were right work once, also at two servers at once', async () => {
    const { visitor, flow, csrf, code, wrong } = await askedFor('recovery')
    const both = [at(app, visitor), at(twin, visitor)] as const
    const answers = await Promise.all(
      [code, code, wrong, code, wrong].map((one, i) =>
        submit(both[i % 2]!, 'recovery', flow.id, { csrf_token: csrf, method: 'code', code: one }),
      ),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 422)).toHaveLength(1)
    const again = await submit(at(twin, visitor), 'recovery', flow.id, { csrf_token: csrf, method: 'code', code })
    expect(again.statusCode).toBe(410)
  })

  test('of an authenticator app and backup codes work once across servers', async () => {
    const visitor = await signedInAs(app, email)
    const open = await startedFlow(visitor, 'settings')
    const node = (flow: typeof open.flow, name: string) =>
      flow.ui.nodes.find(({ attributes }) => attributes.id === name)?.attributes.text as {
        text: string
        context: { secrets: { text: string }[] }
      }
    const secret = node(open.flow, 'totp_secret_key').text
    const totp = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() })
    const send = (payload: object) => submit(visitor, 'settings', open.flow.id, { csrf_token: open.csrf, ...payload })
    expect((await send({ method: 'totp', totp_code: totp() })).statusCode).toBe(200)
    const made = await send({ method: 'lookup_secret', lookup_secret_regenerate: 'true' })
    const backup = node(made.json(), 'lookup_secret_codes').context.secrets[0]!.text
    expect((await send({ method: 'lookup_secret', lookup_secret_confirm: 'true' })).statusCode).toBe(200)
    clock.add(60_000)
    for (const [field, value] of [
      ['totp_code', totp()],
      ['lookup_secret', backup],
    ] as const) {
      const steps = await Promise.all(
        [app, twin, app, twin].map(async (server) => {
          const half = await signedInAs(server, email)
          expect(await whoami(half)).toBe(401)
          const { flow, csrf } = await startedFlow(half, 'login', '?aal=aal2')
          return { half, flow, csrf }
        }),
      )
      const answers = await Promise.all(
        steps.map(({ half, flow, csrf }) => submit(half, 'login', flow.id, { csrf_token: csrf, [field]: value })),
      )
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    }
  })
})

describe('flows', () => {
  test('that have done their work stay done, whatever comes in at the same time', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const form = (password: string) => ({ csrf_token: csrf, method: 'password', identifier: email, password })
    const copies = Array.from({ length: 6 }, (_, i) => at(i % 2 ? twin : app, visitor))
    const answers = await Promise.all(
      copies.map((copy, i) => submit(copy, 'login', flow.id, form(i === 0 ? goodPassword : `wrong ${i}`))),
    )
    expect(answers[0]!.statusCode).toBe(200)
    const replay = await submit(at(app, visitor), 'login', flow.id, form(goodPassword))
    expect(replay.statusCode).toBe(410)
  })

  test('take no method that is not theirs', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    for (const payload of [
      { method: 'profile', 'traits.email': 'evil@example.test' },
      { method: 'totp', totp_code: '123456' },
      { method: 'lookup_secret', lookup_secret: 'aaaa-bbbb-cccc' },
      { method: 'webauthn', webauthn_login: '{"id":"x"}' },
      { method: 'code', code: '12345678' },
      { method: 'link', email },
      { totp_unlink: 'true' },
      { method: 'constructor' },
      { method: '__proto__' },
      { method: ['password'] },
      { method: { name: 'password' } },
    ]) {
      const answer = await submit(visitor, 'login', flow.id, { csrf_token: csrf, ...payload })
      expect([400, 401, 403]).toContain(answer.statusCode)
    }
    expect(await whoami(visitor)).toBe(401)
    const inside = await signedInAs(app, email)
    const mine = await startedFlow(inside, 'settings')
    const wrong = await submit(inside, 'settings', mine.flow.id, { csrf_token: mine.csrf, method: 'code', code: '1' })
    expect(wrong.statusCode).toBe(400)
  })

  test('of one browser are nobody else’s: not to read, not to send, not by id', async () => {
    const victim = await signedInAs(app, email)
    const attacker = await signedInAs(app, (await aPerson(ctx)).email)
    for (const kind of ['settings', 'recovery', 'verification', 'registration']) {
      const from = kind === 'settings' ? victim : browser(app)
      const { flow, csrf } = await startedFlow(from, kind)
      if (!flow.id) continue
      const read = await attacker.send({ url: `/api/.ory/self-service/${kind}/flows?id=${flow.id}` })
      expect([kind, read.statusCode]).toEqual([kind, 403])
      const sent = await submit(attacker, kind, flow.id, {
        csrf_token: csrf,
        method: 'password',
        password: 'x'.repeat(9),
      })
      expect([400, 403]).toContain(sent.statusCode)
    }
    await signedInAs(app, email)
  })

  test('take fields of any size and shape without falling over', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'recovery')
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) as object
    for (const payload of [
      { email: 'a'.repeat(60_000) },
      { email: `${'a'.repeat(300)}@example.test` },
      { email: ['a@example.test', 'b@example.test'] },
      { email: { $ne: null } },
      { email: 'a@example.test\r\nBcc: all@example.test' },
      { email: `a@example.test\0` },
      { email: "'; drop table people; --@example.test" },
      deep,
      [],
    ]) {
      const answer = await submit(
        visitor,
        'recovery',
        flow.id,
        Array.isArray(payload) ? payload : { csrf_token: csrf, method: 'code', ...payload },
      )
      expect(answer.statusCode).toBeGreaterThanOrEqual(200)
      expect(answer.statusCode).toBeLessThan(500)
    }
    for (const query of [`?flow=${'x'.repeat(5000)}`, '?flow=%00', '?flow[]=1', '?flow=&flow=', '']) {
      const answer = await visitor.send({ method: 'POST', url: `/api/.ory/self-service/login${query}`, payload: {} })
      expect([400, 403, 404]).toContain(answer.statusCode)
    }
  })
})

describe('who has an account', () => {
  /** Counts what is asked of the database: the same number of questions takes the same time, on any machine. */
  function counting(real: Db) {
    const asked = { count: 0 }
    const wrap = (sql: Sql): Sql => ({
      query: (...args) => (asked.count++, sql.query(...args)),
      one: (...args) => (asked.count++, sql.one(...args)),
      maybeOne: (...args) => (asked.count++, sql.maybeOne(...args)),
      run: (...args) => (asked.count++, sql.run(...args)),
    })
    const wrapped: Db = { ...real, ...wrap(real), tx: (work) => real.tx((sql, client) => work(wrap(sql), client)) }
    return { wrapped, asked }
  }

  test('cannot be told from the answer, nor from the work that is done for it', async () => {
    const own = openDb({ url: db.url })
    const { wrapped, asked } = counting(own)
    const config = readConfig({ ...settings, QUARTERDECK_REGISTRATION: 'on' })
    const server = await buildApp({ ...ctx, db: wrapped, config })
    const unknown = `nobody-${id}@example.test`
    const measured = async (kind: string, payload: (address: string) => object, address: string) => {
      const visitor = browser(server)
      const { flow, csrf } = await startedFlow(visitor, kind)
      asked.count = 0
      const answer = await submit(visitor, kind, flow.id, { csrf_token: csrf, ...payload(address) })
      const body = answer.body
        .replaceAll(address, 'ADDRESS')
        .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
        .replaceAll(csrf, 'CSRF')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      return { status: answer.statusCode, count: asked.count, body }
    }
    const ways: Record<string, (address: string) => object> = {
      login: (identifier) => ({ method: 'password', identifier, password: 'not the one' }),
      recovery: (address) => ({ method: 'code', email: address }),
      verification: (address) => ({ method: 'code', email: address }),
      registration: (address) => ({ method: 'password', traits: { email: address }, password: 'a lantern abaft' }),
    }
    for (const [kind, payload] of Object.entries(ways)) {
      const [known, stranger] = [await measured(kind, payload, email), await measured(kind, payload, unknown)]
      expect([kind, known]).toEqual([kind, stranger])
      expect(known.count).toBeGreaterThan(0)
    }
    await server.close()
    await own.close()
  })
})

describe('scripts', () => {
  test('that guess at passwords and tokens are written down, without what they sent', async () => {
    const ask = (authorization: string) =>
      app.inject({ url: '/api/auth/whoami', headers: { authorization, 'x-forwarded-for': '198.51.100.77' } })
    const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    expect((await ask(basic(email, 'guessed-secret'))).statusCode).toBe(401)
    expect((await ask(basic('my password typed here', 'x'))).statusCode).toBe(401)
    expect((await ask('Bearer guessed-secret.saltsaltsalt.1.8192.1')).statusCode).toBe(401)
    const log = await db.query<{ object_name: string | null; row: string }>(
      `select object_name, to_jsonb(a)::text as row from audit_log a where ip = '198.51.100.77' order by at, id`,
    )
    expect(log.map(({ object_name }) => object_name)).toEqual([email, 'not an address', null])
    for (const { row } of log) expect(row).not.toMatch(/guessed-secret|typed here/)
  })
})

describe('what is kept', () => {
  test('holds no secret that would open anything: sessions, flows, codes, links, tokens, factors', async () => {
    const visitor = await signedInAs(app, email)
    const secrets = [goodPassword, visitor.cookies.get(sessionCookie)!, visitor.cookies.get('csrf_token_quarterdeck')!]
    const made = await visitor.send({ method: 'POST', url: '/api/v1/tokens', payload: { name: 'script' } })
    secrets.push((made.json().token as string).split('.')[0]!)
    const stranger = browser(app)
    for (const method of ['code', 'link']) {
      const { flow, csrf } = await startedFlow(stranger, 'recovery')
      await submit(stranger, 'recovery', flow.id, { csrf_token: csrf, method, email })
    }
    secrets.push(/\d{8}/.exec((await mailbox.to(email, /code/)).text)![0])
    secrets.push(/token=([\w-]+)/.exec((await mailbox.to(email, /link/)).text)![1]!)
    const { flow, csrf } = await startedFlow(visitor, 'settings')
    const text = flow.ui.nodes.find(({ attributes }) => attributes.id === 'totp_secret_key')!.attributes.text
    const key = (text as { text: string }).text
    const totp = new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: clock.now().getTime() })
    await submit(visitor, 'settings', flow.id, { csrf_token: csrf, method: 'totp', totp_code: totp })
    secrets.push(key)
    const tables = await db.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
         and (relname like 'identit%' or relname like 'access_token%' or relname in ('audit_log', 'outgoing_mails'))`,
    )
    expect(tables.length).toBeGreaterThanOrEqual(9)
    for (const { name } of tables) {
      const rows = await db.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)
      const all = rows.map(({ row }) => row).join('\n')
      for (const secret of secrets) expect(all.includes(secret) ? `${name} holds ${secret}` : 'clean').toBe('clean')
    }
  })
})
