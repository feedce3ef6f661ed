import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { peopleRoutes } from '../../../modules/people/people.routes.ts'
import { mailConsumer } from '../../../modules/people/mail.consumer.ts'
import { readConfig } from '../../../config.ts'
import { fakeClock, testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { type Browser, browser, testServer } from '../../../testing/http.ts'
import { aPerson, signedInAs, startedFlow } from '../../../testing/identity.ts'
import { startMailbox } from '../../../testing/mailbox.ts'
import { identityRoutes } from '../identity.routes.ts'
import { prepareAuth } from '../prepare.ts'

const db = await testDatabase()
const clock = fakeClock('2026-01-15T10:00:00Z')
const mailbox = await startMailbox()
const settings = { SMTP_URL: mailbox.url, MAIL_FROM: 'ops@example.test', QUARTERDECK_REGISTRATION: 'on' }
const ctx = testContext(db, { clock, config: readConfig(settings) })
const routes = [...identityRoutes, ...peopleRoutes]
let app: FastifyInstance

beforeAll(async () => {
  app = await testServer(ctx, routes)
  void (await aPerson(ctx, ['admin']))
})
afterAll(async () => {
  await app.close()
  await mailbox.close()
})
beforeEach(() => clock.add(3_600_000))

const password = 'a lantern on the mizzen'
const submit = (visitor: Browser, kind: string, flow: string, payload: object) =>
  visitor.send({ method: 'POST', url: `/api/.ory/self-service/${kind}?flow=${flow}`, payload })

async function register(visitor: Browser, email: string, changes: object = {}) {
  const { flow, csrf } = await startedFlow(visitor, 'registration', '?after_verification_return_to=%2Fcatalog')
  const traits = { email, name: { first: 'Rae', last: 'Gister' } }
  return submit(visitor, 'registration', flow.id, {
    csrf_token: csrf,
    method: 'password',
    traits,
    password,
    ...changes,
  })
}

async function enterCode(visitor: Browser, flowId: string, code: string) {
  const flow = (await visitor.send({ url: `/api/.ory/self-service/verification/flows?id=${flowId}` })).json()
  const csrf_token = flow.ui.nodes[0].attributes.value
  return submit(visitor, 'verification', flowId, { csrf_token, method: 'code', code })
}
const codeIn = (mail: { text: string }) => /\d{8}/.exec(mail.text)![0]
const accounts = (email: string) => db.run(`select 1 from identities where traits ->> 'email' = $1`, [email])
let serial = 0
const address = () => `reg-${++serial}@example.test`

describe('registration', () => {
  test('[SELF-25] makes an account when the address is proven, and a viewer of it', async () => {
    const visitor = browser(app)
    const email = address()
    const answer = await register(visitor, email)
    expect(answer.statusCode).toBe(200)
    const { continue_with, identity } = answer.json()
    expect(identity.traits.email).toBe(email)
    expect(continue_with[0]).toMatchObject({ action: 'show_verification_ui', flow: { verifiable_address: email } })
    expect(await accounts(email)).toBe(0)
    const [stored] = await db.query(`select state::text as state from identity_flows where id = $1`, [
      continue_with[0].flow.id,
    ])
    expect(JSON.stringify(stored)).not.toContain(password)

    const code = codeIn(await mailbox.to(email))
    expect(JSON.stringify(stored)).not.toContain(code)
    expect((await enterCode(visitor, continue_with[0].flow.id, '00000000')).statusCode).toBe(400)
    const done = await enterCode(visitor, continue_with[0].flow.id, code)
    expect(done.json()).toMatchObject({
      state: 'passed_challenge',
      ui: { messages: [{ id: 1080002, type: 'success' }] },
    })
    expect(done.json().ui.nodes.at(-1)).toMatchObject({ type: 'a', attributes: { href: '/catalog' } })
    const used = await visitor.send({ url: `/api/.ory/self-service/verification/flows?id=${continue_with[0].flow.id}` })
    expect(used.statusCode).toBe(410)

    const signedIn = await signedInAs(app, email, password)
    const me = (await signedIn.send({ url: '/api/auth/whoami' })).json().payload
    expect(me.roles).toEqual([])
    expect(
      (await signedIn.send({ url: '/api/.ory/sessions/whoami' })).json().identity.verifiable_addresses,
    ).toMatchObject([{ value: email, verified: true, status: 'completed' }])
    const log = await db.query(`select action from audit_log where object_name = $1`, [email])
    expect(log).toContainEqual({ action: 'registered' })
  })

  test('says the same for an address that has an account, whose owner is told by mail', async () => {
    const { email } = await aPerson(ctx)
    const known = await register(browser(app), email)
    const unknown = await register(browser(app), address())
    const shape = (body: string) =>
      body
        .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
        .replaceAll(/(reg|person)-\d+@/g, 'X@')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
    expect(shape(known.body)).toBe(shape(unknown.body))
    expect(known.statusCode).toBe(unknown.statusCode)
    expect((await mailbox.to(email)).subject).toBe('You have an account already')
  })

  test('names every fault of the form at its field', async () => {
    const answer = await register(browser(app), 'nonsense', { password: 'short' })
    expect(answer.statusCode).toBe(400)
    const faults = answer
      .json()
      .ui.nodes.filter((node: { messages: unknown[] }) => node.messages.length > 0)
      .map((node: { attributes: { name: string } }) => node.attributes.name)
    expect(faults).toEqual(['traits.email', 'password'])
    expect(answer.body).not.toContain('"short"')
  })

  test('is off unless the operator allows it, which takes a mail server', async () => {
    const closed = await testServer(testContext(db, { clock }), identityRoutes)
    const { answer } = await startedFlow(browser(closed), 'registration')
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.id).toBe('self_service_registration_disabled')
    await closed.close()
    const config = readConfig({ QUARTERDECK_REGISTRATION: 'on' })
    await expect(prepareAuth({ config, log: ctx.log })).rejects.toThrow('needs SMTP_URL')
  })

  test('refuses another site as the place to go on', async () => {
    const { answer } = await startedFlow(browser(app), 'registration', '?after_verification_return_to=%2F%2Fevil.test')
    expect(answer.json().error.id).toBe('self_service_flow_return_to_forbidden')
  })
})

