import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { fakeClock, testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { browser, testServer } from '../../../testing/http.ts'
import { aPerson, goodPassword, signedInAs, startedFlow, valueOf } from '../../../testing/identity.ts'
import { sessionCookie } from '../cookies.ts'
import { identityRoutes } from '../identity.routes.ts'

const db = await testDatabase()
const clock = fakeClock('2026-01-15T10:00:00Z')
const ctx = testContext(db, { clock })
let app: FastifyInstance
let ada: { id: string; email: string }

beforeAll(async () => {
  app = await testServer(ctx, identityRoutes)
  ada = await aPerson(ctx, ['admin'], 'ada@example.test')
})
afterAll(() => app.close())

const path = '/api/.ory/self-service/login'
const submit = (visitor: ReturnType<typeof browser>, flow: string, payload: object, headers = {}) =>
  visitor.send({ method: 'POST', url: `${path}?flow=${flow}`, payload, headers })

describe('starting a login flow', () => {
  test('[AUTH-03] a browser flow is made with refresh, aal and return_to, and bound by a cookie', async () => {
    const visitor = browser(app)
    const { answer, flow, csrf } = await startedFlow(
      visitor,
      'login',
      '?refresh=false&aal=&return_to=%2Fhealth%3Fx%3D1',
    )
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toContain('no-store')
    expect(flow).toMatchObject({
      type: 'browser',
      state: 'choose_method',
      refresh: false,
      requested_aal: 'aal1',
      return_to: '/health?x=1',
    })
    expect(flow.ui).toMatchObject({
      method: 'POST',
      action: `http://localhost:80/api/.ory/self-service/login?flow=${flow.id}`,
    })
    expect(
      flow.ui.nodes.map(({ group, attributes }) => [group, attributes.name, attributes.type, attributes.node_type]),
    ).toEqual([
      ['default', 'csrf_token', 'hidden', 'input'],
      ['default', 'identifier', 'text', 'input'],
      ['password', 'password', 'password', 'input'],
      ['password', 'method', 'submit', 'input'],
    ])
    expect(csrf).toHaveLength(43)
    const cookie = String(answer.headers['set-cookie'])
    expect(cookie).toMatch(/^csrf_token_quarterdeck=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
  })

  test('[AUTH-02] it is answered again by its id, to the same browser only', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const again = await visitor.send({ url: `${path}/flows?id=${flow.id}` })
    expect(again.statusCode).toBe(200)
    expect(again.json()).toEqual(flow)
    expect(valueOf(again.json(), 'csrf_token')).toBe(csrf)
    const other = await browser(app).send({ url: `${path}/flows?id=${flow.id}` })
    expect(other.statusCode).toBe(403)
    expect(other.json().error.id).toBe('security_csrf_violation')
  })

  test.each(['', 'x', '00000000-0000-0000-0000-000000000000', "' or 1=1", '%00', 'a'.repeat(5000)])(
    'no flow has the id %j',
    async (id) => {
      const answer = await browser(app).send({ url: `${path}/flows?id=${encodeURIComponent(id)}` })
      expect(answer.statusCode).toBe(404)
      expect(answer.json().error).toMatchObject({ code: 404, status: 'Not Found' })
    },
  )

  test('a flow of another type is not found', async () => {
    const visitor = browser(app)
    const { flow } = await startedFlow(visitor, 'recovery')
    expect((await visitor.send({ url: `${path}/flows?id=${flow.id}` })).statusCode).toBe(404)
  })

  test.each(['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)'])(
    'return_to %s is refused',
    async (to) => {
      const { answer } = await startedFlow(browser(app), 'login', `?return_to=${encodeURIComponent(to)}`)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().error.id).toBe('self_service_flow_return_to_forbidden')
    },
  )

  test('an unknown aal is refused, aal2 needs a first sign-in', async () => {
    expect((await startedFlow(browser(app), 'login', '?aal=aal9')).answer.statusCode).toBe(400)
    const second = await startedFlow(browser(app), 'login', '?aal=aal2')
    expect(second.answer.statusCode).toBe(401)
    expect(second.answer.json().error.id).toBe('session_aal1_required')
  })

  test('a browser without script is sent to the page of the form', async () => {
    const answer = await browser(app).send({ url: `${path}/browser`, headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toMatch(/^\/login\?flow=[0-9a-f-]{36}$/)
  })
})

describe('signing in with a password', () => {
  test('[AUTH-04] csrf_token, method, identifier and password start a session', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const answer = await submit(visitor, flow.id, {
      csrf_token: csrf,
      method: 'password',
      identifier: ' ADA@Example.test ',
      password: goodPassword,
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().session).toMatchObject({
      active: true,
      authenticator_assurance_level: 'aal1',
      authentication_methods: [{ method: 'password', aal: 'aal1' }],
      identity: { id: ada.id, state: 'active', traits: { email: 'ada@example.test' } },
    })
    const cookie = answer.headers['set-cookie'] as string[]
    expect(cookie.find((one) => one.startsWith(sessionCookie))).toMatch(
      /^ory_kratos_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/,
    )
    const token = visitor.cookies.get(sessionCookie) as string
    expect(JSON.stringify(await db.query('select * from identity_sessions'))).not.toContain(token)
    expect(await db.one('select last_login from people where id = $1', [ada.id])).toEqual({ last_login: clock.now() })
    expect(await db.one(`select actor_id, action, outcome from audit_log order by at desc, id desc limit 1`)).toEqual({
      actor_id: ada.id,
      action: 'signed_in',
      outcome: 'success',
    })
  })

  test('behind https the cookie is Secure', async () => {
    const visitor = browser(app)
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'ops.example.test' }
    const start = await visitor.send({ url: `${path}/browser`, headers })
    expect(start.json().ui.action).toMatch(/^https:\/\/ops\.example\.test\/api\/\.ory\//)
    expect(String(start.headers['set-cookie'])).toContain('; Secure')
    const payload = {
      csrf_token: valueOf(start.json(), 'csrf_token'),
      method: 'password',
      identifier: ada.email,
      password: goodPassword,
    }
    const answer = await submit(visitor, start.json().id, payload, headers)
    for (const cookie of answer.headers['set-cookie'] as string[]) expect(cookie).toContain('; Secure')
  })

  test('a wrong password and an unknown account get the same answer', async () => {
    const answers = []
    for (const identifier of [ada.email, 'nobody@example.test', 'nöbödy@exämple.test', "x' or '1'='1", '%00']) {
      const visitor = browser(app)
      const { flow, csrf } = await startedFlow(visitor, 'login')
      const answer = await submit(visitor, flow.id, {
        csrf_token: csrf,
        method: 'password',
        identifier,
        password: 'wrong password',
      })
      expect(answer.statusCode).toBe(400)
      expect(visitor.cookies.has(sessionCookie)).toBe(false)
      answers.push(answer.json().ui.messages)
      expect(valueOf(answer.json(), 'password')).toBeUndefined()
    }
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(answers[0]).toMatchObject([{ id: 4000006, type: 'error' }])
  })

  test('a failed sign-in is written down, without what was typed as password', async () => {
    const rows = await db.query<{ object_name: string }>(`select * from audit_log where action = 'sign_in_failed'`)
    expect(rows.map(({ object_name }) => object_name)).toEqual(
      expect.arrayContaining(['ada@example.test', 'not an address']),
    )
    expect(JSON.stringify(rows)).not.toContain('wrong password')
    expect(JSON.stringify(await db.query('select * from identity_flows'))).not.toContain('wrong password')
  })

  test('missing fields and too long passwords say so at their field', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const messagesOf = (body: typeof flow, name: string) =>
      body.ui.nodes.find(({ attributes }) => attributes.name === name)?.messages.map(({ id }) => id)
    const empty = await submit(visitor, flow.id, { csrf_token: csrf, method: 'password' })
    expect(empty.statusCode).toBe(400)
    expect(messagesOf(empty.json(), 'identifier')).toEqual([4000002])
    expect(messagesOf(empty.json(), 'password')).toEqual([4000002])
    const long = await submit(visitor, flow.id, {
      csrf_token: csrf,
      method: 'password',
      identifier: ada.email,
      password: 'x'.repeat(10_000),
    })
    expect(long.statusCode).toBe(400)
    expect(messagesOf(long.json(), 'password')).toEqual([4000033])
    expect(valueOf(long.json(), 'identifier')).toBe(ada.email)
    expect(long.body).toContain('at most 1024 characters')
    const shown = await visitor.send({ url: `${path}/flows?id=${flow.id}` })
    expect(messagesOf(shown.json(), 'password')).toEqual([4000033])
  })

  test.each(['\0', 'a\0b@example.test', '\ud800@example.test', '\u202e@example.test', '😀'.repeat(60)])(
    'the identifier %j is only refused',
    async (identifier) => {
      const visitor = browser(app)
      const { flow, csrf } = await startedFlow(visitor, 'login')
      const answer = await submit(visitor, flow.id, {
        csrf_token: csrf,
        method: 'password',
        identifier,
        password: goodPassword,
      })
      expect(answer.statusCode).toBe(400)
      expect((await visitor.send({ url: `${path}/flows?id=${flow.id}` })).statusCode).toBe(200)
    },
  )

  test('an unknown method and a body that is no form get the form back', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const answer = await submit(visitor, flow.id, { csrf_token: csrf, method: 'magic' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().ui.messages).toMatchObject([{ id: 4010002 }])
    for (const payload of [[], [1, 2], { csrf_token: { a: 1 } }, { __proto__: { x: 1 }, csrf_token: csrf }]) {
      expect([400, 403]).toContain((await submit(visitor, flow.id, payload as object)).statusCode)
    }
    const broken = await visitor.send({
      method: 'POST',
      url: `${path}?flow=${flow.id}`,
      payload: '{"a":',
      headers: { 'content-type': 'application/json' },
    })
    expect(broken.statusCode).toBe(400)
    const none = await visitor.send({ method: 'POST', url: `${path}?flow=${flow.id}` })
    expect(none.statusCode).toBe(403)
  })

  test('without the csrf token, with a wrong one, or with that of another flow nothing happens', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const other = await startedFlow(visitor, 'login')
    const good = { method: 'password', identifier: ada.email, password: goodPassword }
    for (const csrf_token of [undefined, '', 'x', `${csrf}x`, other.csrf]) {
      const answer = await submit(visitor, flow.id, { ...good, csrf_token })
      expect(answer.statusCode).toBe(403)
      expect(answer.json().error).toMatchObject({ id: 'security_csrf_violation', code: 403, status: 'Forbidden' })
    }
    const stranger = await submit(browser(app), flow.id, { ...good, csrf_token: csrf })
    expect(stranger.statusCode).toBe(403)
    expect(visitor.cookies.has(sessionCookie)).toBe(false)
  })

  test('an expired form answers 410 with a new flow to use', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login', '?return_to=%2Flogs')
    clock.add(3_600_001)
    const payload = { csrf_token: csrf, method: 'password', identifier: ada.email, password: goodPassword }
    const answer = await submit(visitor, flow.id, payload)
    expect(answer.statusCode).toBe(410)
    const body = answer.json()
    expect(body.error.id).toBe('self_service_flow_expired')
    expect(body.since).toBeGreaterThan(0)
    const next = await visitor.send({ url: `${path}/flows?id=${body.use_flow_id}` })
    expect(next.json()).toMatchObject({ return_to: '/logs', ui: { messages: [{ id: 4010001 }] } })
    const gone = await visitor.send({ url: `${path}/flows?id=${flow.id}` })
    expect(gone.statusCode).toBe(410)
    expect(gone.json().error.id).toBe('self_service_flow_expired')
  })

  test('a form sent twice signs in once', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const before = new Map(visitor.cookies)
    const payload = { csrf_token: csrf, method: 'password', identifier: ada.email, password: goodPassword }
    expect((await submit(visitor, flow.id, payload)).statusCode).toBe(200)
    const signedIn = await submit(visitor, flow.id, payload)
    expect(signedIn.statusCode).toBe(400)
    expect(signedIn.json().error.id).toBe('session_already_available')
    const replay = browser(app)
    for (const [name, value] of before) replay.cookies.set(name, value)
    const replayed = await submit(replay, flow.id, payload)
    expect(replayed.statusCode).toBe(410)
    expect(replay.cookies.has(sessionCookie)).toBe(false)
  })

  test('a form sent many times at once signs in once', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const payload = { csrf_token: csrf, method: 'password', identifier: ada.email, password: goodPassword }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        app.inject({
          method: 'POST',
          url: `${path}?flow=${flow.id}`,
          payload,
          headers: { cookie, accept: 'application/json' },
        }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 410, 410, 410, 410])
  })

  test('a cookie brought along is never taken over: the session gets a token of its own', async () => {
    const planted = 'A'.repeat(43)
    const visitor = browser(app)
    visitor.cookies.set(sessionCookie, planted)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    await submit(visitor, flow.id, {
      csrf_token: csrf,
      method: 'password',
      identifier: ada.email,
      password: goodPassword,
    })
    expect(visitor.cookies.get(sessionCookie)).not.toBe(planted)
    const attacker = await app.inject({
      url: '/api/.ory/sessions/whoami',
      headers: { cookie: `${sessionCookie}=${planted}` },
    })
    expect(attacker.statusCode).toBe(401)
  })

  test('a native form works by redirects', async () => {
    const visitor = browser(app)
    const native = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const { flow, csrf } = await startedFlow(visitor, 'login', '?return_to=%2Fcatalog')
    const send = (password: string) =>
      visitor.send({
        method: 'POST',
        url: `${path}?flow=${flow.id}`,
        headers: native,
        payload: new URLSearchParams({
          csrf_token: csrf,
          method: 'password',
          identifier: ada.email,
          password,
        }).toString(),
      })
    const wrong = await send('wrong password')
    expect(wrong.statusCode).toBe(303)
    expect(wrong.headers.location).toBe(`/login?flow=${flow.id}`)
    const shown = await visitor.send({ url: `${path}/flows?id=${flow.id}` })
    expect(shown.json().ui.messages).toMatchObject([{ id: 4000006 }])
    expect(valueOf(shown.json(), 'identifier')).toBe(ada.email)
    const right = await send(goodPassword)
    expect(right.statusCode).toBe(303)
    expect(right.headers.location).toBe('/catalog')
    const again = await visitor.send({ url: `${path}/browser?return_to=%2Flogs`, headers: { accept: 'text/html' } })
    expect(again.headers.location).toBe('/logs')
  })

  test('a native form without csrf token ends at the error page, which can be read', async () => {
    const visitor = browser(app)
    const { flow } = await startedFlow(visitor, 'login')
    const answer = await visitor.send({
      method: 'POST',
      url: `${path}?flow=${flow.id}`,
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'method=password',
    })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toMatch(/^\/error\?id=/)
    const id = String(answer.headers.location).split('id=')[1]
    const error = await visitor.send({ url: `/api/.ory/self-service/errors?id=${id}` })
    expect(error.json()).toMatchObject({
      id,
      error: { id: 'security_csrf_violation', code: 403 },
      created_at: expect.any(String),
    })
    expect((await visitor.send({ url: '/api/.ory/self-service/errors?id=nope' })).statusCode).toBe(404)
    clock.add(3_600_001)
    expect((await visitor.send({ url: `/api/.ory/self-service/errors?id=${id}` })).statusCode).toBe(410)
  })

  test('unicode addresses and passwords work', async () => {
    await aPerson(ctx, [], 'jörg@bücher.example')
    const visitor = await signedInAs(app, 'JÖRG@BÜCHER.example')
    const who = await visitor.send({ url: '/api/.ory/sessions/whoami' })
    expect(who.json().identity.traits.email).toBe('jörg@bücher.example')
  })
})

