import { Flow } from '@quarterdeck/contract/identity'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { fakeClock, testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { type Browser, testServer } from '../../../testing/http.ts'
import { aPerson, goodPassword, signedInAs, startedFlow } from '../../../testing/identity.ts'
import { peopleRoutes } from '../../../modules/people/people.routes.ts'
import { identityRoutes } from '../identity.routes.ts'

const db = await testDatabase()
const clock = fakeClock('2026-01-15T10:00:00Z')
const ctx = testContext(db, { clock })
let app: FastifyInstance
let email: string
let id: string

beforeAll(async () => {
  app = await testServer(ctx, [...identityRoutes, ...peopleRoutes])
})
afterAll(() => app.close())
beforeEach(async () => {
  clock.set('2026-01-15T10:00:00Z')
  ;({ email, id } = await aPerson(ctx, ['admin']))
})

const whoami = (visitor: Browser) => visitor.send({ url: '/api/.ory/sessions/whoami' })
const submit = (visitor: Browser, kind: string, flow: string, payload: object) =>
  visitor.send({ method: 'POST', url: `/api/.ory/self-service/${kind}?flow=${flow}`, payload })
const codeOf = (secret: string, at = clock.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() })

interface Node {
  type: string
  group: string
  attributes: Record<string, unknown> & {
    text?: { text: string; context: { secrets: { id: number; text: string }[] } }
  }
}
const named = (flow: { ui: { nodes: Node[] } }, name: string) =>
  flow.ui.nodes.find(({ attributes }) => attributes.name === name || attributes.id === name)

async function settings(visitor: Browser) {
  const { flow, csrf } = await startedFlow(visitor, 'settings')
  return {
    flow: flow as unknown as { id: string; ui: { nodes: Node[] } },
    send: (payload: object) => submit(visitor, 'settings', flow.id, { csrf_token: csrf, ...payload }),
  }
}

/** Links an authenticator app to the account of a signed-in browser. */
async function linkApp(visitor: Browser): Promise<string> {
  const { flow, send } = await settings(visitor)
  const secret = named(flow, 'totp_secret_key')!.attributes.text!.text
  const answer = await send({ method: 'totp', totp_code: codeOf(secret) })
  expect(answer.statusCode).toBe(200)
  clock.add(60_000)
  return secret
}

async function secondStep(visitor: Browser, query = '?aal=aal2') {
  const { flow, csrf, answer } = await startedFlow(visitor, 'login', query)
  return {
    answer,
    flow: flow as unknown as { id: string; ui: { nodes: Node[] } },
    send: (payload: object) => submit(visitor, 'login', flow.id, { csrf_token: csrf, ...payload }),
  }
}

const actions = async () =>
  (await db.query<{ action: string }>('select action from audit_log where object_id = $1 order by at, id', [id])).map(
    ({ action }) => action,
  )