describe('verification', () => {
  test('[SELF-24] proves an address, which has to be proven again when it changes', async () => {
    const { email, id } = await aPerson(ctx)
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'verification')
    const sent = await submit(visitor, 'verification', flow.id, { csrf_token: csrf, method: 'code', email })
    expect(sent.json()).toMatchObject({ state: 'sent_email', ui: { messages: [{ type: 'info' }] } })
    const stranger = await startedFlow(browser(app), 'verification')
    expect(stranger.answer.statusCode).toBe(200)
    expect((await enterCode(visitor, flow.id, codeIn(await mailbox.to(email)))).json().state).toBe('passed_challenge')
    const verified = async () =>
      (
        await db.one<{ yes: boolean }>(
          `select exists (select 1 from identity_addresses a join identities i on i.id = a.identity_id
           where i.id = $1 and a.value = i.traits ->> 'email') as yes`,
          [id],
        )
      ).yes
    expect(await verified()).toBe(true)
    await db.run(`update identities set traits = jsonb_set(traits, '{email}', '"new-${email}"') where id = $1`, [id])
    expect(await verified()).toBe(false)
  })

  test('a new address gets a code, with the form that takes it', async () => {
    const { email } = await aPerson(ctx)
    const visitor = await signedInAs(app, email)
    const { flow, csrf } = await startedFlow(visitor, 'settings')
    const next = `next-${email}`
    const traits = { email: next, name: { first: 'A', last: 'B' } }
    const saved = await submit(visitor, 'settings', flow.id, { csrf_token: csrf, method: 'profile', traits })
    expect(saved.statusCode).toBe(200)
    const mail = await mailbox.to(next)
    const id = /verification\?flow=([0-9a-f-]+)/.exec(mail.text)![1]!
    expect((await enterCode(visitor, id, codeIn(mail))).json().state).toBe('passed_challenge')
    const me = (await visitor.send({ url: '/api/.ory/sessions/whoami' })).json()
    expect(me.identity.verifiable_addresses).toMatchObject([{ value: next, verified: true }])
  })

  test('a code is worth nothing after five guesses, and nobody learns who has an account', async () => {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'verification')
    const email = address()
    const sent = await submit(visitor, 'verification', flow.id, { csrf_token: csrf, method: 'code', email })
    expect(sent.json().state).toBe('sent_email')
    const codes: string[] = []
    for (let i = 0; i < 6; i++) codes.push((await enterCode(visitor, flow.id, '11111111')).json().state)
    expect(codes).toEqual([...Array<string>(5).fill('sent_email'), 'choose_method'])
    expect(await mailbox.count(email)).toBe(0)
  })
})

