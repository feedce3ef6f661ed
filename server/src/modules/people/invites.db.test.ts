import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { identityRoutes } from '../../platform/auth/identity.routes.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { browser, testServer } from '../../testing/http.ts'
import { aPerson, signedInAs, startedFlow } from '../../testing/identity.ts'
import { commandLine } from './act.ts'
import { peopleRoutes } from './people.routes.ts'
import { addPerson } from './people.service.ts'

const received: Buffer[] = []
let refuse = false
const smtp = new SMTPServer({
  authMethods: ['PLAIN'],
  allowInsecureAuth: true,
  disabledCommands: ['STARTTLS'],
  onAuth: ({ username, password }, _, done) =>
    done(username === 'ops@example.test' && password === 'p@ss' ? null : new Error('no'), { user: username }),
  onRcptTo: (_, __, done) => done(refuse ? new Error('mailbox unavailable') : null),
  onData(stream, _, done) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      received.push(Buffer.concat(chunks))
      done()
    })
  },
})
await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
const { port } = smtp.server.address() as AddressInfo
const db = await testDatabase()
const url = `smtp://ops%40example.test:p%40ss@127.0.0.1:${port}`
const ctx = testContext(db, {
  config: readConfig({ SMTP_URL: url, QUARTERDECK_PUBLIC_URL: 'https://ops.example.test' }),
})
const app = await testServer(ctx, [...identityRoutes, ...peopleRoutes])
afterAll(async () => {
  await app.close()
  await new Promise<void>((resolve) => smtp.close(resolve))
})

const boss = await addPerson(ctx, commandLine, {
  firstName: '<b>Eve</b>',
  lastName: '"&',
  email: 'eve@example.test',
  roles: ['admin'],
  password: 'correct horse battery',
})
const admin = await signedInAs(app, 'eve@example.test')
const invite = (email: string) =>
  admin.send({ method: 'POST', url: '/api/auth/invite_user', payload: { firstName: 'New', lastName: 'One', email } })

test('with a mail server the invite is mailed and the link is not answered', async () => {
  const answer = await invite('new@example.test')
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({ id: expect.any(String), mailed: true })
  const mail = await PostalMime.parse(received.at(-1) as Buffer)
  expect(mail).toMatchObject({
    subject: 'User Invite',
    from: { address: 'ops@example.test' },
    to: [{ address: 'new@example.test' }],
  })
  expect(mail.html).toContain('&#60;b&#62;Eve&#60;/b&#62; &#34;&#38; invites you')
  const link = /https:\/\/\S+/.exec(mail.text ?? '')?.[0] as string
  expect(link).toMatch(
    /^https:\/\/ops\.example\.test\/api\/\.ory\/self-service\/recovery\?flow=[0-9a-f-]{36}&token=[\w-]{43}$/,
  )
  const visitor = browser(app)
  const opened = await visitor.send({
    url: new URL(link).pathname + new URL(link).search,
    headers: { accept: 'text/html' },
  })
  expect(opened.headers.location).toMatch(/^\/profile-settings\?flow=/)
})

test('a mail that cannot be sent leaves no account behind and says so without the password', async () => {
  refuse = true
  const answer = await invite('refused@example.test')
  refuse = false
  expect(answer.statusCode).toBe(502)
  expect(answer.json()).toMatchObject({ code: 'mail_failed', message: 'The mail could not be sent' })
  expect(answer.body).not.toContain('p@ss')
  expect(answer.body).not.toContain('p%40ss')
  expect(await db.query(`select 1 from people where email = 'refused@example.test'`)).toEqual([])
  expect((await invite('refused@example.test')).statusCode).toBe(200)
})

test('somebody who lost the password gets a new link by mail', async () => {
  const { id, email } = await aPerson(ctx)
  const answer = await admin.send({ method: 'POST', url: `/api/v1/people/${id}/link` })
  expect(answer.json()).toEqual({ id, mailed: true })
  const mail = await PostalMime.parse(received.at(-1) as Buffer)
  expect(mail.to).toMatchObject([{ address: email }])
  expect(await db.one(`select actor_id, object_id from audit_log where action = 'recovery_requested'`)).toEqual({
    actor_id: boss,
    object_id: id,
  })
})

test('the public address of the settings is where forms and cookies belong', async () => {
  const { flow, answer } = await startedFlow(browser(app), 'login')
  expect(flow.ui.action).toMatch(/^https:\/\/ops\.example\.test\//)
  expect(String(answer.headers['set-cookie'])).toContain('; Secure')
})