describe('when signed in', () => {
  test('a new login flow is refused, unless it is to confirm', async () => {
    const visitor = await signedInAs(app, ada.email)
    const refused = await startedFlow(visitor, 'login')
    expect(refused.answer.statusCode).toBe(400)
    expect(refused.answer.json().error.id).toBe('session_already_available')
    const { flow } = await startedFlow(visitor, 'login', '?refresh=true')
    expect(flow).toMatchObject({ refresh: true, ui: { messages: [{ id: 1010003 }] } })
    expect(valueOf(flow, 'identifier')).toBe(ada.email)
  })

  test('confirming renews the session, ends the old one, and is only possible as oneself', async () => {
    const other = await aPerson(ctx)
    const visitor = await signedInAs(app, ada.email)
    const old = visitor.cookies.get(sessionCookie) as string
    clock.add(60_000)
    const { flow, csrf } = await startedFlow(visitor, 'login', '?refresh=true')
    const payload = { csrf_token: csrf, method: 'password', password: goodPassword }
    const mismatch = await submit(visitor, flow.id, { ...payload, identifier: other.email })
    expect(mismatch.statusCode).toBe(403)
    expect(mismatch.json().error.id).toBe('security_identity_mismatch')
    const answer = await submit(visitor, flow.id, { ...payload, identifier: ada.email })
    expect(answer.json().session.authenticated_at).toBe(clock.now().toISOString())
    const stale = await app.inject({ url: '/api/.ory/sessions/whoami', headers: { cookie: `${sessionCookie}=${old}` } })
    expect(stale.statusCode).toBe(401)
  })
})

