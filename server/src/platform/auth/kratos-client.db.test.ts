import type { UiNodeTextAttributes } from '@ory/kratos-client'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { readConfig } from '../../config.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { testServer } from '../../testing/http.ts'
import { aPerson, goodPassword } from '../../testing/identity.ts'
import { csrfOf, failure, kratosClient } from '../../testing/kratos-client.ts'
import { startMailbox } from '../../testing/mailbox.ts'
import { identityRoutes } from './identity.routes.ts'

/** The real client library, over real HTTP, with the cookies a browser would keep. */
const db = await testDatabase()
const mailbox = await startMailbox()
const config = readConfig({ SMTP_URL: mailbox.url, QUARTERDECK_REGISTRATION: 'on' })
const ctx = testContext(db, { config })
let app: FastifyInstance
let basePath: string
let email: string

beforeAll(async () => {
  app = await testServer(ctx, identityRoutes)
  basePath = `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/.ory`
  ;({ email } = await aPerson(ctx, ['admin']))
})
afterAll(async () => {
  await app.close()
  await mailbox.close()
})

const client = () => kratosClient(basePath)

async function signedIn() {
  const { api, jar } = client()
  const { data: flow } = await api.createBrowserLoginFlow()
  const body = { method: 'password', csrf_token: csrfOf(flow), identifier: email, password: goodPassword }
  const { data } = await api.updateLoginFlow({ flow: flow.id, updateLoginFlowBody: body as never })
  return { api, jar, session: data.session }
}

