import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { fakeClock, testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { browser, testServer } from '../../../testing/http.ts'
import { aPerson, goodPassword, signedInAs, startedFlow, valueOf } from '../../../testing/identity.ts'
import { identityRoutes } from '../identity.routes.ts'

const db = await testDatabase()
const clock = fakeClock('2026-01-15T10:00:00Z')
const ctx = testContext(db, { clock })
let app: FastifyInstance

beforeAll(async () => {
  app = await testServer(ctx, identityRoutes)
})
afterAll(() => app.close())

const submit = (visitor: ReturnType<typeof browser>, flow: string, payload: object, headers = {}) =>
  visitor.send({ method: 'POST', url: `/api/.ory/self-service/settings?flow=${flow}`, payload, headers })
const messageIds = (
  body: { ui: { nodes: { attributes: { name?: unknown }; messages: { id: number }[] }[] } },
  name: string,
) => body.ui.nodes.find(({ attributes }) => attributes.name === name)?.messages.map(({ id }) => id)

describe('the settings flow', () => {
  test('needs a session', async () => {
    const { answer } = await startedFlow(browser(app), 'settings')
    expect(answer.statusCode).toBe(401)
    expect(answer.json().error.id).toBe('session_inactive')
    const page = await browser(app).send({
      url: '/api/.ory/self-service/settings/browser',
      headers: { accept: 'text/html' },
    })
    expect(page.headers.location).toBe('/login?return_to=%2Fprofile-settings')
  })

  test('shows profile and password with the identity', async () => {
    const { id, email } = await aPerson(ctx)
    const visitor = await signedInAs(app, email)
    const { flow } = await startedFlow(visitor, 'settings', '?return_to=%2Fhealth')
    expect(flow).toMatchObject({ state: 'show_form', return_to: '/health', identity: { id, traits: { email } } })
    expect(flow.ui.nodes.map(({ group, attributes }) => `${group} ${String(attributes.name)}`)).toEqual([
      'default csrf_token',
      'profile traits.email',
      'profile traits.name.first',
      'profile traits.name.last',
      'profile method',
      'password password',
      'password method',
      'totp undefined',
      'totp undefined',
      'totp totp_code',
      'totp method',
      'lookup_secret lookup_secret_regenerate',
      'webauthn undefined',
      'webauthn webauthn_register_displayname',
      'webauthn webauthn_register',
      'webauthn webauthn_register_trigger',
    ])
    expect(valueOf(flow, 'traits.email')).toBe(email)
  })

  test('saves the profile, nested or dotted, and the person follows', async () => {
    const { id, email } = await aPerson(ctx)
    const visitor = await signedInAs(app, email)
    const { flow, csrf } = await startedFlow(visitor, 'settings')
    const nested = { csrf_token: csrf, method: 'profile', traits: { email, name: { first: 'Grace', last: 'Höpper' } } }
    const answer = await submit(visitor, flow.id, nested)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ state: 'success', ui: { messages: [{ id: 1050001, type: 'success' }] } })
    expect(valueOf(answer.json(), 'traits.name.last')).toBe('Höpper')
    expect(await db.one('select name, email from people where id = $1', [id])).toEqual({ name: 'Grace Höpper', email })
    const dotted = {
      csrf_token: csrf,
      method: 'profile',
      'traits.email': `New.${email}`,
      'traits.name.first': 'G',
      'traits.name.last': 'H',
    }
    expect((await submit(visitor, flow.id, dotted)).statusCode).toBe(200)
    expect(await db.one('select name, email from people where id = $1', [id])).toEqual({
      name: 'G H',
      email: `new.${email}`,
    })
    await signedInAs(app, `new.${email}`)
    await expect(signedInAs(app, email)).rejects.toThrow('4000006')
  })

  test('refuses what is no address and what belongs to somebody else', async () => {
    const other = await aPerson(ctx)
    const { email } = await aPerson(ctx)
    const visitor = await signedInAs(app, email)
    const { flow, csrf } = await startedFlow(visitor, 'settings')
    const save = (address: string, first = 'A') =>
      submit(visitor, flow.id, {
        csrf_token: csrf,
        method: 'profile',
        'traits.email': address,
        'traits.name.first': first,
      })
    for (const address of ['', 'x', 'a@b', 'a b@example.test', `${'x'.repeat(300)}@example.test`]) {
      const answer = await save(address)
      expect(answer.statusCode).toBe(400)
      expect(messageIds(answer.json(), 'traits.email')).toEqual([4000004])
    }
    expect(messageIds((await save(other.email)).json(), 'traits.email')).toEqual([4000007])
    expect(messageIds((await save(email, 'x'.repeat(101))).json(), 'traits.name.first')).toEqual([4000017])
  })

  test('sets a password, which ends every other session', async () => {
    const { email } = await aPerson(ctx)
    const [visitor, elsewhere] = [await signedInAs(app, email), await signedInAs(app, email)]
    const { flow, csrf } = await startedFlow(visitor, 'settings')
    const set = (password: string) => submit(visitor, flow.id, { csrf_token: csrf, method: 'password', password })
    for (const [password, id] of [
      ['', 4000002],
      ['short', 4000032],
      ['x'.repeat(10_000), 4000033],
      ['password123', 4000005],
      [email, 4000005],
    ] as const) {
      const answer = await set(password)
      expect(answer.statusCode).toBe(400)
      expect(messageIds(answer.json(), 'password')).toEqual([id])
    }
    const next = 'a much better phrase'
    expect((await set(next)).statusCode).toBe(200)
    expect((await visitor.send({ url: '/api/.ory/sessions/whoami' })).statusCode).toBe(200)
    expect((await elsewhere.send({ url: '/api/.ory/sessions/whoami' })).statusCode).toBe(401)
    await expect(signedInAs(app, email, goodPassword)).rejects.toThrow('4000006')
    await signedInAs(app, email, next)
    expect(JSON.stringify(await db.query('select * from identity_flows'))).not.toContain(next)
  })

  test('a password is changed only soon after signing in; confirming leads back to the same form', async () => {
    const { email } = await aPerson(ctx)
    const visitor = await signedInAs(app, email)
    clock.add(16 * 60_000)
    const { flow, csrf } = await startedFlow(visitor, 'settings')
    const payload = { csrf_token: csrf, method: 'password', password: 'a much better phrase' }
    const answer = await submit(visitor, flow.id, payload)
    expect(answer.statusCode).toBe(403)
    expect(answer.json().error.id).toBe('session_refresh_required')
    const redirect = new URL(answer.json().redirect_browser_to)
    expect(redirect.searchParams.get('refresh')).toBe('true')

    const page = await visitor.send({ url: redirect.pathname + redirect.search, headers: { accept: 'text/html' } })
    const loginId = String(page.headers.location).split('flow=')[1]
    const login = (await visitor.send({ url: `/api/.ory/self-service/login/flows?id=${loginId}` })).json()
    const confirmed = await visitor.send({
      method: 'POST',
      url: `/api/.ory/self-service/login?flow=${loginId}`,
      payload: {
        csrf_token: valueOf(login, 'csrf_token'),
        method: 'password',
        identifier: email,
        password: goodPassword,
      },
      headers: { accept: 'text/html' },
    })
    expect(confirmed.headers.location).toBe(`/profile-settings?flow=${flow.id}`)
    expect((await visitor.send({ url: `/api/.ory/self-service/settings/flows?id=${flow.id}` })).statusCode).toBe(200)
    expect((await submit(visitor, flow.id, payload)).statusCode).toBe(200)
  })

  test('the form of one account cannot be sent by another', async () => {
    const [one, two] = [await aPerson(ctx), await aPerson(ctx)]
    const visitor = await signedInAs(app, one.email)
    const { flow, csrf } = await startedFlow(visitor, 'settings')
    const other = await signedInAs(app, two.email)
    other.cookies.set('csrf_token_quarterdeck', visitor.cookies.get('csrf_token_quarterdeck') as string)
    const answer = await submit(other, flow.id, {
      csrf_token: csrf,
      method: 'profile',
      'traits.email': 'x@example.test',
    })
    expect(answer.statusCode).toBe(403)
    expect(answer.json().error.id).toBe('security_identity_mismatch')
    const signedOut = browser(app)
    const nobody = await submit(signedOut, flow.id, { csrf_token: csrf, method: 'profile' })
    expect(nobody.statusCode).toBe(401)
  })

  test('an expired form is replaced by a new one', async () => {
    const { email } = await aPerson(ctx)
    const visitor = await signedInAs(app, email)
    const { flow, csrf } = await startedFlow(visitor, 'settings')
    clock.add(3_600_001)
    const answer = await submit(visitor, flow.id, { csrf_token: csrf, method: 'profile', 'traits.email': email })
    expect(answer.statusCode).toBe(410)
    const next = await visitor.send({ url: `/api/.ory/self-service/settings/flows?id=${answer.json().use_flow_id}` })
    expect(next.json()).toMatchObject({ state: 'show_form', ui: { messages: [{ id: 4050001 }] } })
  })
})
