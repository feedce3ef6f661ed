import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { renderPage } from '@/testing/render.tsx'
import { toast } from '@/ui/toast.tsx'
import { aFlow, inputNode, label } from './flow-fixture.ts'
import { ProfileSettingsPage } from './profile-settings-page.tsx'

const ory = '/api/.ory/self-service'

beforeEach(() => toast.clear())
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('/profile-settings', () => {
  const groups = ['profile', 'password', 'oidc', 'lookup_secret', 'totp', 'webauthn'] as const
  const titles = [
    'Profile Settings',
    'Change Password',
    'Manage Social Sign In',
    'Manage 2FA Backup Recovery Codes',
    'Manage 2FA TOTP Authenticator App',
    'Manage Hardware Tokens and Biometrics',
  ]
  const button = (group: (typeof groups)[number]) =>
    inputNode('method', { type: 'submit', value: group }, { group, meta: label(`Save ${group}`) })
  const csrf = inputNode('csrf_token', { type: 'hidden', value: 't' })
  const headings = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)

  test('[SELF-01] has its title and a way back', async () => {
    const server = fakeServer({ [`GET ${ory}/settings/browser`]: aFlow({}, [csrf]) })
    renderPage(<ProfileSettingsPage />, '/profile-settings?return_to=%2Fhealth')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Profile Management and Security Settings')
    expect(screen.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe('/health')
    await waitFor(() => expect(server.asked(ory)).toEqual([`GET ${ory}/settings/browser?return_to=%2Fhealth`]))
  })

  test('[SELF-02] shows a card for each group the flow has', async () => {
    fakeServer({ [`GET ${ory}/settings/browser`]: aFlow({}, [csrf, ...groups.map(button)]) })
    const all = renderPage(<ProfileSettingsPage />, '/profile-settings')
    await screen.findByText('Change Password')
    expect(headings()).toEqual(titles)
    all.unmount()
    fakeServer({ [`GET ${ory}/settings/browser`]: aFlow({}, [csrf, button('totp'), button('profile')]) })
    renderPage(<ProfileSettingsPage />, '/profile-settings')
    await screen.findByText('Profile Settings')
    expect(headings()).toEqual([titles[0], titles[4]])
  })

  test('[SELF-03] [SELF-04] [SELF-05] the cards of the second factor explain themselves', async () => {
    const secrets = [{ id: 1050014, text: '2024', type: 'info' }]
    const codes = {
      type: 'text' as const,
      group: 'lookup_secret' as const,
      messages: [],
      meta: {},
      attributes: {
        node_type: 'text',
        id: 'codes',
        text: { id: 1050015, text: '', type: 'info', context: { secrets } },
      },
    }
    fakeServer({ [`GET ${ory}/settings/browser`]: aFlow({}, [csrf, codes, button('totp'), button('webauthn')]) })
    renderPage(<ProfileSettingsPage />, '/profile-settings')
    expect(await screen.findByText(/panic situations/)).toBeTruthy()
    expect(screen.getByText('Used')).toBeTruthy()
    expect(screen.getByText(/authenticator app/)).toBeTruthy()
    expect(screen.getAllByRole('link', { name: /Android|iOS/ })).toHaveLength(4)
    expect(screen.getByText(/hardware keys .* biometrics/)).toBeTruthy()
  })

  test('[SELF-16] [SELF-23] the answer to a change disappears after ten seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const server = fakeServer({
      [`GET ${ory}/settings/browser`]: aFlow({}, [csrf, button('profile')]),
      [`POST ${ory}/settings`]: aFlow(
        {},
        [csrf, button('profile')],
        [{ id: 1050001, text: 'Your changes have been saved!', type: 'success' }],
      ),
    })
    renderPage(<ProfileSettingsPage />, '/profile-settings')
    fireEvent.click(await screen.findByRole('button', { name: 'Save profile' }))
    expect(await screen.findByText('Your changes have been saved!')).toBeTruthy()
    expect(server.calls.at(-1)).toMatchObject({ method: 'POST', body: { csrf_token: 't', method: 'profile' } })
    await act(() => vi.advanceTimersByTimeAsync(9_000))
    expect(screen.queryByText('Your changes have been saved!')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(1_500))
    expect(screen.queryByText('Your changes have been saved!')).toBeNull()
  })

  test('a way of signing in is taken away only after a question', async () => {
    const unlink = inputNode(
      'totp_unlink',
      { type: 'submit', value: 'true' },
      { group: 'totp', meta: label('Unlink authenticator app') },
    )
    const server = fakeServer({
      [`GET ${ory}/settings/browser`]: aFlow({}, [csrf, unlink]),
      [`POST ${ory}/settings`]: aFlow({}, [csrf, button('totp')]),
    })
    renderPage(<ProfileSettingsPage />, '/profile-settings')
    const pressed = () => userEvent.click(screen.getByRole('button', { name: 'Unlink authenticator app' }))
    await screen.findByRole('button', { name: 'Unlink authenticator app' })
    await pressed()
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(server.asked('POST')).toEqual([])
    await pressed()
    await userEvent.click(await screen.findByRole('button', { name: 'Unlink' }))
    expect(await screen.findByRole('button', { name: 'Save totp' })).toBeTruthy()
    expect(server.calls.find(({ method }) => method === 'POST')?.body).toEqual({
      csrf_token: 't',
      totp_unlink: 'true',
    })
  })

  test('a new password leaves its field once it is taken, and what others typed elsewhere stays', async () => {
    const password = inputNode('password', { type: 'password' }, { group: 'password', meta: label('Password') })
    const name = inputNode('traits.name.first', { value: 'Ada' }, { group: 'profile', meta: label('First name') })
    const nodes = [csrf, name, button('profile'), password, button('password')]
    fakeServer({
      [`GET ${ory}/settings/browser`]: aFlow({}, nodes),
      [`POST ${ory}/settings`]: aFlow({}, nodes, [{ id: 1050001, text: 'Saved!', type: 'success' }]),
    })
    renderPage(<ProfileSettingsPage />, '/profile-settings')
    await userEvent.type(await screen.findByLabelText('First name'), ' M.')
    await userEvent.type(screen.getByLabelText('Password'), 'a new password{Enter}')
    await screen.findByText('Saved!')
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe(''))
    expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('Ada M.')
  })

  test('who came by a link has the cursor in the password, and a way on once it is set', async () => {
    const password = inputNode('password', { type: 'password' }, { group: 'password', meta: label('Password') })
    const nodes = [csrf, password, button('password')]
    const continue_with = [{ action: 'redirect_browser_to', redirect_browser_to: '/health' }]
    fakeServer({
      [`GET ${ory}/settings/flows`]: aFlow({}, nodes, [{ id: 1060001, text: 'Set a password', type: 'info' }]),
      [`POST ${ory}/settings`]: aFlow({ continue_with }, nodes, [{ id: 1050001, text: 'Saved!', type: 'success' }]),
    })
    renderPage(<ProfileSettingsPage />, '/profile-settings?flow=flow-1')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')))
    expect(screen.queryByRole('link', { name: 'Continue to Quarterdeck' })).toBeNull()
    await userEvent.keyboard('a new password{Enter}')
    const link = await screen.findByRole('link', { name: 'Continue to Quarterdeck' })
    expect(link.getAttribute('href')).toBe('/health')
  })

  test('[ERR-07] a change that needs a fresh session leads to sign-in, and is asked for again afterwards', async () => {
    const redirect = '/api/.ory/self-service/login/browser?refresh=true'
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    const server = fakeServer({
      [`GET ${ory}/settings/browser`]: aFlow({}, [csrf, button('password')]),
      [`POST ${ory}/settings`]: () =>
        answer(403, { error: { id: 'session_refresh_required', message: 'old' }, redirect_browser_to: redirect }),
    })
    const before = renderPage(<ProfileSettingsPage />, '/profile-settings')
    await userEvent.click(await screen.findByRole('button', { name: 'Save password' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith(redirect))
    assign.mockRestore()
    before.unmount()
    server.handlers[`GET ${ory}/settings/flows`] = aFlow({}, [csrf, button('password')])
    const after = renderPage(<ProfileSettingsPage />, '/profile-settings?flow=flow-1')
    expect(await screen.findByText('Your change was not saved yet. Please make it once more.')).toBeTruthy()
    after.unmount()
    toast.clear()
    renderPage(<ProfileSettingsPage />, '/profile-settings')
    await screen.findByRole('button', { name: 'Save password' })
    expect(screen.queryByText(/not saved yet/)).toBeNull()
  })

  test('a server that lets people change nothing says why, and keeps saying it', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    fakeServer({
      [`GET ${ory}/settings/browser`]: aFlow({}, [csrf], [{ id: 1050900, text: 'Kept in a file.', type: 'info' }]),
    })
    renderPage(<ProfileSettingsPage />, '/profile-settings')
    expect(await screen.findByText('Kept in a file.')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(11_000))
    expect(screen.getByText('Kept in a file.')).toBeTruthy()
  })
})
