import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { renderPage, renderRoutes } from '@/testing/render.tsx'
import { AuthStateCheckerPage } from './auth-state-checker-page.tsx'
import { ErrorPage } from './error-page.tsx'
import { logoutQuery, signOut } from './logout.ts'
import { createQueryClient } from '@/api/query-client.ts'
import { OrgsSwitchedPage } from './orgs-switched-page.tsx'

const whoami = 'GET /api/.ory/sessions/whoami'
const at = '/auth-state-checker?return_to=%2Fhealth%3FcheckId%3D1'

beforeEach(() => sessionStorage.clear())
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('/auth-state-checker', () => {
  test('[AUTH-12] a session that is there leads back', async () => {
    fakeServer({ [whoami]: { active: true } })
    const { here } = renderPage(<AuthStateCheckerPage />, at)
    await waitFor(() => expect(here()).toBe('/health?checkId=1'))
  })

  test.each([
    [401, '/login?return_to=%2Fhealth%3FcheckId%3D1'],
    [403, '/login?aal=aal2&return_to=%2Fhealth%3FcheckId%3D1'],
    [422, '/login?aal=aal2&return_to=%2Fhealth%3FcheckId%3D1'],
  ])('[AUTH-12] a session check answering %s leads to sign-in', async (status, to) => {
    fakeServer({ [whoami]: () => answer(status, { error: { message: 'no' } }) })
    const { here } = renderPage(<AuthStateCheckerPage />, at)
    await waitFor(() => expect(here()).toBe(to))
  })

  test('any other answer is raised', async () => {
    fakeServer({ [whoami]: () => answer(500, {}) })
    vi.spyOn(console, 'error').mockImplementation(() => {})
    renderRoutes([{ path: '/auth-state-checker', element: <AuthStateCheckerPage />, errorElement: <p>raised</p> }], at)
    expect(await screen.findByText('raised')).toBeTruthy()
  })

  test('a server that says yes here and no everywhere else does not send the browser round forever', async () => {
    fakeServer({ [whoami]: { active: true } })
    const ends: string[] = []
    for (let round = 0; round < 4; round++) {
      const { here, unmount } = renderPage(<AuthStateCheckerPage />, at)
      await waitFor(() => expect(here()).not.toBe(at))
      ends.push(here().split('?')[0]!)
      unmount()
    }
    expect(ends).toEqual(['/health', '/health', '/health', '/login'])
  })
})

describe('signing out', () => {
  const stub = () => {
    const assign = vi.fn()
    vi.spyOn(window.location, 'assign').mockImplementation(assign)
    return assign
  }

  test('[AUTH-13] the logout token is fetched on load, and nobody signed in is no error', async () => {
    const queries = createQueryClient()
    fakeServer({ 'GET /api/.ory/self-service/logout/browser': { logout_token: 'out-1', logout_url: 'x' } })
    await expect(queries.fetchQuery(logoutQuery)).resolves.toBe('out-1')
    queries.clear()
    fakeServer({ 'GET /api/.ory/self-service/logout/browser': () => answer(401, { error: { message: 'no' } }) })
    await expect(queries.fetchQuery(logoutQuery)).resolves.toBeNull()
  })

  test('[AUTH-14] signing out submits the token and goes to login with return_to', async () => {
    window.history.replaceState(null, '', '/health?checkId=1')
    const assign = stub()
    const server = fakeServer({ 'GET /api/.ory/self-service/logout': () => answer(204) })
    await signOut('out-1')
    expect(server.calls[0]!.query.get('token')).toBe('out-1')
    expect(server.calls[0]!.query.get('return_to')).toBe('/login?return_to=%2Fhealth%3FcheckId%3D1')
    expect(assign).toHaveBeenCalledWith('/login?return_to=%2Fhealth%3FcheckId%3D1')
  })

  test('[AUTH-15] a failure ends at login all the same', async () => {
    const assign = stub()
    fakeServer({ 'GET /api/.ory/self-service/logout': () => answer(500, {}) })
    await signOut('out-1')
    expect(assign).toHaveBeenCalledWith(expect.stringMatching(/^\/login\?return_to=/))
  })
})

describe('error pages', () => {
  const mode = (auth: string) => ({ 'GET /api/v1/capabilities': { auth } })
  const errors = 'GET /api/.ory/self-service/errors'
  const text = /^Bad Session\. Please try logging out and logging in again, if the problem persist, please contact us/

  test.each(['clerk', 'builtin'])('[ERR-01] %s: BAD_SESSION is explained', async (auth) => {
    fakeServer(mode(auth))
    renderPage(<ErrorPage />, '/error?error_code=BAD_SESSION')
    expect((await screen.findByRole('alert')).textContent).toMatch(text)
    expect(screen.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe('/')
  })

  test.each(['?error_code=SOMETHING', '?error_code=toString', ''])('[ERR-02] %s is an unknown error', async (query) => {
    fakeServer(mode('clerk'))
    renderPage(<ErrorPage />, `/error${query}`)
    expect((await screen.findByRole('alert')).textContent).toBe('Unknown error')
  })

  const flowError = (id: string) =>
    renderRoutes(
      [
        { path: '/error/:id', element: <ErrorPage />, errorElement: <p>raised</p> },
        { path: '/', element: null },
      ],
      `/error/${id}`,
    )

  test('[ERR-04] a flow error is loaded and shown as text', async () => {
    const server = fakeServer({
      ...mode('builtin'),
      [errors]: { id: 'e1', error: { message: 'The provider said no' } },
    })
    flowError('e1')
    expect((await screen.findByRole('alert')).textContent).toBe('The provider said no')
    expect(screen.getByText(/"id": "e1"/)).toBeTruthy()
    expect(server.asked('errors')).toEqual([`${errors}?id=e1`])
  })

  test.each([403, 404, 410])('[ERR-04] a flow error that answers %s goes to /', async (status) => {
    fakeServer({ ...mode('builtin'), [errors]: () => answer(status, {}) })
    const { here } = flowError('e1')
    await waitFor(() => expect(here()).toBe('/'))
  })

  test('[ERR-04] any other failure is raised', async () => {
    fakeServer({ ...mode('builtin'), [errors]: () => answer(500, {}) })
    vi.spyOn(console, 'error').mockImplementation(() => {})
    flowError('e1')
    expect(await screen.findByText('raised')).toBeTruthy()
  })

  test('[MODE-10] with the hosted provider the error route shows codes, otherwise flow errors', async () => {
    const server = fakeServer({ ...mode('clerk'), [errors]: { id: 'e1' } })
    const hosted = renderPage(<ErrorPage />, '/error?id=e1&error_code=BAD_SESSION')
    expect((await screen.findByRole('alert')).textContent).toMatch(text)
    expect(server.asked('errors')).toEqual([])
    hosted.unmount()
    fakeServer({ ...mode('builtin'), [errors]: { id: 'e1', error: 'from the flow' } })
    renderPage(<ErrorPage />, '/error?id=e1')
    expect((await screen.findByRole('alert')).textContent).toContain('from the flow')
  })
})

test('[MODE-11] the landing after switching the organisation opens the console', async () => {
  fakeServer()
  const { here } = renderPage(<OrgsSwitchedPage />, '/organizations/orgs-switched')
  await waitFor(() => expect(here()).toBe('/'))
})
