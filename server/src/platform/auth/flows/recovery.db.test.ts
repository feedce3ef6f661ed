import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { commandLine } from '../../../modules/people/act.ts'
import { insertPerson } from '../../../modules/people/people.service.ts'
import { readConfig } from '../../../config.ts'
import { fakeClock, testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { browser, testServer } from '../../../testing/http.ts'
import { aPerson, signedInAs, startedFlow, valueOf } from '../../../testing/identity.ts'
import { startMailbox } from '../../../testing/mailbox.ts'
import { sessionCookie } from '../cookies.ts'
import { identityRoutes } from '../identity.routes.ts'
import { makeLink } from '../links.ts'

const db = await testDatabase()
const clock = fakeClock('2026-01-15T10:00:00Z')
const mailbox = await startMailbox()
const ctx = testContext(db, {
  clock,
  config: readConfig({ SMTP_URL: mailbox.url, MAIL_FROM: 'ops@example.test' }),
})
const silent = testContext(db, { clock })
let app: FastifyInstance
let withoutMail: FastifyInstance

beforeAll(async () => {
  app = await testServer(ctx, identityRoutes)
  withoutMail = await testServer(silent, identityRoutes)
})
afterAll(async () => {
  await app.close()
  await withoutMail.close()
  await mailbox.close()
})

const path = '/api/.ory/self-service/recovery'
const submit = (visitor: ReturnType<typeof browser>, flow: string, payload: object) =>
  visitor.send({ method: 'POST', url: `${path}?flow=${flow}`, payload })
const mailTo = (address: string) => mailbox.to(address)

async function askForCode(visitor: ReturnType<typeof browser>, email: string) {
  const { flow, csrf } = await startedFlow(visitor, 'recovery')
  const answer = await submit(visitor, flow.id, { csrf_token: csrf, method: 'code', email })
  return { flow, csrf, answer }
}

async function setPassword(visitor: ReturnType<typeof browser>, page: string, password: string) {
  const id = page.split('flow=')[1]
  const flow = (await visitor.send({ url: `/api/.ory/self-service/settings/flows?id=${id}` })).json()
  expect(flow.ui.messages).toMatchObject([{ id: 1060001 }])
  const payload = { csrf_token: valueOf(flow, 'csrf_token'), method: 'password', password }
  return visitor.send({ method: 'POST', url: `/api/.ory/self-service/settings?flow=${id}`, payload })
}

describe('recovery by a mailed code', () => {
  test('the code signs in and leads to setting a password', async () => {
    const { email, id } = await aPerson(ctx)
    const visitor = browser(app)
    const { flow, csrf, answer } = await askForCode(visitor, email.toUpperCase())
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ state: 'sent_email', ui: { messages: [{ id: 1060003, type: 'info' }] } })
    const mail = await mailTo(email)
    const code = /\b\d{8}\b/.exec(mail.text ?? '')?.[0] as string
    expect(answer.body).not.toContain(code)
    expect(JSON.stringify(await db.query('select * from identity_flows'))).not.toContain(code)
    const done = await submit(visitor, flow.id, {
      csrf_token: csrf,
      method: 'code',
      code: ` ${code.slice(0, 4)} ${code.slice(4)}`,
    })
    expect(done.statusCode).toBe(422)
    expect(done.json().error.id).toBe('browser_location_change_required')
    const saved = await setPassword(visitor, done.json().redirect_browser_to, 'a much better phrase')
    expect(saved.json()).toMatchObject({
      state: 'success',
      identity: { id },
      continue_with: [{ redirect_browser_to: '/' }],
    })
    await signedInAs(app, email, 'a much better phrase')
  })

  test('an unknown address gets the same answer and no mail', async () => {
    const before = await mailbox.count()
    const { email } = await aPerson(ctx)
    const known = await askForCode(browser(app), email)
    const unknown = await askForCode(browser(app), 'nobody@example.test')
    const shape = (body: string) =>
      body.replaceAll(/[0-9a-f-]{36}|[\w-]{43}/g, '·').replaceAll(email, 'nobody@example.test')
    expect(shape(unknown.answer.body)).toBe(shape(known.answer.body))
    await mailTo(email)
    expect(await mailbox.count()).toBe(before + 1)
  })

  test('five wrong codes end the flow, a late code is refused, and a used one too', async () => {
    const { email } = await aPerson(ctx)
    const visitor = browser(app)
    const { flow, csrf } = await askForCode(visitor, email)
    const mail = await mailTo(email)
    const code = /\b\d{8}\b/.exec(mail.text ?? '')?.[0] as string
    for (let i = 0; i < 5; i++) {
      const wrong = await submit(visitor, flow.id, { csrf_token: csrf, method: 'code', code: '00000000' })
      expect(wrong.statusCode).toBe(400)
    }
    const sixth = await submit(visitor, flow.id, { csrf_token: csrf, method: 'code', code })
    expect(sixth.statusCode).toBe(400)
    expect(sixth.json()).toMatchObject({ state: 'choose_method', ui: { messages: [{ id: 4060002 }] } })

    clock.add(16 * 60_000)
    const late = await askForCode(browser(app), email)
    expect(late.answer.statusCode).toBe(200)
  })

  test('asking again and again is bounded', async () => {
    clock.add(60 * 60_000)
    const statuses: number[] = []
    for (let i = 0; i < 11; i++)
      statuses.push((await askForCode(browser(app), `no-${i}@example.test`)).answer.statusCode)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    clock.add(60 * 60_000)
  })

  test('without a mail server the form says whom to ask', async () => {
    const { flow } = await startedFlow(browser(withoutMail), 'recovery')
    expect(flow.ui.messages?.[0]?.text).toContain('administrator')
    expect(flow.ui.nodes.map(({ attributes }) => attributes.name)).toEqual(['csrf_token'])
  })
})