describe('verification by link', () => {
  const linkIn = (mail: { text: string }) => {
    const url = new URL(/http\S+token=\S+/.exec(mail.text)![0])
    return url.pathname + url.search
  }
  const page = { accept: 'text/html' }
  const shown = async (visitor: Browser, location: unknown) => {
    const id = String(location).split('flow=')[1]!
    const flow = (await visitor.send({ url: `/api/.ory/self-service/verification/flows?id=${id}` })).json()
    return { id, flow, csrf_token: flow.ui.nodes[0].attributes.value as string }
  }
  async function asked(email: string, method = 'code') {
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'verification', '?return_to=%2Fcatalog')
    const sent = await submit(visitor, 'verification', flow.id, { csrf_token: csrf, method, email })
    expect(sent.json().state).toBe('sent_email')
    return { visitor, flow, csrf, link: linkIn(await mailbox.to(email)) }
  }
  const isVerified = (id: string) => db.run('select 1 from identity_addresses where identity_id = $1', [id])

  test('is done at once in the browser that asked for it, and works once', async () => {
    const { email, id } = await aPerson(ctx)
    const { visitor, link, flow } = await asked(email, 'link')
    const { state } = await db.one<{ state: string }>('select state::text from identity_flows where id = $1', [flow.id])
    expect(state).not.toContain(new URL(link, 'http://x').searchParams.get('token'))
    const opened = await visitor.send({ url: link, headers: page })
    expect(opened.statusCode).toBe(303)
    expect(await isVerified(id)).toBe(1)
    const { flow: after } = await shown(visitor, opened.headers.location)
    expect(after).toMatchObject({ state: 'passed_challenge', ui: { messages: [{ id: 1080002 }] } })
    expect(after.ui.nodes.at(-1)).toMatchObject({ type: 'a', attributes: { href: '/catalog' } })
    const again = await visitor.send({ url: link, headers: page })
    expect((await shown(visitor, again.headers.location)).flow.ui.messages).toMatchObject([{ id: 4070001 }])
    const log = await db.query('select action from audit_log where object_id = $1', [id])
    expect(log.filter(({ action }) => action === 'address_verified')).toHaveLength(1)
  })

  test('in another browser it only shows a button, so that a scanner proves nothing', async () => {
    const { email, id } = await aPerson(ctx)
    const { link, visitor, flow } = await asked(email)
    expect((await browser(app).send({ method: 'HEAD', url: link })).statusCode).toBe(200)
    const elsewhere = browser(app)
    const opened = await elsewhere.send({ url: link, headers: page })
    expect(await isVerified(id)).toBe(0)
    const form = await shown(elsewhere, opened.headers.location)
    expect(form.flow.ui.messages[0].text).toContain(email)
    expect(form.flow.ui.nodes.at(-1).attributes).toMatchObject({ name: 'method', value: 'link', type: 'submit' })
    // The button belongs to that browser, and does not take codes.
    const press = (as: Browser, payload: object) => submit(as, 'verification', form.id, payload)
    const good = { csrf_token: form.csrf_token, method: 'link' }
    expect((await press(browser(app), good)).statusCode).toBe(403)
    expect((await press(elsewhere, { ...good, method: 'code', code: '1' })).statusCode).toBe(400)
    const opened2 = await elsewhere.send({ url: link, headers: page })
    const second = await shown(elsewhere, opened2.headers.location)
    const done = await submit(elsewhere, 'verification', second.id, { ...good, csrf_token: second.csrf_token })
    expect(done.json().state).toBe('passed_challenge')
    expect(await isVerified(id)).toBe(1)
    expect((await press(elsewhere, good)).statusCode).toBe(400)
    const asking = await visitor.send({ url: `/api/.ory/self-service/verification/flows?id=${flow.id}` })
    expect(asking.statusCode).toBe(410)
  })

  test('makes the account that was registered, by the word of whoever reads the mail', async () => {
    const email = address()
    await register(browser(app), email)
    const link = linkIn(await mailbox.to(email))
    const reader = browser(app)
    const opened = await reader.send({ url: link, headers: page })
    expect(await accounts(email)).toBe(0)
    const form = await shown(reader, opened.headers.location)
    expect(form.flow.ui.messages[0].text).toContain('only if it was you')
    const done = await submit(reader, 'verification', form.id, { csrf_token: form.csrf_token, method: 'link' })
    expect(done.json().ui.nodes.at(-1)).toMatchObject({ attributes: { href: '/catalog' } })
    expect(await accounts(email)).toBe(1)
    await signedInAs(app, email, password)
  })

  test('a browser without script goes on where it wanted to', async () => {
    const { email, id } = await aPerson(ctx)
    const { visitor, flow, csrf } = await asked(email)
    const code = codeIn(await mailbox.to(email))
    const done = await visitor.send({
      method: 'POST',
      url: `/api/.ory/self-service/verification?flow=${flow.id}`,
      headers: { ...page, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ csrf_token: csrf, method: 'code', code }).toString(),
    })
    expect([done.statusCode, done.headers.location]).toEqual([303, '/catalog'])
    expect(await isVerified(id)).toBe(1)
  })

  test('tampered with, too late, of a changed address, or for a script: a clear answer', async () => {
    const { email, id } = await aPerson(ctx)
    const { visitor, link } = await asked(email)
    for (const bad of [`${link}x`, link.replace(/flow=[^&]+/, 'flow=nope'), '/api/.ory/self-service/verification']) {
      const opened = await visitor.send({ url: bad, headers: page })
      expect((await shown(visitor, opened.headers.location)).flow.ui.messages).toMatchObject([{ id: 4070001 }])
    }
    const script = await browser(app).send({ url: link })
    expect(script.statusCode).toBe(422)
    expect(script.json().redirect_browser_to).toMatch(/^\/verification\?flow=/)
    await db.run(`update identities set traits = jsonb_set(traits, '{email}', '"moved-${email}"') where id = $1`, [id])
    const moved = await visitor.send({ url: link, headers: page })
    expect((await shown(visitor, moved.headers.location)).flow.ui.messages).toMatchObject([{ id: 4070001 }])
    expect(await isVerified(id)).toBe(0)
    const late = await asked((await aPerson(ctx)).email)
    clock.add(3_600_001)
    const expired = await late.visitor.send({ url: late.link, headers: page })
    expect((await shown(late.visitor, expired.headers.location)).flow.ui.messages).toMatchObject([{ id: 4070001 }])
  })
})

