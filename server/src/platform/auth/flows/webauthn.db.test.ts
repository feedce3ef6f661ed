import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { readConfig } from '../../../config.ts'
import { fakeClock, testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { type Browser, testServer } from '../../../testing/http.ts'
import { aPerson, signedInAs, startedFlow } from '../../../testing/identity.ts'
import { SecurityKey } from '../../../testing/security-key.ts'
import { openDb } from '../../db/db.ts'
import { identityRoutes } from '../identity.routes.ts'

const db = await testDatabase()
const otherDb = openDb({ url: db.url })
const clock = fakeClock('2026-01-15T10:00:00Z')
const origin = 'https://deck.example.test'
const ctx = testContext(db, { clock, config: readConfig({ QUARTERDECK_PUBLIC_URL: origin }) })
let app: FastifyInstance
let twin: FastifyInstance
let email: string
let id: string

beforeAll(async () => {
  app = await testServer(ctx, identityRoutes)
  twin = await testServer({ ...ctx, db: otherDb }, identityRoutes)
})
afterAll(async () => {
  await app.close()
  await twin.close()
  await otherDb.close()
})
beforeEach(async () => {
  clock.add(3_600_000)
  ;({ email, id } = await aPerson(ctx))
})

/** A form with the options that its button hands to the key. */
async function form(visitor: Browser, kind: 'settings' | 'login', query = '') {
  const { flow, csrf } = await startedFlow(visitor, kind, query)
  const name = kind === 'settings' ? 'webauthn_register_trigger' : 'webauthn_login_trigger'
  const button = flow.ui.nodes.find(({ attributes }) => attributes.name === name)!.attributes.onclick as string
  const { publicKey } = JSON.parse(/^window\.\w+\((.*)\)$/.exec(button)![1]!) as { publicKey: { challenge: string } }
  const send = (payload: object) =>
    visitor.send({
      method: 'POST',
      url: `/api/.ory/self-service/${kind}?flow=${flow.id}`,
      payload: { csrf_token: csrf, method: 'webauthn', ...payload },
    })
  return { options: publicKey, send }
}
async function withKey() {
  const key = new SecurityKey(origin)
  const visitor = await signedInAs(app, email)
  const { options, send } = await form(visitor, 'settings')
  const answer = await send({ webauthn_register: key.register(options), webauthn_register_displayname: 'Blue key' })
  expect(answer.statusCode).toBe(200)
  return { key, visitor }
}
const secondStep = async (server = app) => form(await signedInAs(server, email), 'login', '?aal=aal2')
const keys = () => db.run(`select 1 from identity_credentials where identity_id = $1 and type = 'webauthn'`, [id])

describe('a security key', () => {
  test('is added, then asked for, and opens the account together with the password', async () => {
    const { key } = await withKey()
    expect(await keys()).toBe(1)
    const visitor = await signedInAs(app, email)
    expect((await visitor.send({ url: '/api/.ory/sessions/whoami' })).statusCode).toBe(403)
    const { options, send } = await form(visitor, 'login', '?aal=aal2')
    const answer = await send({ webauthn_login: key.signIn(options) })
    expect(answer.json().session.authenticator_assurance_level).toBe('aal2')
    expect((await visitor.send({ url: '/api/.ory/sessions/whoami' })).statusCode).toBe(200)
  })

  test('is added only for this site, this form, by somebody who touches it', async () => {
    const key = new SecurityKey(origin)
    const visitor = await signedInAs(app, email)
    const earlier = await form(visitor, 'settings')
    const { options, send } = await form(visitor, 'settings')
    for (const lie of [
      { origin: 'https://deck.example.test.evil.test' },
      { origin: 'http://deck.example.test' },
      { rpId: 'evil.test' },
      { challenge: earlier.options.challenge },
      { challenge: Buffer.from('of my own').toString('base64url') },
      { type: 'webauthn.get' },
      { untouched: true },
    ]) {
      const answer = await send({ webauthn_register: key.register(options, lie) })
      expect([lie, answer.statusCode]).toEqual([lie, 400])
    }
    expect(await keys()).toBe(0)
  })

  test('a question is answered once: the same answer adds no second key and no key to another account', async () => {
    const key = new SecurityKey(origin)
    const visitor = await signedInAs(app, email)
    const { options, send } = await form(visitor, 'settings')
    const answer = key.register(options)
    expect((await send({ webauthn_register: answer })).statusCode).toBe(200)
    expect((await send({ webauthn_register: answer })).statusCode).toBe(400)
    expect((await send({ webauthn_register: new SecurityKey(origin).register(options) })).statusCode).toBe(400)
    expect(await keys()).toBe(1)
    const other = await form(await signedInAs(app, (await aPerson(ctx)).email), 'settings')
    expect((await other.send({ webauthn_register: key.register(other.options) })).statusCode).toBe(400)
  })

  test('signs in only for this site and this form, and only its own account', async () => {
    const { key } = await withKey()
    const earlier = await secondStep()
    const { options, send } = await secondStep()
    for (const lie of [
      { origin: 'https://evil.test' },
      { rpId: 'evil.test' },
      { challenge: earlier.options.challenge },
      { type: 'webauthn.create' },
      { untouched: true },
      { counter: 0 },
    ]) {
      const answer = await send({ webauthn_login: key.signIn(options, lie) })
      expect([lie, answer.statusCode]).toEqual([lie, 400])
    }
    expect((await send({ webauthn_login: new SecurityKey(origin).signIn(options) })).statusCode).toBe(400)
    expect((await send({ webauthn_login: key.signIn(options) })).statusCode).toBe(200)
  })

  test('an answer that was used is worth nothing, in the same form and in another, at either server', async () => {
    const { key } = await withKey()
    const [one, two] = [await secondStep(app), await secondStep(twin)]
    const answer = key.signIn(one.options)
    expect((await one.send({ webauthn_login: answer })).statusCode).toBe(200)
    expect([400, 403, 410]).toContain((await one.send({ webauthn_login: answer })).statusCode)
    expect((await two.send({ webauthn_login: answer })).statusCode).toBe(400)
    // A copy of the key that counts on its own is found out.
    const behind = key.signIn(two.options, { counter: 1 })
    expect((await two.send({ webauthn_login: behind })).statusCode).toBe(400)
  })
})