describe('a link', () => {
  const aLink = async (purpose: 'invite' | 'recovery', identityId: string) =>
    new URL((await makeLink(ctx, db, { identityId, purpose, base: 'http://localhost:80/api/.ory' })).link)
  const follow = (visitor: ReturnType<typeof browser>, link: URL, method: 'GET' | 'HEAD' = 'GET') =>
    visitor.send({ method, url: link.pathname + link.search, headers: { accept: 'text/html' } })
  let count = 0
  const invited = () =>
    db.tx((sql) =>
      insertPerson(ctx, sql, commandLine, {
        firstName: 'New',
        lastName: 'One',
        email: `invited-${++count}@example.test`,
      }),
    )

  test('of an invite opens the account: set a password, be signed in, sign in with it later', async () => {
    const id = await invited()
    const link = await aLink('invite', id)
    const visitor = browser(app)
    const opened = await follow(visitor, link)
    expect(opened.statusCode).toBe(303)
    expect(opened.headers.location).toMatch(/^\/profile-settings\?flow=/)
    expect(visitor.cookies.has(sessionCookie)).toBe(true)
    const token = link.searchParams.get('token') as string
    expect(JSON.stringify(await db.query('select * from identity_flows'))).not.toContain(token)
    const saved = await setPassword(visitor, String(opened.headers.location), 'a much better phrase')
    expect(saved.statusCode).toBe(200)
    expect(saved.body).not.toContain(token)
    expect((await visitor.send({ url: '/api/.ory/sessions/whoami' })).json().identity.id).toBe(id)
    await signedInAs(app, `invited-${count}@example.test`, 'a much better phrase')
    const again = await follow(browser(app), link)
    expect(again.headers.location).toMatch(/^\/recovery\?flow=/)
  })

  test('of an invite survives mail scanners until the password is set', async () => {
    const link = await aLink('invite', await invited())
    expect((await follow(browser(app), link, 'HEAD')).statusCode).toBe(200)
    expect((await follow(browser(app), link)).headers.location).toMatch(/^\/profile-settings/)
    expect((await follow(browser(app), link)).headers.location).toMatch(/^\/profile-settings/)
  })

  test('of a recovery opens once', async () => {
    const link = await aLink('recovery', (await aPerson(ctx)).id)
    expect((await follow(browser(app), link)).headers.location).toMatch(/^\/profile-settings/)
    const visitor = browser(app)
    const second = await follow(visitor, link)
    expect(second.headers.location).toMatch(/^\/recovery\?flow=/)
    expect(visitor.cookies.has(sessionCookie)).toBe(false)
    const flow = await visitor.send({ url: `${path}/flows?id=${String(second.headers.location).split('flow=')[1]}` })
    expect(flow.json().ui.messages).toMatchObject([{ id: 4060004 }])
  })

  test('that is wrong, late, or of a deactivated account opens nothing', async () => {
    const { id } = await aPerson(ctx)
    const wrong = await aLink('recovery', id)
    wrong.searchParams.set('token', 'x'.repeat(43))
    const late = await aLink('recovery', id)
    const inactive = await aLink('invite', await invited())
    await db.run(`update identities set state = 'inactive' where traits ->> 'email' = $1`, [
      `invited-${count}@example.test`,
    ])
    const mangled = new URL('http://localhost/api/.ory/self-service/recovery?flow=x&token=y')
    for (const link of [wrong, inactive, mangled]) {
      const visitor = browser(app)
      expect((await follow(visitor, link)).headers.location).toMatch(/^\/recovery\?flow=/)
      expect(visitor.cookies.has(sessionCookie)).toBe(false)
    }
    clock.add(3_600_001)
    expect((await follow(browser(app), late)).headers.location).toMatch(/^\/recovery\?flow=/)
  })

  test('cannot be used as a form', async () => {
    const link = await aLink('recovery', (await aPerson(ctx)).id)
    const visitor = browser(app)
    await startedFlow(visitor, 'recovery')
    const id = link.searchParams.get('flow')
    expect((await visitor.send({ url: `${path}/flows?id=${id}` })).statusCode).toBe(403)
    expect((await submit(visitor, String(id), { method: 'code', code: '1' })).statusCode).toBe(403)
  })
})
