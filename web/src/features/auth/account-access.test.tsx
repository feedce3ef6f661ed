import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { renderPage } from '@/testing/render.tsx'
import { browserName } from './account-access.queries.ts'
import { SessionsCard, TokensCard } from './account-access.tsx'

afterEach(() => vi.unstubAllGlobals())

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36'
const session = (id: string, ip: string) => ({
  id,
  authenticated_at: '2026-01-15T10:00:00Z',
  expires_at: '2026-01-16T10:00:00Z',
  authenticator_assurance_level: 'aal1',
  devices: [{ ip_address: ip, user_agent: chrome }],
})

describe('sessions', () => {
  test('are listed, and ended one by one or all at once', async () => {
    const listed = [session('s1', '198.51.100.1'), session('s2', '198.51.100.2')]
    const server = fakeServer({
      'GET /api/.ory/sessions': () => answer(200, listed),
      'DELETE /api/.ory/sessions/s1': () => {
        listed.shift()
        return answer(204)
      },
      'DELETE /api/.ory/sessions': { count: 1 },
    })
    renderPage(<SessionsCard />, '/profile-settings')
    expect(await screen.findAllByText('Chrome on Linux')).toHaveLength(2)
    await userEvent.click(screen.getByRole('button', { name: 'End all other sessions' }))
    await waitFor(() => expect(server.asked('DELETE')).toEqual(['DELETE /api/.ory/sessions']))
    await waitFor(() =>
      expect(screen.getAllByRole('button', { name: 'End session' })[0]).toHaveProperty('disabled', false),
    )
    await userEvent.click(screen.getAllByRole('button', { name: 'End session' })[0]!)
    await waitFor(() => expect(screen.getAllByText('Chrome on Linux')).toHaveLength(1))
  })

  test('this browser is among them, and cannot be ended here', async () => {
    fakeServer({
      'GET /api/.ory/sessions': () => answer(200, []),
      'GET /api/.ory/sessions/whoami': { ...session('s0', '198.51.100.9'), authenticator_assurance_level: 'aal2' },
    })
    renderPage(<SessionsCard />, '/profile-settings')
    const row = (await screen.findByText('This browser')).closest('li')!
    expect(row.textContent).toContain('with a second factor')
    expect(screen.queryByRole('button', { name: 'End session' })).toBeNull()
  })

  test('a list that cannot be loaded says so and can be asked for again', async () => {
    const server = fakeServer({
      'GET /api/.ory/sessions': () => answer(500, { error: { message: 'the database is away' } }),
      'GET /api/v1/tokens': () => answer(500, { message: 'the database is away' }),
    })
    renderPage(
      <>
        <SessionsCard />
        <TokensCard />
      </>,
      '/profile-settings',
    )
    await waitFor(() => expect(screen.getAllByText('This list could not be loaded')).toHaveLength(2))
    server.handlers['GET /api/.ory/sessions'] = () => answer(200, [])
    server.handlers['GET /api/v1/tokens'] = () => answer(200, [])
    for (const button of screen.getAllByRole('button', { name: 'Try again' })) await userEvent.click(button)
    expect(await screen.findByText('You are signed in nowhere else.')).toBeTruthy()
    expect(await screen.findByText('You have no tokens.')).toBeTruthy()
  })

  test('being signed in nowhere else is said', async () => {
    fakeServer({ 'GET /api/.ory/sessions': () => answer(200, []) })
    renderPage(<SessionsCard />, '/profile-settings')
    expect(await screen.findByText('You are signed in nowhere else.')).toBeTruthy()
  })

  test.each([
    [chrome, 'Chrome on Linux'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:1) Gecko/20100101 Firefox/120.0', 'Firefox on macOS'],
    ['curl/8', 'Another client'],
    ['', 'Another client'],
  ])('%s is %s', (agent, words) => expect(browserName(agent)).toBe(words))
})

describe('access tokens', () => {
  const id = '01900000-0000-7000-8000-000000000000'

  test('are made with an end and a scope, shown once, and revoked after a question', async () => {
    const tokens: object[] = []
    const server = fakeServer({
      'GET /api/v1/tokens': () => answer(200, tokens),
      'POST /api/v1/tokens': () => {
        tokens.push({ id, name: 'deploy', created_at: '2026-01-15T10:00:00Z', expires_at: null, roles: ['viewer'] })
        return { id, token: 'secret.salt.1.65536.4' }
      },
      [`DELETE /api/v1/tokens/${id}`]: () => {
        tokens.length = 0
        return answer(204)
      },
    })
    renderPage(<TokensCard />, '/profile-settings')
    const create = await screen.findByRole('button', { name: 'Create token' })
    expect(create).toHaveProperty('disabled', true)
    await userEvent.type(screen.getByLabelText('Token name'), 'deploy')
    await userEvent.click(create)
    expect(await screen.findByText('secret.salt.1.65536.4')).toBeTruthy()
    expect(server.calls.find(({ method }) => method === 'POST')!.body).toEqual({ name: 'deploy', days: 90 })
    expect(await screen.findByText(/As viewer/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Revoke' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke token' }))
    await waitFor(() => expect(screen.queryByText('deploy')).toBeNull())
  })

  test('a refusal is told and keeps what was typed', async () => {
    fakeServer({
      'GET /api/v1/tokens': () => answer(200, []),
      'POST /api/v1/tokens': () => answer(400, { message: 'A token cannot be admin' }),
    })
    renderPage(<TokensCard />, '/profile-settings')
    await userEvent.type(await screen.findByLabelText('Token name'), 'king')
    await userEvent.click(screen.getByRole('button', { name: 'Create token' }))
    expect((await screen.findByRole('alert')).textContent).toBe('A token cannot be admin')
    expect(screen.getByLabelText('Token name')).toHaveProperty('value', 'king')
    expect(screen.getByLabelText('Token name').getAttribute('aria-invalid')).toBe('true')
  })
})
