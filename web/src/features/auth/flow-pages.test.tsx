import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { renderPage, renderRoutes } from '@/testing/render.tsx'
import { toast } from '@/ui/toast.tsx'
import { RecoveryPage, RegistrationPage, VerificationPage } from './account-pages.tsx'
import { captureCredentials } from './credentials.ts'
import { aFlow, inputNode, label, passwordNodes } from './flow-fixture.ts'
import { LoginPage } from './login-page.tsx'

const ory = '/api/.ory/self-service'
const capabilities = { 'GET /api/v1/capabilities': { auth: 'builtin', deployment: 'full' } }
const wrong = aFlow({}, passwordNodes, [
  { id: 4000006, text: 'The address or the password is not right.', type: 'error' },
])

beforeEach(() => toast.clear())
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const send = async () => {
  await userEvent.type(await screen.findByLabelText('E-mail'), 'ada@example.test')
  await userEvent.type(screen.getByLabelText('Password'), 'secret')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
}

describe('/login', () => {
  test('[AUTH-01] [MODE-01] shows a form built from the flow and a link to reset the password', async () => {
    fakeServer({ ...capabilities, [`GET ${ory}/login/browser`]: aFlow() })
    renderPage(<LoginPage />, '/login')
    expect(await screen.findByLabelText('E-mail')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Reset password' }).getAttribute('href')).toBe('/recovery')
  })

  test('[AUTH-02] [SELF-11] a flow id in the address fetches that flow', async () => {
    const server = fakeServer({ ...capabilities, [`GET ${ory}/login/flows`]: aFlow() })
    renderPage(<LoginPage />, '/login?flow=flow-1')
    await screen.findByLabelText('E-mail')
    expect(server.asked('/login/')).toEqual([`GET ${ory}/login/flows?id=flow-1`])
  })

  test('[AUTH-03] without a flow, or when it cannot be loaded, a new one is begun with refresh, aal and return_to', async () => {
    const server = fakeServer({
      ...capabilities,
      [`GET ${ory}/login/flows`]: () => answer(500, { error: { message: 'no' } }),
      [`GET ${ory}/login/browser`]: aFlow(),
    })
    renderPage(<LoginPage />, '/login?flow=gone&refresh=true&aal=aal2&return_to=%2Fhealth%3Fa%3D1')
    await screen.findByLabelText('E-mail')
    expect(server.asked('/login/')).toEqual([
      `GET ${ory}/login/flows?id=gone`,
      `GET ${ory}/login/browser?refresh=true&aal=aal2&return_to=%2Fhealth%3Fa%3D1`,
    ])
  })

  test('a plain visit begins a flow with all three parameters', async () => {
    const server = fakeServer({ ...capabilities, [`GET ${ory}/login/browser`]: aFlow() })
    renderPage(<LoginPage />, '/login')
    await screen.findByLabelText('E-mail')
    expect(server.asked('/login/')).toEqual([`GET ${ory}/login/browser?refresh=false&aal=&return_to=%2F`])
  })

  test('success goes back to where the person came from, and forgets what was loaded before', async () => {
    fakeServer({
      ...capabilities,
      [`GET ${ory}/login/browser`]: aFlow({ return_to: '/health?checkId=1' }),
      [`POST ${ory}/login`]: { session: { id: 's' } },
    })
    const { here, queries } = renderPage(<LoginPage />, '/login?return_to=%2Fhealth%3FcheckId%3D1')
    queries.setQueryData(['me'], 'somebody else')
    await send()
    await waitFor(() => expect(here()).toBe('/health?checkId=1'))
    expect(queries.getQueryData(['me'])).toBeUndefined()
  })

  test('[SELF-12] a wrong password shows what the server says and keeps what was typed', async () => {
    fakeServer({
      ...capabilities,
      [`GET ${ory}/login/browser`]: aFlow(),
      [`POST ${ory}/login`]: () => answer(400, wrong),
    })
    renderPage(<LoginPage />, '/login')
    await send()
    expect((await screen.findByRole('alert')).textContent).toBe('The address or the password is not right.')
    expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('ada@example.test')
  })

  test('[SELF-13] an expired flow says so and begins anew', async () => {
    const server = fakeServer({
      ...capabilities,
      [`GET ${ory}/login/browser`]: aFlow(),
      [`POST ${ory}/login`]: () => answer(410, { error: { id: 'self_service_flow_expired', message: 'gone' } }),
    })
    const { here } = renderPage(<LoginPage />, '/login?return_to=%2Fhealth')
    await send()
    expect(await screen.findByText('Your interaction expired, please fill out the form again.')).toBeTruthy()
    await waitFor(() => expect(server.asked('/login/browser')).toHaveLength(2))
    expect(here()).toBe('/login?return_to=%2Fhealth')
  })

  test('too many attempts are told beside the form, which stays', async () => {
    fakeServer({
      ...capabilities,
      [`GET ${ory}/login/browser`]: aFlow(),
      [`POST ${ory}/login`]: () => answer(429, { error: { message: 'Too many attempts, wait a minute' } }),
    })
    const { queries } = renderPage(<LoginPage />, '/login')
    const { onReport } = await import('@/api/report.ts')
    onReport(toast.error)
    await send()
    expect(await screen.findByText('Too many attempts, wait a minute')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('secret')
    queries.clear()
  })

  test('[AUTH-05] credentials in the address are submitted by themselves', async () => {
    window.history.replaceState(null, '', '/login?username=ada%40example.test&password=secret')
    captureCredentials()
    const server = fakeServer({
      ...capabilities,
      [`GET ${ory}/login/browser`]: aFlow(),
      [`POST ${ory}/login`]: { session: {} },
    })
    const { here } = renderPage(<LoginPage />, '/login')
    await waitFor(() => expect(here()).toBe('/'))
    expect(server.calls.find(({ method }) => method === 'POST')?.body).toEqual({
      csrf_token: 'token-1',
      method: 'password',
      identifier: 'ada@example.test',
      password: 'secret',
    })
    expect(window.location.search).toBe('')
  })

  test('[AUTH-06] a second factor is asked for and sent', async () => {
    const nodes = [
      inputNode('csrf_token', { type: 'hidden', value: 't' }),
      inputNode('totp_code', {}, { group: 'totp', meta: label('Authentication code') }),
      inputNode('method', { type: 'submit', value: 'totp' }, { group: 'totp', meta: label('Use Authenticator') }),
    ]
    const server = fakeServer({
      ...capabilities,
      [`GET ${ory}/login/browser`]: aFlow({ requested_aal: 'aal2', return_to: '/health' }, nodes),
      [`POST ${ory}/login`]: { session: { authenticator_assurance_level: 'aal2' } },
    })
    const { here } = renderPage(<LoginPage />, '/login?aal=aal2&return_to=%2Fhealth')
    expect(await screen.findByRole('heading', { name: 'Second factor' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Reset password' })).toBeNull()
    await userEvent.type(await screen.findByLabelText('Authentication code'), '123456{Enter}')
    await waitFor(() => expect(here()).toBe('/health'))
    expect(server.asked('/login/browser')[0]).toContain('aal=aal2')
    expect(server.calls.find(({ method }) => method === 'POST')?.body).toEqual({
      csrf_token: 't',
      totp_code: '123456',
      method: 'totp',
    })
  })

  test('[SELF-17] while an answer is awaited further submits are ignored', async () => {
    let done: (body: object) => void = () => {}
    const server = fakeServer({
      ...capabilities,
      [`GET ${ory}/login/browser`]: aFlow(),
      [`POST ${ory}/login`]: () => new Promise<object>((resolve) => (done = resolve)),
    })
    const { here } = renderPage(<LoginPage />, '/login')
    await send()
    expect(screen.getByRole('button', { name: /Sign in/ }).getAttribute('aria-busy')).toBe('true')
    fireEvent.submit(screen.getByLabelText<HTMLInputElement>('Password').form!)
    await userEvent.type(screen.getByLabelText('Password'), '{Enter}')
    done({ session: {} })
    await waitFor(() => expect(here()).toBe('/'))
    expect(server.asked('POST')).toHaveLength(1)
  })

  test('a flow that expires is begun anew for what it was for, also when the address does not say it', async () => {
    const nodes = [
      inputNode('totp_code', {}, { group: 'totp', meta: label('Authentication code') }),
      inputNode('method', { type: 'submit', value: 'totp' }, { group: 'totp', meta: label('Use Authenticator') }),
    ]
    const second = aFlow({ requested_aal: 'aal2', return_to: '/health' }, nodes)
    const server = fakeServer({
      ...capabilities,
      [`GET ${ory}/login/flows`]: second,
      [`GET ${ory}/login/browser`]: second,
      [`POST ${ory}/login`]: () => answer(410, { error: { id: 'self_service_flow_expired', message: 'gone' } }),
    })
    renderPage(<LoginPage />, '/login?flow=flow-1')
    await userEvent.type(await screen.findByLabelText('Authentication code'), '123456{Enter}')
    await waitFor(() =>
      expect(server.asked('/login/browser')).toEqual([
        `GET ${ory}/login/browser?refresh=false&aal=aal2&return_to=%2Fhealth`,
      ]),
    )
  })

  test('an account can be made where the server lets people make one', async () => {
    const server = fakeServer({ ...capabilities, [`GET ${ory}/login/browser`]: aFlow() })
    const closed = renderPage(<LoginPage />, '/login')
    await screen.findByLabelText('E-mail')
    expect(screen.queryByRole('link', { name: 'Create account' })).toBeNull()
    closed.unmount()
    server.handlers['GET /api/v1/capabilities'] = { auth: 'builtin', registration: true }
    renderPage(<LoginPage />, '/login?return_to=%2Fhealth')
    const link = await screen.findByRole('link', { name: 'Create account' })
    expect(link.getAttribute('href')).toBe('/registration?return_to=%2Fhealth')
  })

  test('whoever confirms that it is them is not asked to sign in, and can go back', async () => {
    fakeServer({
      ...capabilities,
      [`GET ${ory}/login/flows`]: aFlow({ refresh: true, return_to: '/profile-settings?flow=f2' }),
    })
    renderPage(<LoginPage />, '/login?flow=flow-1')
    expect(await screen.findByRole('heading', { name: 'Confirm that it is you' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe('/profile-settings?flow=f2')
    expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy()
  })

  test('a flow that cannot be begun ends, instead of trying forever', async () => {
    const server = fakeServer({
      ...capabilities,
      [`GET ${ory}/login/browser`]: () => answer(403, { error: { id: 'security_csrf_violation', message: 'no' } }),
    })
    vi.spyOn(console, 'error').mockImplementation(() => {})
    renderRoutes([{ path: '/login', element: <LoginPage />, errorElement: <p>raised</p> }], '/login')
    expect(await screen.findByText('raised')).toBeTruthy()
    expect(server.asked('/login/browser').length).toBeLessThanOrEqual(3)
  })
})

const emailNodes = [
  inputNode('csrf_token', { type: 'hidden', value: 't' }),
  inputNode('email', { type: 'email' }, { group: 'link', meta: label('E-mail') }),
  inputNode('method', { type: 'submit', value: 'link' }, { group: 'link', meta: label('Send') }),
]

describe('account pages', () => {
  test('[SELF-07] [SELF-24] recovery: heading, form and a way back; the answer replaces the form', async () => {
    const server = fakeServer({
      [`GET ${ory}/recovery/browser`]: aFlow({}, emailNodes),
      [`POST ${ory}/recovery`]: aFlow({ state: 'sent_email' }, emailNodes, [
        { id: 1, text: 'An email has been sent', type: 'info' },
      ]),
    })
    renderPage(<RecoveryPage />, '/recovery?return_to=%2Fhealth')
    expect(screen.getByRole('heading', { name: 'Recover account' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe('/')
    await userEvent.type(await screen.findByLabelText('E-mail'), 'ada@example.test{Enter}')
    expect(await screen.findByText('An email has been sent')).toBeTruthy()
    expect(server.asked()).toEqual([
      `GET ${ory}/recovery/browser?return_to=%2Fhealth`,
      `POST ${ory}/recovery?flow=flow-1`,
    ])
  })

  test('[SELF-08] [SELF-14] [SELF-25] registration: heading, sign-in link, and on to return_to or /', async () => {
    const server = fakeServer({
      [`GET ${ory}/registration/browser`]: aFlow(),
      [`POST ${ory}/registration`]: { session: {}, identity: {} },
    })
    const { here } = renderPage(<RegistrationPage />, '/registration?return_to=%2Fcatalog')
    expect(screen.getByRole('heading', { name: 'Create account' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/login')
    await send()
    await waitFor(() => expect(here()).toBe('/'))
    expect(server.asked()[0]).toBe(`GET ${ory}/registration/browser?after_verification_return_to=%2Fcatalog`)
  })

  test('[SELF-14] a registration goes on to where the flow leads', async () => {
    fakeServer({
      [`GET ${ory}/registration/browser`]: aFlow({ return_to: '/catalog?search=a' }),
      [`POST ${ory}/registration`]: { session: {}, identity: {} },
    })
    const { here } = renderPage(<RegistrationPage />, '/registration')
    await send()
    await waitFor(() => expect(here()).toBe('/catalog?search=a'))
  })

  test('a registration whose address is to be proven goes on with that', async () => {
    const continue_with = [{ action: 'show_verification_ui', flow: { id: 'v1', url: 'https://elsewhere.test/' } }]
    fakeServer({
      [`GET ${ory}/registration/browser`]: aFlow(),
      [`POST ${ory}/registration`]: { identity: {}, continue_with },
    })
    const { here } = renderPage(<RegistrationPage />, '/registration')
    await send()
    await waitFor(() => expect(here()).toBe('/verification?flow=v1'))
  })

  test('[SELF-10] verification: heading, form and a way back', async () => {
    fakeServer({ [`GET ${ory}/verification/browser`]: aFlow({}, emailNodes) })
    renderPage(<VerificationPage />, '/verification')
    expect(screen.getByRole('heading', { name: 'Verify your account' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe('/')
    expect(await screen.findByLabelText('E-mail')).toBeTruthy()
  })

  test.each([403, 410])('[SELF-15] verification: a flow that answers %s reloads the page', async (status) => {
    const server = fakeServer({
      [`GET ${ory}/verification/flows`]: () => answer(status, { error: { message: 'gone' } }),
      [`GET ${ory}/verification/browser`]: aFlow({}, emailNodes),
    })
    const { here } = renderPage(<VerificationPage />, '/verification?flow=old')
    await screen.findByLabelText('E-mail')
    expect(here()).toBe('/verification')
    expect(server.asked()).toEqual([`GET ${ory}/verification/flows?id=old`, `GET ${ory}/verification/browser`])
  })

  test('[SELF-15] verification: not being able to begin with a 400 goes to /', async () => {
    fakeServer({ [`GET ${ory}/verification/browser`]: () => answer(400, { error: { message: 'no' } }) })
    const { here } = renderPage(<VerificationPage />, '/verification')
    await waitFor(() => expect(here()).toBe('/'))
  })

  test('a flow that is switched off is said so in the words of the server', async () => {
    const error = { id: 'self_service_registration_disabled', message: 'Ask an administrator to invite you.' }
    fakeServer({ [`GET ${ory}/registration/browser`]: () => answer(400, { error }) })
    renderPage(<RegistrationPage />, '/registration')
    expect(await screen.findByText('Ask an administrator to invite you.')).toBeTruthy()
  })

  test('a server without this flow is said so', async () => {
    fakeServer()
    renderPage(<RecoveryPage />, '/recovery')
    expect(await screen.findByText('Not available on this server')).toBeTruthy()
  })
})
