import { get } from 'node:http'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { buildApiApp, buildApp } from '../../../app.ts'
import { readConfig } from '../../../config.ts'
import { fakeClock, testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { csrfOf, failure, kratosClient } from '../../../testing/kratos-client.ts'
import { type KratosAccount, KratosServer } from '../../../testing/kratos-server.ts'
import { openDb } from '../../db/db.ts'
import { mirrorIdentity } from './kratos-people.ts'

const db = await testDatabase()
const clock = fakeClock('2026-01-15T10:00:00Z')
const kratos = await new KratosServer().start()
const settings = {
  QUARTERDECK_AUTH: 'kratos',
  KRATOS_URL: `${kratos.url}/`,
  QUARTERDECK_ADMIN_EMAIL: 'boss@example.test',
}
const ctx = testContext(db, { clock, config: readConfig(settings) })
let app: FastifyInstance
let address: string
let basePath: string
let serial = 0

beforeAll(async () => {
  app = await buildApp(ctx)
  address = await app.listen({ port: 0, host: '127.0.0.1' })
  basePath = `${address}/api/.ory`
})
afterAll(async () => {
  await app.close()
  await kratos.stop()
})
beforeEach(() => {
  clock.add(60_000)
  Object.assign(kratos, { baseUrl: undefined, cookieDomain: undefined, broken: undefined })
})

const newEmail = () => `kay-${++serial}@example.test`
const credentials = ({ traits, password }: KratosAccount, csrf: string) => ({
  method: 'password',
  csrf_token: csrf,
  identifier: traits.email,
  password,
})
async function signedIn(account: KratosAccount, host?: string) {
  const browser = kratosClient(basePath, host)
  const { data: flow } = await browser.api.createBrowserLoginFlow()
  const body = credentials(account, csrfOf(flow))
  await browser.api.updateLoginFlow({ flow: flow.id, updateLoginFlowBody: body as never })
  return browser
}
const cookieOf = (jar: Map<string, string>) => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
const whoami = (headers: Record<string, string>, server = app) => server.inject({ url: '/api/auth/whoami', headers })
const basic = (email: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
})

