import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../../app.ts'
import { readConfig } from '../../../config.ts'
import { testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../../../testing/openid-provider.ts'
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
    const ask = async (azp: string) =>
      (
        await strict.inject({
          url: '/api/auth/whoami',
          headers: { authorization: `Bearer ${await token({ claims: { azp } })}` },
        })
      ).statusCode
    expect(await ask('https://evil.example.test')).toBe(401)
    expect(await ask('https://console.example.test')).toBe(200)
    await strict.close()
  })

  test('a provider that does not answer is said so, which the console shows as provisioning', async () => {
    const config = readConfig({ ...settings, CLERK_JWKS_URL: 'http://127.0.0.1:9/jwks' })
    const alone = await buildApp(testContext(db, { config }))
    const headers = { authorization: `Bearer ${await token()}` }
    expect((await alone.inject({ url: '/api/auth/whoami', headers })).statusCode).toBe(502)
    await alone.close()
  })

  test("tells the console its key, lets its page load the provider's forms, and has no flows of its own", async () => {
    const capabilities = (await app.inject({ url: '/api/v1/capabilities' })).json()
    expect(capabilities).toMatchObject({ auth: 'clerk', hosted: { publishable_key: publishable } })
    expect(JSON.stringify(capabilities)).not.toContain('sk_test')
    expect((await app.inject({ url: '/api/.ory/self-service/login/browser' })).statusCode).toBe(404)
  })

  test('settings that are missing stop the start', async () => {
    const prepare = (changes: Record<string, string>) =>
      prepareAuth(testContext(db, { config: readConfig({ ...settings, ...changes }) }))
    await expect(prepare({ CLERK_PUBLISHABLE_KEY: '' })).rejects.toThrow('needs CLERK_PUBLISHABLE_KEY')
    await expect(prepare({ CLERK_PUBLISHABLE_KEY: 'pk_test_!!' })).rejects.toThrow('needs CLERK_PUBLISHABLE_KEY')
    await expect(prepare({ CLERK_ORG_ID: '' })).rejects.toThrow('needs CLERK_ORG_ID')
    await expect(prepare({})).resolves.toBeUndefined()
  })
})