describe('an authenticator app', () => {
  test('[SELF-20] is linked by scanning a code, kept encrypted, and raises the session that linked it', async () => {
    const visitor = await signedInAs(app, email)
    const { flow, send } = await settings(visitor)
    const shape = Flow.parse(flow)
    expect(new Set(shape.ui.nodes.map(({ group }) => group))).toEqual(
      new Set(['default', 'profile', 'password', 'totp', 'lookup_secret', 'webauthn']),
    )
    expect(new Set(shape.ui.nodes.map(({ type }) => type))).toEqual(new Set(['input', 'img', 'text', 'script']))
    expect(shape.ui.method).toBe('POST')
    expect(named(flow, 'totp_qr')!.attributes.src).toMatch(/^data:image\/svg\+xml;base64,/)
    const secret = named(flow, 'totp_secret_key')!.attributes.text!.text
    const again = await visitor.send({ url: `/api/.ory/self-service/settings/flows?id=${flow.id}` })
    expect(named(again.json(), 'totp_secret_key')!.attributes.text!.text).toBe(secret)

    const wrong = await send({ method: 'totp', totp_code: '000000' })
    expect(wrong.statusCode).toBe(400)
    expect(named(wrong.json(), 'totp_code')).toMatchObject({ messages: [{ id: 4000008, type: 'error' }] })
    expect(wrong.body).not.toContain('"000000"')

    expect((await send({ method: 'totp', totp_code: codeOf(secret) })).json().ui.messages[0].id).toBe(1050001)
    expect((await whoami(visitor)).json()).toMatchObject({
      authenticator_assurance_level: 'aal2',
      authentication_methods: [{ method: 'password' }, { method: 'totp', aal: 'aal2' }],
    })
    const [row] = await db.query(
      `select config::text from identity_credentials where type = 'totp' and identity_id = $1`,
      [id],
    )
    expect(JSON.stringify(row)).not.toContain(secret)
    expect(await actions()).toContain('second_factor_added')
  })

  test('[AUTH-06] [AUTH-09] the password alone opens nothing any more, password and code do', async () => {
    const secret = await linkApp(await signedInAs(app, email))
    const visitor = await signedInAs(app, email)
    const half = await whoami(visitor)
    expect(half.statusCode).toBe(403)
    expect(half.json()).toMatchObject({
      error: { id: 'session_aal2_required' },
      redirect_browser_to: expect.stringContaining('/self-service/login/browser?aal=aal2'),
    })
    expect((await visitor.send({ url: '/api/auth/whoami' })).statusCode).toBe(401)
    expect((await startedFlow(visitor, 'settings')).answer.json().error.id).toBe('session_aal2_required')
    expect((await visitor.send({ url: '/api/.ory/sessions' })).statusCode).toBe(403)

    const before = visitor.cookies.get('ory_kratos_session')
    const { flow, send } = await secondStep(visitor)
    expect(flow.ui.nodes.map(({ group }) => group)).toEqual(['default', 'totp', 'totp'])
    const done = await send({ method: 'totp', totp_code: codeOf(secret) })
    expect(done.json().session).toMatchObject({ authenticator_assurance_level: 'aal2' })
    expect(visitor.cookies.get('ory_kratos_session')).not.toBe(before)
    expect((await visitor.send({ url: '/api/auth/whoami' })).statusCode).toBe(200)
    const old = await app.inject({ url: '/api/auth/whoami', headers: { cookie: `ory_kratos_session=${before}` } })
    expect(old.statusCode).toBe(401)
  })

  test('a code works once, also in two browsers at once, and one step of clock skew is forgiven', async () => {
    const secret = await linkApp(await signedInAs(app, email))
    const [first, second] = [await signedInAs(app, email), await signedInAs(app, email)]
    const code = codeOf(secret)
    const answers = await Promise.all(
      [await secondStep(first), await secondStep(second)].map(({ send }) => send({ method: 'totp', totp_code: code })),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400])
    expect(answers.find(({ statusCode }) => statusCode === 400)!.body).toContain('was used already')

    const third = await signedInAs(app, email)
    const ahead = codeOf(secret, new Date(clock.now().getTime() + 30_000))
    const faraway = codeOf(secret, new Date(clock.now().getTime() + 90_000))
    expect((await (await secondStep(third)).send({ method: 'totp', totp_code: faraway })).statusCode).toBe(400)
    expect((await (await secondStep(third)).send({ method: 'totp', totp_code: ahead })).statusCode).toBe(200)
    // What lies before a code that was taken is used up too.
    const fourth = await signedInAs(app, email)
    expect((await (await secondStep(fourth)).send({ method: 'totp', totp_code: code })).statusCode).toBe(400)
  })

  test('guessing codes is bounded and written down', async () => {
    await linkApp(await signedInAs(app, email))
    const visitor = await signedInAs(app, email)
    const { send } = await secondStep(visitor)
    const codes: number[] = []
    for (let i = 0; i < 11; i++) codes.push((await send({ method: 'totp', totp_code: '123456' })).statusCode)
    expect(codes).toEqual([...Array<number>(10).fill(400), 429])
    expect((await actions()).filter((action) => action === 'sign_in_failed')).toHaveLength(10)
  })

  test('a script cannot walk around it with the password', async () => {
    await linkApp(await signedInAs(app, email))
    const basic = `Basic ${Buffer.from(`${email}:${goodPassword}`).toString('base64')}`
    const answer = await app.inject({ url: '/api/auth/whoami', headers: { authorization: basic } })
    expect(answer.statusCode).toBe(401)
    expect(answer.json().message).toContain('access token')
  })

  test('unlinking asks for a fresh session, and the password is enough afterwards', async () => {
    const visitor = await signedInAs(app, email)
    await linkApp(visitor)
    clock.add(20 * 60_000)
    const stale = await settings(visitor)
    expect(named(stale.flow, 'totp_code')).toBeUndefined()
    const refused = await stale.send({ totp_unlink: 'true' })
    expect(refused.statusCode).toBe(403)
    expect(refused.json().error.id).toBe('session_refresh_required')

    const { flow, csrf } = await startedFlow(visitor, 'login', '?refresh=true')
    const body = { csrf_token: csrf, method: 'password', identifier: email, password: goodPassword }
    expect((await submit(visitor, 'login', flow.id, body)).json().session.authenticator_assurance_level).toBe('aal2')
    expect((await stale.send({ totp_unlink: 'true' })).statusCode).toBe(200)
    expect((await whoami(await signedInAs(app, email))).statusCode).toBe(200)
    expect(await actions()).toContain('second_factor_removed')
  })

  test('who has none is not asked for one, and a stranger cannot show one', async () => {
    const visitor = await signedInAs(app, email)
    expect((await secondStep(visitor)).answer.json().error.id).toBe('session_already_available')
    await linkApp(visitor)
    const half = await signedInAs(app, email)
    const { flow } = await secondStep(half)
    const { email: otherEmail } = await aPerson(ctx)
    const other = await signedInAs(app, otherEmail)
    const stolen = await submit(other, 'login', flow.id, { method: 'totp', totp_code: '123456', csrf_token: 'x' })
    expect(stolen.json().error.id).toBe('session_already_available')
  })
})

