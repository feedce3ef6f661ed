import type { Role } from '@quarterdeck/contract/permissions'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { As, renderRoutes } from '@/testing/render.tsx'
import { type AreaRoute, read, write } from '../area-route.ts'
import { RouteError } from '../error-pages/screens.tsx'
import { ShellSkeleton } from '../layout/shell-skeleton.tsx'
import { RoutePage } from './route-page.tsx'
import { SignedIn } from './signed-in.tsx'

const whoami = { payload: { user: { id: '1', name: 'Ada' }, roles: ['admin'] } }
const signedIn = {
  'GET /api/v1/capabilities': { auth: 'builtin', deployment: 'full' },
  'GET /api/.ory/sessions/whoami': { active: true },
  'GET /api/auth/whoami': whoami,
  'GET /api/properties': [],
}

beforeEach(() => vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('route guard', () => {
  const page = () => Promise.resolve(() => <p>the page</p>)
  const show = (route: Partial<AreaRoute>, roles: Role[], off: string[] = []) =>
    renderRoutes([
      {
        path: '/',
        element: (
          <As roles={roles} off={off}>
            <RoutePage route={{ path: '/', title: 'Users', page, ...route }} />
          </As>
        ),
      },
    ])

  test.each([
    ['viewer', read('identities')],
    ['editor', read('connections')],
    ['responder', write('integrations')],
  ] as const)('[RBAC-07] %s without the right sees why', async (role, access) => {
    show({ access }, [role])
    expect(await screen.findByText('Unauthorized')).toBeTruthy()
    expect(screen.getByText(/^You do not have permission to access this page/)).toBeTruthy()
    expect(screen.queryByText('the page')).toBeNull()
  })

  test('[RBAC-07] those who have the right see the page', async () => {
    show({ access: read('identities') }, ['admin'])
    expect(await screen.findByText('the page')).toBeTruthy()
  })

  test('a page whose feature is switched off says so, also to those who may see it', async () => {
    show({ feature: 'settings.topology' }, ['admin'], ['topology'])
    expect(await screen.findByText('Users is switched off')).toBeTruthy()
  })

  test('[SHELL-26] a page that cannot be drawn shows the generic page, with the reason', async () => {
    const broken: AreaRoute = {
      path: '/',
      title: 'x',
      page: () =>
        Promise.resolve(() => {
          throw new Error('a bug', { cause: new Error('deeper') })
        }),
    }
    renderRoutes([{ path: '/', element: <RoutePage route={broken} />, errorElement: <RouteError /> }])
    expect(await screen.findByText('Sorry.. there was an error')).toBeTruthy()
    expect(screen.getByText('Something went wrong')).toBeTruthy()
    expect(screen.getByText('a bug')).toBeTruthy()
  })

  test('a page whose code does not come says so, and is tried again at the next visit', async () => {
    const page = vi.fn(() => Promise.reject<never>(new TypeError('Failed to fetch dynamically imported module')))
    const routes = () => [
      { path: '/', element: <RoutePage route={{ path: '/', title: 'x', page }} />, errorElement: <RouteError /> },
    ]
    const first = renderRoutes(routes())
    expect(await screen.findByText(/^This page could not be loaded/)).toBeTruthy()
    first.unmount()
    renderRoutes(routes())
    expect(await screen.findByText(/^This page could not be loaded/)).toBeTruthy()
    expect(page.mock.calls.length).toBeGreaterThanOrEqual(2)
  })

  test('[ERR-17] the generic error view shows stack and cause', async () => {
    const error = new Error('a bug', { cause: new Error('deeper') })
    const page = () =>
      Promise.resolve(() => {
        throw error
      })
    renderRoutes([
      { path: '/', element: <RoutePage route={{ path: '/', title: 'x', page }} />, errorElement: <RouteError /> },
    ])
    const view = await screen.findByRole('alert')
    expect(view.textContent).toContain('Something went wrong')
    expect(view.textContent).toContain(error.stack)
    expect(view.textContent).toContain('deeper')
  })
})

describe('signed-in guard', () => {
  const show = (at: string, waitForFlags = true) =>
    renderRoutes(
      [
        { path: '/login', element: <p>sign in</p> },
        {
          path: '*',
          element: (
            <SignedIn loading={<ShellSkeleton />} waitForFlags={waitForFlags}>
              <p>inside</p>
            </SignedIn>
          ),
        },
      ],
      at,
    )

  test('[SHELL-24] while the shell loads its skeleton is shown', async () => {
    let resolve: (flags: object) => void = () => {}
    const promise = new Promise<object>((done) => (resolve = done))
    fakeServer({ ...signedIn, 'GET /api/properties': () => promise })
    show('/health')
    expect(screen.getAllByRole('status', { name: 'Loading' }).length).toBeGreaterThan(0)
    expect(screen.queryByText('inside')).toBeNull()
    resolve([])
    expect(await screen.findByText('inside')).toBeTruthy()
  })

  test('[SHELL-07] the standalone topology view does not wait for the flags', async () => {
    fakeServer({ ...signedIn, 'GET /api/properties': () => new Promise(() => {}) })
    show('/view/topology/1', false)
    expect(await screen.findByText('inside')).toBeTruthy()
  })

  test('a server that was away is found again without anybody pressing a button', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const server = fakeServer({
      ...signedIn,
      'GET /api/auth/whoami': () => answer(503, { message: 'starting' }),
      'GET /readyz': () => answer(503, { status: 'not ready' }),
    })
    show('/health')
    expect(await screen.findByText('starting')).toBeTruthy()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(screen.getByText('starting')).toBeTruthy()
    server.handlers['GET /readyz'] = () => answer(200, { status: 'ready' })
    server.handlers['GET /api/auth/whoami'] = () => answer(200, whoami)
    await vi.advanceTimersByTimeAsync(4000)
    expect(await screen.findByText('inside')).toBeTruthy()
    vi.useRealTimers()
  })

  test('a proxy that answers for a server that is away is not taken for a server without extras', async () => {
    fakeServer({ ...signedIn, 'GET /api/v1/capabilities': () => answer(502, { message: 'Bad Gateway' }) })
    show('/health')
    expect(await screen.findByText('Bad Gateway')).toBeTruthy()
  })

  test('all questions of the start are asked at once', async () => {
    const server = fakeServer(signedIn)
    show('/health')
    expect(server.asked()).toHaveLength(4)
    expect(await screen.findByText('inside')).toBeTruthy()
    expect(server.asked()).toHaveLength(4)
  })

  test('[AUTH-08] nobody signed in goes to sign-in with path and query', async () => {
    const none = () => answer(401, { error: { message: 'no' } })
    fakeServer({
      ...signedIn,
      'GET /api/.ory/sessions/whoami': none,
      'GET /api/auth/whoami': none,
      'GET /api/properties': none,
    })
    const { here } = show('/health?checkId=1')
    await waitFor(() => expect(here()).toBe('/login?return_to=%2Fhealth%3FcheckId%3D1'))
  })

  test('[SHELL-25] a hosted instance that is being made is waited for', async () => {
    const server = fakeServer({
      'GET /api/v1/capabilities': { auth: 'clerk' },
      'GET /api/auth/whoami': () => answer(503),
      'GET /api/properties': [],
    })
    show('/health')
    expect(await screen.findByText('Please wait, instance provisioning in-progress ...')).toBeTruthy()
    expect(server.asked('whoami').length).toBeGreaterThan(0)
  })

  test('a server of the reference API has roles in the data API only', async () => {
    const server = fakeServer({
      'GET /api/.ory/sessions/whoami': {},
      'GET /api/auth/whoami': { payload: { user: { id: 'p1', name: 'Ada' } } },
      'GET /api/db/people_roles': [{ id: 'p1', roles: ['editor', 'everyone'] }],
      'GET /api/properties': [],
    })
    const { queries } = show('/health')
    expect(await screen.findByText('inside')).toBeTruthy()
    expect(queries.getQueryData(['me'])).toMatchObject({ roles: ['editor'] })
    expect(server.asked('people_roles')).toEqual(['GET /api/db/people_roles?id=in.%28p1%29'])
  })
})
