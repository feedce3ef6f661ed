import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { readConfig } from '../../../config.ts'
import { testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { type Browser, browser, testServer } from '../../../testing/http.ts'
import { aPerson, signedInAs, startedFlow } from '../../../testing/identity.ts'
import { type OpenIdProvider, startOpenIdProvider, visitProvider } from '../../../testing/openid-provider.ts'
import { identityRoutes } from '../identity.routes.ts'

/** Two real providers; answers of one are given where those of the other, or of another flow, are waited for. */
const db = await testDatabase()
const origin = 'http://deck.example.test'
const callback = (id: string) => `${origin}/api/.ory/self-service/methods/oidc/callback/${id}`
const providers: OpenIdProvider[] = []
let app: FastifyInstance
let ctx: ReturnType<typeof testContext>

beforeAll(async () => {
  for (const id of ['harbour', 'pirate']) providers.push(await startOpenIdProvider([callback(id)]))
  const listed = providers.map(({ issuer, clientId, clientSecret }, i) => ({
    id: ['harbour', 'pirate'][i],
    label: ['Harbour', 'Pirate'][i],
    issuer,
    client_id: clientId,
    client_secret: clientSecret,
  }))
  const config = readConfig({
    QUARTERDECK_PUBLIC_URL: origin,
    QUARTERDECK_OIDC_PROVIDERS: JSON.stringify(listed),
    QUARTERDECK_OIDC_UNKNOWN: 'viewer',
  })
  ctx = testContext(db, { config })
  app = await testServer(ctx, identityRoutes)
})
afterAll(async () => {
  await app.close()
  for (const provider of providers) await provider.close()
})

const account = (name: string) => ({
  sub: name,
  email: `${name}@example.test`,
  email_verified: true,
  given_name: name,
  family_name: 'X',
})
async function leave(visitor: Browser, provider: string, kind = 'login') {
  const { flow, csrf } = await startedFlow(visitor, kind)
  const field = kind === 'login' ? 'provider' : 'link'
  const answer = await visitor.send({
    method: 'POST',
    url: `/api/.ory/self-service/${kind}?flow=${flow.id}`,
    payload: { csrf_token: csrf, [field]: provider },
  })
  return { flow, address: answer.json().redirect_browser_to as string }
}
const back = (visitor: Browser, url: URL) =>
  visitor.send({ url: url.pathname + url.search, headers: { accept: 'text/html' } })
const isIn = async (visitor: Browser) => (await visitor.send({ url: '/api/.ory/sessions/whoami' })).statusCode === 200

describe('answers of providers that are mixed up', () => {
  test('the code of another flow is worth nothing: its proof (PKCE) stays in the flow it was made for', async () => {
    providers[0]!.account = account('swap')
    const visitor = browser(app)
    const [one, two] = [await leave(visitor, 'harbour'), await leave(visitor, 'harbour')]
    const [first, second] = [await visitProvider(one.address), await visitProvider(two.address)]
    const swapped = new URL(first)
    swapped.searchParams.set('code', second.searchParams.get('code')!)
    expect((await back(visitor, swapped)).headers.location).toBe(`/login?flow=${one.flow.id}`)
    expect(await isIn(visitor)).toBe(false)
  })

  test('the answer of one provider is not taken for that of another', async () => {
    for (const provider of providers) provider.account = account('admin')
    const visitor = browser(app)
    const { address, flow } = await leave(visitor, 'pirate')
    const answer = await visitProvider(address)
    const elsewhere = new URL(callback('harbour'))
    elsewhere.search = answer.search
    expect((await back(visitor, elsewhere)).headers.location).toBe(`/login?flow=${flow.id}`)
    const other = browser(app)
    const asked = await leave(other, 'harbour')
    const real = await visitProvider(asked.address)
    const named = new URL(real)
    named.searchParams.set('iss', providers[1]!.issuer)
    expect((await back(other, named)).headers.location).toBe(`/login?flow=${asked.flow.id}`)
    expect(await isIn(visitor)).toBe(false)
    expect(await isIn(other)).toBe(false)
  })

  test('the same name at two providers is two accounts, and neither opens the other', async () => {
    providers[0]!.account = account('twin')
    const visitor = browser(app)
    expect((await back(visitor, await visitProvider((await leave(visitor, 'harbour')).address))).headers.location).toBe(
      '/',
    )
    expect(await isIn(visitor)).toBe(true)
    providers[1]!.account = account('twin')
    const pirate = browser(app)
    const { address, flow } = await leave(pirate, 'pirate')
    expect((await back(pirate, await visitProvider(address))).headers.location).toBe(`/login?flow=${flow.id}`)
    expect(await isIn(pirate)).toBe(false)
  })

  test("an attacker's answer does not sign a victim in, nor link itself to the victim's account", async () => {
    providers[1]!.account = account('mallory')
    const attacker = browser(app)
    const answer = await visitProvider((await leave(attacker, 'pirate')).address)
    const stranger = browser(app)
    expect((await back(stranger, answer)).headers.location).toMatch(/^\/error\?id=/)
    expect(await isIn(stranger)).toBe(false)
    const { email, id } = await aPerson(ctx)
    const victim = await signedInAs(app, email)
    const link = await leave(await signedInAs(app, (await aPerson(ctx)).email), 'pirate', 'settings')
    const linking = await visitProvider(link.address)
    expect((await back(victim, linking)).headers.location).toMatch(/^\/error\?id=/)
    const links = await db.query(`select 1 from identity_credentials where identity_id = $1 and type = 'oidc'`, [id])
    expect(links).toEqual([])
  })
})
