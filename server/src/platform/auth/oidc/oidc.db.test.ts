import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { commandLine } from '../../../modules/people/act.ts'
import { insertPerson } from '../../../modules/people/people.service.ts'
import { readConfig } from '../../../config.ts'
import { fakeClock, testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { type Browser, browser, testServer } from '../../../testing/http.ts'
import { aPerson, signedInAs, startedFlow } from '../../../testing/identity.ts'
import { type OpenIdProvider, startOpenIdProvider, visitProvider } from '../../../testing/openid-provider.ts'
import { identityRoutes } from '../identity.routes.ts'

const db = await testDatabase()
const clock = fakeClock(new Date().toISOString())
const origin = 'http://deck.example.test'
const callback = `${origin}/api/.ory/self-service/methods/oidc/callback/harbour`
let provider: OpenIdProvider
let app: FastifyInstance
let open: FastifyInstance
let ctx: ReturnType<typeof testContext>

function contextWith(changes: Record<string, string> = {}) {
  const { issuer, clientId, clientSecret } = provider
  const harbour = { id: 'harbour', label: 'Harbour', issuer, client_id: clientId, client_secret: clientSecret }
  const dead = { ...harbour, id: 'dead', label: 'Dead', issuer: 'http://127.0.0.1:9' }
  const config = readConfig({
    QUARTERDECK_PUBLIC_URL: origin,
    QUARTERDECK_OIDC_PROVIDERS: JSON.stringify([harbour, dead]),
    ...changes,
  })
  return testContext(db, { clock, config })
}

beforeAll(async () => {
  provider = await startOpenIdProvider([callback])
  ctx = contextWith()
  app = await testServer(ctx, identityRoutes)
  open = await testServer(contextWith({ QUARTERDECK_OIDC_UNKNOWN: 'viewer' }), identityRoutes)
  void (await aPerson(ctx, ['admin']))
})
afterAll(async () => {
  await app.close()
  await open.close()
  await provider.close()
})
beforeEach(() => void (provider.account = null))

let serial = 0
const person = (changes: object = {}) => {
  serial += 1
  return {
    sub: `sub-${serial}`,
    email: `oidc-${serial}@example.test`,
    email_verified: true,
    given_name: 'Ola',
    family_name: 'Idc',
    ...changes,
  }
}

async function leave(visitor: Browser, kind = 'login', body: object = { provider: 'harbour' }) {
  const { flow, csrf } = await startedFlow(visitor, kind)
  const answer = await visitor.send({
    method: 'POST',
    url: `/api/.ory/self-service/${kind}?flow=${flow.id}`,
    payload: { csrf_token: csrf, ...body },
  })
  return { flow, answer, address: answer.json().redirect_browser_to as string }
}

const back = (visitor: Browser, address: URL) =>
  visitor.send({ url: address.pathname + address.search, headers: { accept: 'text/html' } })

async function signIn(visitor: Browser) {
  const { address, flow } = await leave(visitor)
  return { answer: await back(visitor, await visitProvider(address)), flow }
}
const whoami = (visitor: Browser) => visitor.send({ url: '/api/.ory/sessions/whoami' })
const wordsOf = async (visitor: Browser, location: unknown) => {
  const id = String(location).split('flow=')[1]
  const kind = String(location).startsWith('/login') ? 'login' : 'settings'
  return (await visitor.send({ url: `/api/.ory/self-service/${kind}/flows?id=${id}` })).json().ui.messages[0].text
}

describe('signing in at an OpenID provider', () => {
  test('offers a button per provider and leaves with PKCE, state and nonce', async () => {
    const visitor = browser(app)
    const { flow, answer, address } = await leave(visitor)
    expect(flow.ui.nodes.filter(({ group }) => group === 'oidc').map(({ attributes }) => attributes.value)).toEqual([
      'harbour',
      'dead',
    ])
    expect(answer.statusCode).toBe(422)
    const query = new URL(address).searchParams
    expect(Object.fromEntries(query)).toMatchObject({
      client_id: 'quarterdeck',
      redirect_uri: callback,
      response_type: 'code',
      code_challenge_method: 'S256',
      state: expect.stringContaining(flow.id),
      nonce: expect.stringMatching(/.{20,}/),
    })
    const stored = await db.one('select state::text as state from identity_flows where id = $1', [flow.id])
    expect(JSON.stringify(stored)).not.toContain(query.get('state'))
  })

  test('lets an invited person in, once more without the address, and audits it', async () => {
    provider.account = person()
    const { email, sub } = provider.account
    const id = await db.tx((sql) =>
      insertPerson(ctx, sql, commandLine, { firstName: 'Ola', lastName: 'Idc', email: email!, roles: ['editor'] }),
    )
    const visitor = browser(app)
    const { answer } = await signIn(visitor)
    expect(answer.headers.location).toBe('/')
    expect((await whoami(visitor)).json()).toMatchObject({
      identity: { id, traits: { email }, verifiable_addresses: [{ verified: true }] },
      authentication_methods: [{ method: 'oidc', aal: 'aal1' }],
    })
    provider.account = { sub, email: 'another@example.test', email_verified: false }
    const later = browser(app)
    await signIn(later)
    expect((await whoami(later)).json().identity.id).toBe(id)
    const log = await db.query<{ action: string }>('select action from audit_log where object_id = $1', [id])
    expect(log.map(({ action }) => action)).toEqual(expect.arrayContaining(['social_sign_in_linked', 'signed_in']))
  })

  test('refuses who was not invited, or lets them in as a viewer, by setting', async () => {
    provider.account = person()
    const stranger = browser(app)
    const { answer } = await signIn(stranger)
    expect(await wordsOf(stranger, answer.headers.location)).toContain('Nobody invited')
    expect((await whoami(stranger)).statusCode).toBe(401)
    const welcome = browser(open)
    expect((await signIn(welcome)).answer.headers.location).toBe('/')
    expect((await whoami(welcome)).json().identity.traits).toEqual({
      email: provider.account.email,
      name: { first: 'Ola', last: 'Idc' },
    })
  })

  test('an address the provider did not verify, or that has a password, takes over nothing', async () => {
    const { email } = await aPerson(ctx)
    provider.account = person({ email, email_verified: false })
    const first = browser(open)
    expect(await wordsOf(first, (await signIn(first)).answer.headers.location)).toContain('did not confirm')
    provider.account = person({ email })
    const second = browser(open)
    expect(await wordsOf(second, (await signIn(second)).answer.headers.location)).toContain('link Harbour')
    expect((await whoami(second)).statusCode).toBe(401)
  })

  test('an answer works once, in the browser it belongs to, and untouched', async () => {
    provider.account = person()
    const visitor = browser(open)
    const { address } = await leave(visitor)
    const answer = await visitProvider(address)
    expect((await back(browser(open), answer)).headers.location).toMatch(/^\/error\?id=/)
    const tampered = new URL(answer)
    tampered.searchParams.set('state', `${answer.searchParams.get('state')}x`)
    expect(await wordsOf(visitor, (await back(visitor, tampered)).headers.location)).toContain('did not work')
    // The tampered one used the flow's question up; so did whoever sent it.
    expect(await wordsOf(visitor, (await back(visitor, answer)).headers.location)).toContain('did not work')

    const again = browser(open)
    const good = await visitProvider((await leave(again)).address)
    expect((await back(again, good)).headers.location).toBe('/')
    expect((await back(again, good)).headers.location).not.toBe('/profile-settings')
    const forged = await back(browser(open), new URL(`${callback}?code=x&state=login.nope.nope`))
    expect(forged.headers.location).toMatch(/^\/error\?id=/)
  })

  test('a provider that declines or does not answer is told in the form', async () => {
    const visitor = browser(app)
    expect(await wordsOf(visitor, (await signIn(visitor)).answer.headers.location)).toContain('Harbour did not work')
    const { answer } = await leave(browser(app), 'login', { provider: 'dead' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().ui.messages[0].text).toContain('Dead does not answer')
    expect((await leave(browser(app), 'login', { provider: 'nobody' })).answer.statusCode).toBe(400)
  })
})

describe('social sign-in in the settings', () => {
  test("links and unlinks, never another account's and never the last way in", async () => {
    const { email, id } = await aPerson(ctx)
    provider.account = person()
    const visitor = await signedInAs(app, email)
    const link = async (who: Browser) => {
      const { address, flow } = await leave(who, 'settings', { link: 'harbour' })
      return { flow, answer: await back(who, await visitProvider(address)) }
    }
    const { answer } = await link(visitor)
    expect(answer.headers.location).toMatch(/^\/profile-settings\?flow=/)
    expect(await wordsOf(visitor, answer.headers.location)).toBe('Your changes have been saved.')
    const social = browser(app)
    await signIn(social)
    expect((await whoami(social)).json().identity.id).toBe(id)

    const other = await signedInAs(app, (await aPerson(ctx)).email)
    expect(await wordsOf(other, (await link(other)).answer.headers.location)).toContain('another account')

    const unlinked = await leave(visitor, 'settings', { unlink: 'harbour' })
    expect(unlinked.answer.statusCode).toBe(200)
    await link(visitor)
    await db.run(`delete from identity_credentials where identity_id = $1 and type = 'password'`, [id])
    const refused = await leave(visitor, 'settings', { unlink: 'harbour' })
    expect(refused.answer.statusCode).toBe(400)
    const shown = refused.flow.ui.nodes.find(({ attributes }) => attributes.name === 'unlink')
    expect(shown).toMatchObject({ attributes: { disabled: true }, messages: [{ type: 'info' }] })
  })

  test('settings that make no sense stop the start', () => {
    const read = (value: string) => () => readConfig({ QUARTERDECK_OIDC_PROVIDERS: value })
    expect(read('nonsense')).toThrow('must be a JSON list')
    expect(read('[{"id":"A b","label":"x","issuer":"https://a.test","client_id":"c"}]')).toThrow('small letters')
    const twice = '{"id":"a","label":"x","issuer":"https://a.test","client_id":"c"}'
    expect(read(`[${twice},${twice}]`)).toThrow('one id')
  })
})