describe('the Kratos client library', () => {
  test('signs in: create, get by id, update, whoami', async () => {
    const { api } = client()
    const { data: flow } = await api.createBrowserLoginFlow({ refresh: false, aal: '', returnTo: '/health' })
    expect(flow).toMatchObject({ type: 'browser', state: 'choose_method', return_to: '/health', requested_aal: 'aal1' })
    const { data: again } = await api.getLoginFlow({ id: flow.id })
    expect(again.id).toBe(flow.id)
    const body = { method: 'password', csrf_token: csrfOf(flow), identifier: email, password: goodPassword }
    const { data: done } = await api.updateLoginFlow({ flow: flow.id, updateLoginFlowBody: body as never })
    expect(done.session.active).toBe(true)
    const { data: session } = await api.toSession()
    expect(session).toMatchObject({ id: done.session.id, identity: { traits: { email } } })
  })

  test('hears of wrong credentials by 400 and the flow', async () => {
    const { api } = client()
    const { data: flow } = await api.createBrowserLoginFlow()
    const body = { method: 'password', csrf_token: csrfOf(flow), identifier: email, password: 'not the one' }
    const { status, data } = await failure(api.updateLoginFlow({ flow: flow.id, updateLoginFlowBody: body as never }))
    expect(status).toBe(400)
    expect(data).toMatchObject({ id: flow.id, ui: { messages: [{ id: 4000006, type: 'error' }] } })
  })

  test('hears of violations, unknown flows and missing sessions in their words', async () => {
    const { api } = client()
    const { data: flow } = await api.createBrowserLoginFlow()
    const body = { method: 'password', csrf_token: 'no', identifier: email, password: goodPassword }
    expect(await failure(api.updateLoginFlow({ flow: flow.id, updateLoginFlowBody: body as never }))).toMatchObject({
      status: 403,
      data: { error: { id: 'security_csrf_violation' } },
    })
    expect((await failure(api.getLoginFlow({ id: 'nope' }))).status).toBe(404)
    expect(await failure(client().api.toSession())).toMatchObject({
      status: 401,
      data: { error: { id: 'session_inactive' } },
    })
    expect((await failure(client().api.createBrowserSettingsFlow())).status).toBe(401)
  })

  test('signs out', async () => {
    const { api, jar } = await signedIn()
    const { data: logout } = await api.createBrowserLogoutFlow()
    const answer = await api.updateLogoutFlow({ token: logout.logout_token, returnTo: '/login' })
    expect(answer.status).toBe(204)
    expect(jar.has('ory_kratos_session')).toBe(false)
    expect((await failure(api.toSession())).status).toBe(401)
    expect((await failure(api.createBrowserLogoutFlow())).status).toBe(401)
  })

  test('changes the profile', async () => {
    const { api } = await signedIn()
    const { data: flow } = await api.createBrowserSettingsFlow({ returnTo: '/' })
    const { data: got } = await api.getSettingsFlow({ id: flow.id })
    expect(got.identity.traits.email).toBe(email)
    const body = {
      method: 'profile',
      csrf_token: csrfOf(flow),
      traits: { email, name: { first: 'Ada', last: 'King' } },
    }
    const { data } = await api.updateSettingsFlow({ flow: flow.id, updateSettingsFlowBody: body as never })
    expect(data).toMatchObject({ state: 'success', ui: { messages: [{ id: 1050001 }] } })
    expect((await api.toSession()).data.identity?.traits.name).toEqual({ first: 'Ada', last: 'King' })
  })

  test('lists and ends other sessions, starts recovery', async () => {
    const [first, second] = [await signedIn(), await signedIn()]
    const { data: listed } = await first.api.listMySessions()
    expect(listed.map(({ id }) => id)).toContain(second.session.id)
    await first.api.disableMySession({ id: second.session.id })
    expect((await failure(second.api.toSession())).status).toBe(401)
    expect((await first.api.disableMyOtherSessions()).data.count).toBeGreaterThanOrEqual(0)
    const { data: recovery } = await client().api.createBrowserRecoveryFlow({ returnTo: '/' })
    expect(recovery.ui.nodes.map(({ group }) => group as string)).toContain('link')
  })

  test('registers, and verifies the address that it registered with', async () => {
    const { api } = client()
    const address = 'registered@example.test'
    const { data: flow } = await api.createBrowserRegistrationFlow({ afterVerificationReturnTo: '/health' })
    expect((await api.getRegistrationFlow({ id: flow.id })).data.id).toBe(flow.id)
    const body = {
      method: 'password',
      csrf_token: csrfOf(flow),
      password: goodPassword,
      traits: { email: address, name: { first: 'Rae', last: 'Gister' } },
    }
    const { data } = await api.updateRegistrationFlow({ flow: flow.id, updateRegistrationFlowBody: body as never })
    const [step] = data.continue_with as unknown as [{ action: string; flow: { id: string } }]
    expect(step.action).toBe('show_verification_ui')
    const { data: verification } = await api.getVerificationFlow({ id: step.flow.id })
    const code = /\d{8}/.exec((await mailbox.to(address)).text)![0]
    const { data: done } = await api.updateVerificationFlow({
      flow: verification.id,
      updateVerificationFlowBody: { method: 'code', csrf_token: csrfOf(verification), code } as never,
    })
    expect(done.state).toBe('passed_challenge')
    const { data: login } = await api.createBrowserLoginFlow()
    const credentials = { method: 'password', csrf_token: csrfOf(login), identifier: address, password: goodPassword }
    const { data: session } = await api.updateLoginFlow({ flow: login.id, updateLoginFlowBody: credentials as never })
    expect(session.session.identity?.verifiable_addresses).toMatchObject([{ value: address, verified: true }])
  })

  test('links an authenticator app, and signs in with it as the second factor', async () => {
    const { api } = await signedIn()
    const { data: flow } = await api.createBrowserSettingsFlow()
    const node = flow.ui.nodes.find(({ attributes }) => (attributes as { id?: string }).id === 'totp_secret_key')
    const secret = (node!.attributes as UiNodeTextAttributes).text.text
    const code = (offset: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offset })
    const body = { method: 'totp', csrf_token: csrfOf(flow), totp_code: code(0) }
    await api.updateSettingsFlow({ flow: flow.id, updateSettingsFlowBody: body as never })
    expect((await api.toSession()).data.authenticator_assurance_level).toBe('aal2')

    const { api: second } = await signedIn()
    expect(await failure(second.toSession())).toMatchObject({
      status: 403,
      data: { error: { id: 'session_aal2_required' } },
    })
    const { data: step } = await second.createBrowserLoginFlow({ aal: 'aal2' })
    const proof = { method: 'totp', csrf_token: csrfOf(step), totp_code: code(30_000) }
    const { data } = await second.updateLoginFlow({ flow: step.id, updateLoginFlowBody: proof as never })
    expect(data.session.authenticator_assurance_level).toBe('aal2')
  })
})