describe('too many attempts', () => {
  test('ten wrong passwords for one account make the eleventh wait, also with the right password', async () => {
    const target = await aPerson(ctx)
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const payload = { csrf_token: csrf, method: 'password', identifier: target.email, password: 'wrong password' }
    for (let i = 0; i < 10; i++) expect((await submit(visitor, flow.id, payload)).statusCode).toBe(400)
    const answer = await submit(visitor, flow.id, { ...payload, password: goodPassword })
    expect(answer.statusCode).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(200)
    expect(answer.json().error).toMatchObject({ code: 429, reason: 'Too many attempts. Try again in 5 minutes.' })
    const elsewhere = browser(app)
    const started = await startedFlow(elsewhere, 'login')
    const fine = await elsewhere.send({
      method: 'POST',
      url: `${path}?flow=${started.flow.id}`,
      remoteAddress: '10.9.9.9',
      payload: { ...payload, csrf_token: started.csrf, password: goodPassword },
    })
    expect(fine.statusCode).toBe(200)
    clock.add(5 * 60_000)
    expect((await submit(visitor, flow.id, { ...payload, password: goodPassword })).statusCode).toBe(200)
  })

  test('one address cannot try many accounts without end', async () => {
    const statuses: number[] = []
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    for (let i = 0; i < 62; i++) {
      const answer = await visitor.send({
        method: 'POST',
        url: `${path}?flow=${flow.id}`,
        remoteAddress: '10.1.1.1',
        payload: {
          csrf_token: csrf,
          method: 'password',
          identifier: `guess-${i}@example.test`,
          password: 'wrong password',
        },
      })
      statuses.push(answer.statusCode)
    }
    expect(statuses.slice(0, 60).every((status) => status === 400)).toBe(true)
    expect(statuses.slice(60)).toEqual([429, 429])
  })
})
