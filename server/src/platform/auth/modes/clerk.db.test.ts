import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../../app.ts'
import { readConfig } from '../../../config.ts'
import { testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../../../testing/openid-provider.ts'
import { openDb } from '../../db/db.ts'
import { prepareAuth } from '../prepare.ts'

/** The keys come from a real provider's JWKS address; the token is signed with its key, as the hosted one would. */
type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
const db = await testDatabase()
const host = 'clerk.deck.example.test'
const issuer = `https://${host}`
const publishable = `pk_test_${Buffer.from(`${host}$`).toString('base64')}`
let provider: OpenIdProvider
let privateKey: SigningKey
let strangerKey: SigningKey
let publicJwk: JWK
let app: FastifyInstance
let settings: Record<string, string>
const asked: string[] = []
const api = createServer((request, response) => {
  asked.push(`${request.url} ${request.headers.authorization}`)
  const user = {
    first_name: 'Hope',
    last_name: 'Hosted',
    image_url: 'https://img.example.test/h.png',
    primary_email_address_id: 'e1',
    email_addresses: [{ id: 'e1', email_address: 'Hope@example.test' }],
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(user))
})

beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true })
  privateKey = pair.privateKey
  publicJwk = await exportJWK(pair.publicKey)
  strangerKey = (await generateKeyPair('RS256')).privateKey
  provider = await startOpenIdProvider(
    ['http://localhost/cb'],
    [{ ...(await exportJWK(pair.privateKey)), kid: 'k1', alg: 'RS256', use: 'sig' }],
  )
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  settings = {
    QUARTERDECK_AUTH: 'clerk',
    CLERK_PUBLISHABLE_KEY: publishable,
    CLERK_SECRET_KEY: 'sk_test_secret',
    CLERK_ORG_ID: 'org_1',
    CLERK_JWKS_URL: `${provider.issuer}/jwks`,
    CLERK_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
  }
  app = await buildApp(testContext(db, { config: readConfig(settings) }))
})
afterAll(async () => {
  await app.close()
  await provider.close()
  await new Promise((resolve) => api.close(resolve))
})