describe('backup recovery codes', () => {
  async function makeCodes(visitor: Browser): Promise<string[]> {
    const { send } = await settings(visitor)
    const made = (await send({ lookup_secret_regenerate: 'true' })).json()
    const codes = named(made, 'lookup_secret_codes')!.attributes.text!.context.secrets.map(({ text }) => text)
    expect((await send({ lookup_secret_confirm: 'true' })).statusCode).toBe(200)
    return codes
  }

  test('[SELF-03] are shown once, stored as digests, work once, and show as used', async () => {
    const visitor = await signedInAs(app, email)
    await linkApp(visitor)
    const codes = await makeCodes(visitor)
    expect(new Set(codes).size).toBe(12)
    const kept = await db.query(
      `select config::text as text from identity_credentials where identity_id = $1
       union all select state::text from identity_flows`,
      [id],
    )
    for (const code of codes) expect(JSON.stringify(kept)).not.toContain(code)

    const half = await signedInAs(app, email)
    const spoken = codes[3]!.toUpperCase().replaceAll('-', ' ')
    expect((await (await secondStep(half)).send({ method: 'lookup_secret', lookup_secret: spoken })).statusCode).toBe(
      200,
    )
    const again = await (await secondStep(await signedInAs(app, email))).send({ lookup_secret: codes[3] })
    expect(named(again.json(), 'lookup_secret')).toMatchObject({ messages: [{ id: 4000012 }] })
    const wrong = await (await secondStep(await signedInAs(app, email))).send({ lookup_secret: 'aaaa-bbbb-cccc' })
    expect(named(wrong.json(), 'lookup_secret')).toMatchObject({ messages: [{ id: 4000016 }] })

    const { send } = await settings(half)
    const revealed = (await send({ lookup_secret_reveal: 'true' })).json()
    const secrets = named(revealed, 'lookup_secret_codes')!.attributes.text!.context.secrets
    expect(secrets.map(({ id: kind }) => kind).filter((kind) => kind === 1050014)).toHaveLength(1)
    for (const code of codes) expect(JSON.stringify(revealed)).not.toContain(code)
  })

  test('new codes replace old ones only when confirmed, and can be removed', async () => {
    const visitor = await signedInAs(app, email)
    await linkApp(visitor)
    const codes = await makeCodes(visitor)
    const { send } = await settings(visitor)
    expect((await send({ lookup_secret_confirm: 'true' })).statusCode).toBe(400)
    await send({ lookup_secret_regenerate: 'true' })
    const half = await signedInAs(app, email)
    expect((await (await secondStep(half)).send({ lookup_secret: codes[0] })).statusCode).toBe(200)
    expect((await (await settings(visitor)).send({ lookup_secret_disable: 'true' })).statusCode).toBe(200)
    const { flow } = await secondStep(await signedInAs(app, email))
    expect(named(flow, 'lookup_secret')).toBeUndefined()
    expect(await actions()).toEqual(expect.arrayContaining(['recovery_codes_made', 'recovery_codes_removed']))
  })
})

describe('security keys', () => {
  test('nothing but the answer of a key is taken for one', async () => {
    const visitor = await signedInAs(app, email)
    const { flow, send } = await settings(visitor)
    const button = named(flow, 'webauthn_register_trigger')!
    expect(button.attributes.onclick).toMatch(/^window\.oryWebAuthnRegistration\(\{"publicKey":\{/)
    for (const webauthn_register of ['nonsense', '{}', '[]', 'null', '{"id":"a","response":{}}']) {
      const answer = await send({ webauthn_register })
      expect(answer.statusCode).toBe(400)
      expect(answer.json().ui.messages[0].id).toBe(4000015)
    }
    expect((await send({ webauthn_remove: 'not mine' })).statusCode).toBe(400)
    const script = await app.inject({ url: '/api/.ory/.well-known/ory/webauthn.js' })
    expect(script.headers['content-type']).toContain('javascript')
    expect(script.body).toContain('oryWebAuthnLogin')
  })
})