describe('an external Kratos, through us', () => {
  test('signs people in with the official client, and the API knows them', async () => {
    const account = kratos.add(newEmail())
    const { api, jar } = await signedIn(account)
    expect((await api.toSession()).data.identity?.traits).toEqual(account.traits)
    const answer = await whoami({ cookie: cookieOf(jar) })
    expect(answer.json().payload).toMatchObject({
      user: { id: account.id, name: 'Kay Ratos', email: account.traits.email },
      roles: [],
    })
    // Somebody we never heard of is kept as a person, and is a viewer.
    expect(await db.one('select name from people where id = $1', [account.id])).toEqual({ name: 'Kay Ratos' })
    const refused = await app.inject({ url: '/api/db/connections', headers: { cookie: cookieOf(jar) } })
    expect(refused.statusCode).toBe(403)
  })

  test('hands its refusals through: status, body and error id', async () => {
    const account = kratos.add(newEmail())
    const { api, jar } = kratosClient(basePath)
    const { data: flow } = await api.createBrowserLoginFlow({ returnTo: '/health' })
    expect(flow.return_to).toBe('/health')
    expect((await api.getLoginFlow({ id: flow.id })).data.id).toBe(flow.id)
    const submit = (body: object) => failure(api.updateLoginFlow({ flow: flow.id, updateLoginFlowBody: body as never }))
    const good = credentials(account, csrfOf(flow))
    expect(await submit({ ...good, password: 'wrong' })).toMatchObject({
      status: 400,
      data: { id: flow.id, ui: { messages: [{ id: 4000006 }] } },
    })
    expect(await submit({ ...good, csrf_token: 'x' })).toMatchObject({
      status: 403,
      data: { error: { id: 'security_csrf_violation' } },
    })
    expect(await submit({ ...good, method: 'oidc', provider: 'acme' })).toMatchObject({
      status: 422,
      data: { error: { id: 'browser_location_change_required' }, redirect_browser_to: /^https:\/\/provider/ },
    })
    kratos.expireFlows()
    expect(await submit(good)).toMatchObject({
      status: 410,
      data: { error: { id: 'self_service_flow_expired' }, use_flow_id: expect.any(String) },
    })
    jar.clear()
    expect((await failure(api.getLoginFlow({ id: randomUUID() }))).status).toBe(404)
    expect(await failure(api.toSession())).toMatchObject({ status: 401, data: { error: { id: 'session_inactive' } } })
    expect((await failure(api.createBrowserSettingsFlow())).status).toBe(401)
  })

  test('asks for the second factor there, and the API knows nobody until it was shown', async () => {
    const account = kratos.add(newEmail(), { secondFactor: true })
    const { api, jar } = await signedIn(account)
    const { status, data } = await failure(api.toSession())
    expect(status).toBe(403)
    expect(data).toMatchObject({ error: { id: 'session_aal2_required' } })
    expect((data as { redirect_browser_to: string }).redirect_browser_to).toBe(
      `${basePath}/self-service/login/browser?aal=aal2`,
    )
    expect((await whoami({ cookie: cookieOf(jar) })).statusCode).toBe(401)
    const script = await whoami(basic(account.traits.email, account.password))
    expect(script.statusCode).toBe(401)
    expect(script.json().message).toContain('second factor')
  })

  test('signs out there', async () => {
    const { api, jar } = await signedIn(kratos.add(newEmail()))
    const { data } = await api.createBrowserLogoutFlow()
    expect(data.logout_url).toBe(`${basePath}/self-service/logout?token=${data.logout_token}`)
    expect((await failure(api.updateLogoutFlow({ token: 'wrong' }))).status).toBe(403)
    await api.updateLogoutFlow({ token: data.logout_token })
    expect(jar.has('ory_kratos_session')).toBe(false)
  })

  test('has its forms and redirects passed on as they are, but for addresses of its own', async () => {
    const account = kratos.add(newEmail())
    const page = { accept: 'text/html' }
    const started = await fetch(`${basePath}/self-service/login/browser?return_to=%2Fhealth`, {
      redirect: 'manual',
      headers: page,
    })
    expect(started.status).toBe(303)
    expect(started.headers.get('location')).toMatch(/^http:\/\/console\.example\.test\/login\?flow=/)
    const flow = new URL(started.headers.get('location')!).searchParams.get('flow')!
    const [cookie = ''] = started.headers.getSetCookie().map((line) => line.split(';')[0]!)
    const form = new URLSearchParams(credentials(account, decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1))))
    form.append('remember', 'false')
    form.append('remember', 'true')
    const post = (body: URLSearchParams) =>
      fetch(`${basePath}/self-service/login?flow=${flow}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...page, cookie },
        body,
      })
    const wrong = new URLSearchParams(form)
    wrong.set('password', 'wrong')
    expect((await post(wrong)).headers.get('location')).toMatch(/\/login\?flow=/)
    const done = await post(form)
    expect(done.status).toBe(303)
    expect(done.headers.get('location')).toBe('/health')
    expect(kratos.seen.at(-1)!.body).toBe(form.toString())
    expect(kratos.seen.at(-1)!.headers['content-type']).toContain('x-www-form-urlencoded')
  })

  test('is told who asks, and neither our tokens nor what a visitor claims about themselves', async () => {
    await fetch(`${basePath}/sessions/whoami`, {
      headers: {
        authorization: 'Bearer secret.of.ours',
        'x-forwarded-for': '203.0.113.9',
        'true-client-ip': '203.0.113.1',
        'x-real-ip': '203.0.113.1',
        'accept-language': 'de',
        'user-agent': 'a browser',
      },
    })
    const { headers, path } = kratos.seen.at(-1)!
    expect(path).toBe('/sessions/whoami')
    expect(headers).toMatchObject({
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(address).host,
      host: new URL(kratos.url).host,
      'accept-language': 'de',
      'user-agent': 'a browser',
    })
    for (const name of ['authorization', 'true-client-ip', 'x-real-ip']) expect(headers).not.toHaveProperty(name)
  })

  test('keeps a cookie domain that the browser is in, and gives up one that it is not in', async () => {
    const account = kratos.add(newEmail())
    kratos.cookieDomain = 'kratos.internal'
    expect((await signedIn(account)).jar.has('ory_kratos_session')).toBe(true)
    kratos.cookieDomain = 'example.test'
    const lines = async (host: string, proto = 'http') => {
      const headers = { accept: 'application/json', host, 'x-forwarded-proto': proto }
      const answer = await app.inject({ url: '/api/.ory/self-service/login/browser', headers })
      return [answer.headers['set-cookie'] ?? []].flat().join('\n')
    }
    expect(await lines('deck.example.test')).toContain('Domain=example.test')
    expect(await lines('deck.evilexample.test')).not.toContain('Domain=')
    expect(await lines('deck.example.test', 'https')).toMatch(/; Secure$/)
    expect(await lines('deck.example.test')).not.toContain('Secure')
  })

  test('is reached at /kratos of the second listener, with addresses that lead there', async () => {
    const second = await buildApiApp(ctx)
    const headers = { accept: 'application/json', host: 'api.example.test' }
    const answer = await second.inject({ url: '/kratos/self-service/login/browser', headers })
    expect(answer.json().ui.action).toMatch(/^http:\/\/api\.example\.test\/kratos\/self-service\/login\?flow=/)
    await second.close()
  })

  test('is not a way to its other addresses', async () => {
    const config = readConfig({ ...settings, KRATOS_URL: `${kratos.url}/public` })
    const inFolder = await buildApp(testContext(db, { clock, config }))
    const there = new URL(await inFolder.listen({ port: 0, host: '127.0.0.1' }))
    const seen = kratos.seen.length
    for (const path of ['/api/.ory/../admin', '/api/.ory/%2e%2e/admin', '/api/.ory/a/../../../x']) {
      const status = await new Promise((resolve, reject) => {
        const { hostname: host, port } = there
        get({ host, port, path }, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
      })
      expect([path, status]).toEqual([path, 404])
    }
    expect(kratos.seen.slice(seen)).toEqual([])
    await inFolder.close()
  })
})

describe('sessions of Kratos', () => {
  test('are asked about at most every few seconds, and end within that time when they end there', async () => {
    const account = kratos.add(newEmail())
    const { jar } = await signedIn(account)
    const headers = { cookie: cookieOf(jar) }
    const asked = () => kratos.seen.filter(({ path }) => path === '/sessions/whoami').length
    const before = asked()
    for (let i = 0; i < 5; i++) expect((await whoami(headers)).statusCode).toBe(200)
    expect(asked() - before).toBe(1)
    kratos.revoke(account)
    clock.add(5001)
    expect((await whoami(headers)).statusCode).toBe(401)
    const other = await signedIn(account)
    expect((await whoami({ cookie: cookieOf(other.jar) })).statusCode).toBe(200)
    account.state = 'inactive'
    clock.add(5001)
    expect((await whoami({ cookie: cookieOf(other.jar) })).statusCode).toBe(401)
  })

  test('bring along what changed at the account, in every process', async () => {
    const account = kratos.add(newEmail())
    const { api, jar } = await signedIn(account)
    const headers = { cookie: cookieOf(jar) }
    const name = async (server = app) => (await whoami(headers, server)).json().payload.user.name
    const otherDb = openDb({ url: db.url })
    const second = await buildApp(testContext(otherDb, { clock, config: ctx.config }))
    expect([await name(), await name(second)]).toEqual(['Kay Ratos', 'Kay Ratos'])
    account.traits = { ...account.traits, name: { first: 'Kim', last: 'Changed' } }
    clock.add(5001)
    expect(await name(second)).toBe('Kim Changed')
    account.traits = { ...account.traits, name: { first: 'Kay', last: 'Ratos' } }
    // The first process never saw the change in between, and still puts things right.
    clock.add(5001)
    expect(await name()).toBe('Kay Ratos')
    const next = newEmail()
    const { data: flow } = await api.createBrowserSettingsFlow()
    const body = { method: 'profile', csrf_token: csrfOf(flow), traits: { email: next } }
    await api.updateSettingsFlow({ flow: flow.id, updateSettingsFlowBody: body as never })
    clock.add(5001)
    expect((await whoami(headers)).json().payload.user.email).toBe(next)
    await second.close()
    await otherDb.close()
  })

  test('of accounts without a name we understand work, without an address they are a clear 502', async () => {
    const odd = kratos.add(newEmail(), { traits: { email: `odd-${newEmail()}`, name: 'One String' as never } })
    expect((await whoami({ cookie: cookieOf((await signedIn(odd)).jar) })).json().payload.user.name).toBe(
      odd.traits.email,
    )
    const { jar } = await signedIn(kratos.add(newEmail()))
    kratos.accounts.at(-1)!.traits = { phone: '1' } as never
    const answer = await whoami({ cookie: cookieOf(jar) })
    expect(answer.statusCode).toBe(502)
    expect(answer.json().message).toContain('do not understand')
  })

  test('the verified address of the settings becomes the first administrator, an unverified one does not', async () => {
    const impostor = kratos.add('boss@example.test', { verified: false })
    const headers = { cookie: cookieOf((await signedIn(impostor)).jar) }
    expect((await whoami(headers)).json().payload.roles).toEqual([])
    impostor.verified = true
    clock.add(5001)
    expect((await whoami(headers)).json().payload.roles).toEqual(['admin'])
    const log = await db.query(`select action, actor_name from audit_log where object_id = $1 order by at, id`, [
      impostor.id,
    ])
    expect(log).toEqual([
      { action: 'person_added', actor_name: 'Kratos' },
      { action: 'roles_changed', actor_name: 'Kratos' },
    ])
    // The address moves to another account at Kratos: the old copy goes, and with it the administrator there was.
    const heir = { id: randomUUID(), state: 'active', traits: { email: 'boss@example.test' } } as const
    await mirrorIdentity(ctx, { ...heir, verifiable_addresses: [{ value: 'boss@example.test', verified: true }] })
    expect(await db.query(`select id from people where email = 'boss@example.test' and deleted_at is null`)).toEqual([
      { id: heir.id },
    ])
    expect(await db.query('select v1 from casbin_rule where v0 = $1', [heir.id])).toEqual([{ v1: 'admin' }])
  })
})

describe('scripts with a name and a password', () => {
  test('are signed in at Kratos once, then their session is looked at', async () => {
    const account = kratos.add(newEmail())
    const headers = basic(account.traits.email, account.password)
    const logins = () => kratos.seen.filter(({ path }) => path === '/self-service/login/api').length
    const before = logins()
    for (let i = 0; i < 4; i++) {
      expect((await whoami(headers)).json().payload.user.id).toBe(account.id)
      clock.add(6000)
    }
    expect(logins() - before).toBe(1)
    kratos.revoke(account)
    expect((await whoami(headers)).statusCode).toBe(200)
    expect(logins() - before).toBe(2)
    account.password = 'another one altogether'
    kratos.revoke(account)
    clock.add(6000)
    expect((await whoami(headers)).statusCode).toBe(401)
    expect((await whoami(basic('nobody@example.test', 'x'))).statusCode).toBe(401)
  })

  test('are bounded in their guesses here, before Kratos is bothered', async () => {
    const account = kratos.add(newEmail())
    for (let i = 0; i < 10; i++) expect((await whoami(basic(account.traits.email, `wrong ${i}`))).statusCode).toBe(401)
    const seen = kratos.seen.length
    expect((await whoami(basic(account.traits.email, account.password))).statusCode).toBe(429)
    expect(kratos.seen.length).toBe(seen)
  })
})

describe('guesses at the form', () => {
  test('are bounded here, as Kratos does not, and those that were right do not count', async () => {
    const account = kratos.add(newEmail())
    const { api } = kratosClient(basePath)
    const { data: flow } = await api.createBrowserLoginFlow()
    const good = credentials(account, csrfOf(flow))
    const submit = (body: object) => failure(api.updateLoginFlow({ flow: flow.id, updateLoginFlowBody: body as never }))
    for (let i = 0; i < 10; i++) expect((await submit({ ...good, password: `wrong ${i}` })).status).toBe(400)
    const seen = kratos.seen.length
    expect(await submit(good)).toMatchObject({ status: 429, data: { error: { id: 'rate_limited', code: 429 } } })
    expect(kratos.seen.length).toBe(seen)
    clock.add(5 * 60_000)
    for (let i = 0; i < 12; i++) await signedIn(account)
  })
})

describe('a Kratos in trouble', () => {
  test('is a clear 502 for pages and calls, and nobody is signed out by it', async () => {
    const account = kratos.add(newEmail())
    const { jar } = await signedIn(account)
    const headers = { cookie: cookieOf(jar) }
    kratos.broken = 500
    for (const url of ['/api/auth/whoami', '/api/db/people?limit=1']) {
      const answer = await app.inject({ url, headers })
      expect([url, answer.statusCode]).toEqual([url, 502])
      expect(answer.json().code).toBe('identity_unavailable')
    }
    // What it says itself is passed on.
    expect((await app.inject({ url: '/api/.ory/sessions/whoami', headers })).statusCode).toBe(500)
    kratos.broken = undefined
    expect((await whoami(headers)).statusCode).toBe(200)
  })

  test('that does not answer at all is said so, and works again once it is back', async () => {
    const gone = await new KratosServer().start()
    const port = Number(new URL(gone.url).port)
    const account = gone.add(newEmail())
    const config = readConfig({ ...settings, KRATOS_URL: gone.url })
    const server = await buildApp(testContext(db, { clock, config }))
    await gone.stop()
    const headers = { cookie: 'ory_kratos_session=abc==' }
    const down = await whoami(headers, server)
    expect(down.statusCode).toBe(502)
    expect(down.json().message).toBe('The identity service does not answer. Try again in a moment.')
    expect((await server.inject({ url: '/api/.ory/sessions/whoami' })).statusCode).toBe(502)
    expect((await whoami(basic(account.traits.email, 'x'), server)).statusCode).toBe(502)
    await gone.start(port)
    expect((await whoami(headers, server)).statusCode).toBe(401)
    await gone.stop()
    await server.close()
  })
})