interface TokenOptions {
  claims?: Record<string, unknown>
  key?: SigningKey
  from?: string
  expires?: string
}
const token = ({ claims = {}, key = privateKey, from = issuer, expires = '60s' }: TokenOptions = {}) =>
  new SignJWT({ org_id: 'org_1', org_role: 'org:admin', azp: 'https://deck.example.test', ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
    .setIssuer(from)
    .setSubject(String(claims.sub ?? 'user_1'))
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(key)
const whoami = async (given: string, as: 'header' | 'cookie' = 'header') =>
  app.inject({
    url: '/api/auth/whoami',
    headers: as === 'header' ? { authorization: `Bearer ${given}` } : { cookie: `a=b; __session=${given}` },
  })

describe('QUARTERDECK_AUTH=clerk', () => {
  test("takes the bearer token or the cookie, and keeps the person with the organisation's role", async () => {
    const answer = await whoami(await token())
    expect(answer.body).toContain('success')
    expect(answer.json().payload).toMatchObject({
      user: { name: 'Hope Hosted', email: 'hope@example.test', external_id: 'user_1' },
      roles: ['admin'],
    })
    expect(asked).toEqual(['/v1/users/user_1 Bearer sk_test_secret'])
    const { id } = answer.json().payload.user
    const again = await whoami(await token({ claims: { org_role: 'org:member' } }), 'cookie')
    expect(again.json().payload).toMatchObject({ user: { id }, roles: ['viewer'] })
    const second = await whoami(await token({ claims: { org_id: undefined, o: { id: 'org_1', rol: 'admin' } } }))
    expect(second.json().payload).toMatchObject({ user: { id }, roles: ['admin'] })
  })

  test('refuses what is expired, foreign, forged, of another organisation or tampered with', async () => {
    const parts = (await token()).split('.')
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${parts[1]}.x`
    for (const [why, bad] of Object.entries({
      expired: await token({ expires: '-1m' }),
      issuer: await token({ from: 'https://clerk.evil.test' }),
      forged: await token({ key: strangerKey }),
      organisation: await token({ claims: { org_id: 'org_2' } }),
      personal: await token({ claims: { org_id: undefined } }),
      early: await token({ claims: { nbf: Math.floor(Date.now() / 1000) + 120 } }),
      audience: await token({ claims: { aud: 'another service' } }),
      pending: await token({ claims: { sts: 'pending' } }),
      symmetric: await new SignJWT({ org_id: 'org_1' })
        .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
        .setIssuer(issuer)
        .setSubject('user_1')
        .setExpirationTime('60s')
        .sign(new TextEncoder().encode(JSON.stringify(publicJwk))),
      'no end': await new SignJWT({ org_id: 'org_1' })
        .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
        .setIssuer(issuer)
        .setSubject('user_1')
        .sign(privateKey),
      'no subject': await token({ claims: { sub: '' } }),
      tampered: `${parts[0]}.${Buffer.from('{"sub":"user_1"}').toString('base64url')}.${parts[2]}`,
      none,
    })) {
      expect([why, (await whoami(bad)).statusCode]).toEqual([why, 401])
      expect([why, (await whoami(bad, 'cookie')).statusCode]).toEqual([why, 401])
    }
    expect((await app.inject({ url: '/api/auth/whoami' })).statusCode).toBe(401)
    const basic = `Basic ${Buffer.from('a@example.test:password').toString('base64')}`
    expect((await app.inject({ url: '/api/auth/whoami', headers: { authorization: basic } })).statusCode).toBe(401)
  })

  test('takes tokens of the named consoles only, when there are some', async () => {
    const config = readConfig({ ...settings, CLERK_AUTHORIZED_PARTIES: 'https://console.example.test' })
    const strict = await buildApp(testContext(db, { config }))
    const ask = async (azp: string | undefined, aud?: string) =>
      (
        await strict.inject({
          url: '/api/auth/whoami',
          headers: { authorization: `Bearer ${await token({ claims: { azp, aud } })}` },
        })
      ).statusCode
    expect(await ask('https://evil.example.test')).toBe(401)
    expect(await ask(undefined)).toBe(401)
    expect(await ask('https://console.example.test.evil.test')).toBe(401)
    expect(await ask('https://console.example.test', 'https://other.example.test')).toBe(401)
    expect(await ask('https://console.example.test', 'https://console.example.test')).toBe(200)
    expect(await ask('https://console.example.test')).toBe(200)
    await strict.close()
  })

  test('a provider that does not answer is said so, which the console shows as provisioning', async () => {
    const config = readConfig({ ...settings, CLERK_JWKS_URL: 'http://127.0.0.1:9/jwks' })
    const alone = await buildApp(testContext(db, { config }))
    // A token that no test before has shown: one that was found good is not looked into again for a while.
    const headers = { authorization: `Bearer ${await token({ claims: { jti: 'alone' } })}` }
    expect((await alone.inject({ url: '/api/auth/whoami', headers })).statusCode).toBe(502)
    await alone.close()
  })

  test("tells the console its key, lets its page load the provider's forms, and has no flows of its own", async () => {
    const capabilities = (await app.inject({ url: '/api/v1/capabilities' })).json()
    expect(capabilities).toMatchObject({ auth: 'clerk', hosted: { publishable_key: publishable } })
    expect(JSON.stringify(capabilities)).not.toContain('sk_test')
    expect((await app.inject({ url: '/api/.ory/self-service/login/browser' })).statusCode).toBe(404)
  })

  test('a clock that is a few seconds off is forgiven, a minute is not', async () => {
    expect((await whoami(await token({ expires: '-3s' }))).statusCode).toBe(200)
    expect((await whoami(await token({ expires: '-60s' }))).statusCode).toBe(401)
    const ahead = (seconds: number) => token({ claims: { nbf: Math.floor(Date.now() / 1000) + seconds } })
    expect((await whoami(await ahead(3))).statusCode).toBe(200)
    expect((await whoami(await ahead(60))).statusCode).toBe(401)
  })

  test("hides the management of users, which is the provider's, under the name its clients know and ours", async () => {
    const headers = { authorization: `Bearer ${await token()}` }
    const listed = (await app.inject({ url: '/api/properties', headers })).json()
    for (const name of ['settings.user.disabled', 'settings.users.disable'])
      expect(listed).toContainEqual(expect.objectContaining({ name, value: 'true', source: 'local' }))
    const invite = { firstName: 'A', lastName: 'B', email: 'a@example.test' }
    const refused = await app.inject({ method: 'POST', url: '/api/auth/invite_user', headers, payload: invite })
    expect(refused.statusCode).toBe(501)
    const link = '/api/v1/people/00000000-0000-4000-8000-000000000000/link'
    expect((await app.inject({ method: 'POST', url: link, headers })).statusCode).toBe(501)
  })

  test('an address that nobody proved takes over nothing', async () => {
    const { id } = await db.one<{ id: string }>(
      `insert into people (name, email) values ('Vic Tim', 'vic@example.test') returning id`,
    )
    await db.run(`insert into casbin_rule (ptype, v0, v1, v2, v3, v4, v5) values ('g', $1, 'editor', '', '', '', '')`, [
      id,
    ])
    const claims = { sub: 'user_9', org_role: 'org:member', name: 'Mallory', email: 'vic@example.test' }
    const impostor = await whoami(await token({ claims: { ...claims, email_verified: false } }))
    expect(impostor.json().payload.user.id).not.toBe(id)
    expect(impostor.json().payload.roles).toEqual(['viewer'])
    expect(await db.one('select email from people where id = $1', [id])).toEqual({ email: 'vic@example.test' })
  })

  test('a role that another process heard of first is put right', async () => {
    const otherDb = openDb({ url: db.url })
    const second = await buildApp(testContext(otherDb, { config: readConfig(settings) }))
    const ask = async (server: FastifyInstance, role: string) => {
      const claims = { sub: 'user_5', org_role: role, jti: Math.random() }
      const headers = { authorization: `Bearer ${await token({ claims })}` }
      return (await server.inject({ url: '/api/auth/whoami', headers })).json().payload.roles
    }
    expect(await ask(app, 'org:member')).toEqual(['viewer'])
    expect(await ask(second, 'org:admin')).toEqual(['admin'])
    expect(await ask(app, 'org:member')).toEqual(['viewer'])
    const log = await db.query<{ action: string }>(
      `select action from audit_log where object_id = (select id::text from people where external_id = 'user_5')
       order by at, id`,
    )
    expect(log.map(({ action }) => action)).toEqual(['person_added', 'roles_changed', 'roles_changed'])
    await second.close()
    await otherDb.close()
  })
})

describe('keys', () => {
  const served: { keys: JWK[]; status: number; asked: number; body?: string } = { keys: [], status: 200, asked: 0 }
  const jwks = createServer((_, response) => {
    served.asked++
    response.writeHead(served.status, { 'content-type': 'application/json' })
    response.end(served.body ?? JSON.stringify({ keys: served.keys }))
  })
  let server: FastifyInstance
  const pairs: Record<string, SigningKey> = {}
  const signed = (kid: string, key = pairs[kid]!) =>
    new SignJWT({
      org_id: 'org_1',
      sub: 'user_7',
      name: 'Kim',
      email: 'kim@example.test',
      jti: Math.random().toString(),
    })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(issuer)
      .setExpirationTime('1h')
      .sign(key)
  const ask = async (given: string) =>
    (await server.inject({ url: '/api/auth/whoami', headers: { authorization: `Bearer ${given}` } })).statusCode

  beforeAll(async () => {
    await new Promise<void>((resolve) => jwks.listen(0, '127.0.0.1', resolve))
    for (const kid of ['first', 'second']) {
      const pair = await generateKeyPair('RS256', { extractable: true })
      pairs[kid] = pair.privateKey
      served.keys.push({ ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256', use: 'sig' })
    }
    const url = `http://127.0.0.1:${(jwks.address() as AddressInfo).port}`
    server = await buildApp(testContext(db, { config: readConfig({ ...settings, CLERK_JWKS_URL: url }) }))
  })
  afterAll(async () => {
    await server.close()
    await new Promise((resolve) => jwks.close(resolve))
  })

  test('are read once, again when a new one appears, and not for every forged name', async () => {
    const [first, second] = [...served.keys] as [JWK, JWK]
    served.keys = [first]
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    try {
      for (let i = 0; i < 3; i++) expect(await ask(await signed('first'))).toBe(200)
      expect(served.asked).toBe(1)
      served.keys = [second]
      for (let i = 0; i < 20; i++) expect(await ask(await signed(`forged ${i}`, strangerKey))).toBe(401)
      expect(served.asked).toBe(1)
      vi.setSystemTime(Date.now() + 6000)
      expect(await ask(await signed('second'))).toBe(200)
      expect(served.asked).toBe(2)
      // The old key is gone, and what it signed with it.
      expect(await ask(await signed('first'))).toBe(401)
      expect(await ask(await signed('second', strangerKey))).toBe(401)
    } finally {
      vi.useRealTimers()
    }
  })

  test('that cannot be read are a 502, and those known go on for a while', async () => {
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    try {
      served.status = 503
      expect(await ask(await signed('second'))).toBe(200)
      vi.setSystemTime(start + 11 * 60_000)
      expect(await ask(await signed('second'))).toBe(502)
      Object.assign(served, { status: 200, body: '{"no": "keys"}' })
      expect(await ask(await signed('second'))).toBe(502)
      Object.assign(served, { body: '<html>' })
      expect(await ask(await signed('second'))).toBe(502)
      Object.assign(served, { body: undefined })
      expect(await ask(await signed('second'))).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the start', () => {
  test('settings that are missing stop the start', async () => {
    const prepare = (changes: Record<string, string>) =>
      prepareAuth(testContext(db, { config: readConfig({ ...settings, ...changes }) }))
    await expect(prepare({ CLERK_PUBLISHABLE_KEY: '' })).rejects.toThrow('needs CLERK_PUBLISHABLE_KEY')
    await expect(prepare({ CLERK_PUBLISHABLE_KEY: 'pk_test_!!' })).rejects.toThrow('needs CLERK_PUBLISHABLE_KEY')
    await expect(prepare({ CLERK_ORG_ID: '' })).rejects.toThrow('needs CLERK_ORG_ID')
    await expect(prepare({})).resolves.toBeUndefined()
  })
})