describe('recovery by link', () => {
  test('mails a link that signs in once and leads to the password', async () => {
    const { email } = await aPerson(ctx)
    const visitor = browser(app)
    const { flow, csrf } = await startedFlow(visitor, 'recovery')
    const sent = await submit(visitor, 'recovery', flow.id, { csrf_token: csrf, method: 'link', email })
    expect(sent.json()).toMatchObject({ state: 'sent_email', ui: { messages: [{ id: 1060002 }] } })
    const link = /http\S+/.exec((await mailbox.to(email)).text)![0]
    const url = new URL(link)
    const opened = await visitor.send({ url: url.pathname + url.search, headers: { accept: 'text/html' } })
    expect(opened.headers.location).toMatch(/^\/profile-settings\?flow=/)
    const again = await browser(app).send({ url: url.pathname + url.search, headers: { accept: 'text/html' } })
    expect(again.headers.location).toMatch(/^\/recovery\?flow=/)
  })
})

describe('a mail server that is down', () => {
  test('does not stop the flow: the mail waits in the event queue, unreadable, and is sent when the server is back', async () => {
    const gone = await startMailbox()
    await gone.close()
    const config = readConfig({ ...settings, SMTP_URL: gone.url })
    const down = { ...testContext(db, { clock, config }), secrets: ctx.secrets }
    const server = await testServer(down, routes)
    const { email } = await aPerson(ctx)
    const visitor = browser(server)
    const { flow, csrf } = await startedFlow(visitor, 'recovery')
    const sent = await submit(visitor, 'recovery', flow.id, { csrf_token: csrf, method: 'code', email })
    expect(sent.json().state).toBe('sent_email')

    const event = async () =>
      db.maybeOne<{ properties: { id: string; to: string } }>(
        `select properties from event_queue where name = 'mail.send' and properties ->> 'to' = $1`,
        [email],
      )
    await expect.poll(event).toBeDefined()
    const { properties } = (await event())!
    const kept = await db.one<{ content: string }>('select content from outgoing_mails where id = $1', [properties.id])
    expect(kept.content).toMatch(/^qd1\./)
    const fact = { id: '1', name: 'mail.send', properties, createdAt: clock.now(), attempts: 0 }
    const signal = new AbortController().signal
    await expect(mailConsumer.handle(down, fact, signal)).rejects.toThrow('could not be sent')

    await mailConsumer.handle(ctx, fact, signal)
    const code = codeIn(await mailbox.to(email))
    const moved = await submit(visitor, 'recovery', flow.id, { csrf_token: csrf, method: 'code', code })
    expect(moved.json().error.id).toBe('browser_location_change_required')
    // What was sent is gone; the event may come once more.
    await mailConsumer.handle(ctx, fact, signal)
    expect(await mailbox.count(email)).toBe(1)
    await server.close()
  })
})
