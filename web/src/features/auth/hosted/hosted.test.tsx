import { act, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { client, dressRequests } from '@/api/client.ts'
import { AccountFrame } from '@/app/layout/account-frame.tsx'
import { SignedIn } from '@/app/guards/signed-in.tsx'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { renderPage, renderRoutes } from '@/testing/render.tsx'
import { RegistrationPage } from '../account-pages.tsx'
import { routes } from '../auth.routes.tsx'
import { ErrorPage } from '../error-page.tsx'
import { LoginPage } from '../login-page.tsx'
import { ProfileSettingsPage } from '../profile-settings-page.tsx'
import { backendOf, dresserFor } from './direct.ts'

/** The provider brings its forms from its own host; here stands what the console hands to them. */
const provider = vi.hoisted(() => ({
  auth: { isLoaded: true, isSignedIn: true, orgId: 'org_1' as string | null },
  metadata: {} as Record<string, unknown>,
  key: '',
  status: 'ready',
  listeners: new Set<() => void>(),
}))
vi.mock('@clerk/react', async () => {
  const { useSyncExternalStore } = await import('react')
  const watch = (listener: () => void) => {
    provider.listeners.add(listener)
    return () => provider.listeners.delete(listener)
  }
  const widget = (name: string) => (props: Record<string, unknown>) => (
    <div data-testid={name} data-props={JSON.stringify(props)} />
  )
  return {
    ClerkProvider: ({ children, publishableKey }: { children: ReactNode; publishableKey: string }) => {
      provider.key = publishableKey
      return children
    },
    ClerkLoading: ({ children }: { children: ReactNode }) => (provider.status === 'loading' ? children : null),
    ClerkFailed: ({ children }: { children: ReactNode }) => (provider.status === 'error' ? children : null),
    SignIn: widget('sign-in'),
    SignUp: widget('sign-up'),
    UserProfile: widget('profile'),
    OrganizationSwitcher: widget('switcher'),
    useAuth: () => ({ ...useSyncExternalStore(watch, () => provider.auth), getToken }),
    useOrganization: () => ({
      isLoaded: true,
      organization: { publicMetadata: useSyncExternalStore(watch, () => provider.metadata) },
    }),
  }
})
const getToken = () => Promise.resolve('token-1')

const capabilities = {
  'GET /api/v1/capabilities': { auth: 'clerk', hosted: { publishable_key: 'pk_test_1' } },
}
const propsOf = async (name: string) =>
  JSON.parse((await screen.findByTestId(name)).dataset.props!) as Record<string, unknown>

beforeEach(() => {
  provider.status = 'ready'
  provider.auth = { isLoaded: true, isSignedIn: true, orgId: 'org_1' }
  provider.metadata = {}
})
afterEach(() => {
  vi.useRealTimers()
  dressRequests(undefined)
  vi.unstubAllGlobals()
})

describe('where the hosted provider signs people in', () => {
  test('[MODE-02] sign-in shows its widget, which leads back', async () => {
    const server = fakeServer(capabilities)
    renderPage(<LoginPage />, '/login?return_to=%2Fhealth')
    expect(await propsOf('sign-in')).toMatchObject({ signUpUrl: '/registration', fallbackRedirectUrl: '/health' })
    expect(provider.key).toBe('pk_test_1')
    expect(server.asked('/.ory/')).toEqual([])
  })

  test('[MODE-02] [SELF-09] sign-up shows its widget with sign-in at /login and hands return_to on', async () => {
    fakeServer(capabilities)
    const plain = renderPage(<RegistrationPage />, '/registration')
    expect(await propsOf('sign-up')).toMatchObject({ signInUrl: '/login', fallbackRedirectUrl: '/' })
    plain.unmount()
    renderPage(<RegistrationPage />, '/registration?redirectUrl=%2Fhealth')
    expect(await propsOf('sign-up')).toMatchObject({ fallbackRedirectUrl: '/?return_to=%2Fhealth' })
  })

  test('[MODE-02] [SELF-06] the profile is its widget instead of the cards', async () => {
    fakeServer(capabilities)
    renderPage(<ProfileSettingsPage />, '/profile-settings?return_to=%2Fhealth')
    expect(await screen.findByTestId('profile')).toBeTruthy()
    expect(screen.queryByRole('heading', { level: 2 })).toBeNull()
    expect(screen.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe('/health')
  })

  test('[ERR-03] the error page has a way back, an organisation switcher and a user menu', async () => {
    fakeServer(capabilities)
    renderRoutes(
      [{ element: <AccountFrame table={routes} />, children: [{ path: '/error', element: <ErrorPage /> }] }],
      '/error?error_code=BAD_SESSION',
    )
    const after = { afterSelectOrganizationUrl: '/organizations/orgs-switched' }
    expect(await propsOf('switcher')).toMatchObject({
      ...after,
      afterCreateOrganizationUrl: '/organizations/orgs-switched',
    })
    expect((await screen.findByRole('link', { name: 'Go back' })).getAttribute('href')).toBe('/')
    expect(screen.getByRole('button', { name: 'User menu' })).toBeTruthy()
  })

  const guarded = (address = '/health') =>
    renderRoutes(
      [
        { path: '/health', element: <SignedIn loading={<p>loading</p>}>inside</SignedIn> },
        { path: '*', element: null },
      ],
      address,
    )
  const me = { payload: { user: { id: 'p1', name: 'Hope' }, roles: ['admin'] } }

  test('[AUTH-07] who is not signed in there goes to /login', async () => {
    provider.auth = { isLoaded: true, isSignedIn: false, orgId: null }
    fakeServer(capabilities)
    const { here } = guarded('/health?a=1')
    await waitFor(() => expect(here()).toBe('/login?return_to=%2Fhealth%3Fa%3D1'))
  })

  test('while its script is on the way the shell loads, and a script that cannot come is said so', async () => {
    provider.auth = { isLoaded: false, isSignedIn: false, orgId: null }
    provider.status = 'loading'
    fakeServer(capabilities)
    const loading = guarded()
    expect(await screen.findByText('loading')).toBeTruthy()
    loading.unmount()
    provider.status = 'error'
    guarded()
    expect(await screen.findByText('The identity provider cannot be reached')).toBeTruthy()
    expect(screen.queryByText('loading')).toBeNull()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })

  test('a page of its own says that it waits, and that it waits in vain; the header does not', async () => {
    provider.auth = { isLoaded: false, isSignedIn: false, orgId: null }
    provider.status = 'loading'
    fakeServer(capabilities)
    const early = renderPage(<LoginPage />, '/login')
    expect(await screen.findByText('Loading the identity provider')).toBeTruthy()
    early.unmount()
    provider.status = 'error'
    const late = renderPage(<LoginPage />, '/login')
    expect(await screen.findByText('The identity provider cannot be reached')).toBeTruthy()
    late.unmount()
    renderRoutes(
      [{ element: <AccountFrame table={routes} />, children: [{ path: '/error', element: <ErrorPage /> }] }],
      '/error?error_code=BAD_SESSION',
    )
    expect(await screen.findByTestId('switcher')).toBeTruthy()
    expect(screen.queryByText('The identity provider cannot be reached')).toBeNull()
  })

  test('who has no organisation chooses one', async () => {
    provider.auth = { ...provider.auth, orgId: null }
    fakeServer(capabilities)
    guarded()
    expect(await screen.findByRole('heading', { name: 'Choose an organisation' })).toBeTruthy()
    expect(screen.getByTestId('switcher')).toBeTruthy()
  })

  test("[MODE-06] every request carries the token, and a direct organisation's requests go to its backend", async () => {
    provider.metadata = { direct: true, backend_url: 'https://acme.backend.test/' }
    const asked: { url: string; headers: Record<string, string> }[] = []
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      asked.push({ url, headers: init.headers as Record<string, string> })
      const body = url.endsWith('/v1/capabilities')
        ? capabilities['GET /api/v1/capabilities']
        : url.includes('whoami')
          ? me
          : []
      return new Response(JSON.stringify(body))
    })
    guarded()
    await screen.findByText('inside')
    await client('db').get('/checks', { query: { id: 'eq.1' } })
    const { url, headers } = asked.at(-1)!
    expect(url).toBe('https://acme.backend.test/db/checks?id=eq.1')
    expect(headers.Authorization).toBe('Bearer token-1')
    expect(asked.filter((one) => one.url === 'https://acme.backend.test/auth/whoami').length).toBeGreaterThan(0)
    for (const one of asked.filter(({ url: to }) => to.startsWith('https://')))
      expect(one.headers.Authorization).toBe('Bearer token-1')
  })

  test('[MODE-06] after another organisation is chosen everything is asked anew, at its backend', async () => {
    provider.metadata = { direct: true, backend_url: 'https://acme.backend.test' }
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      const name = url.startsWith('https://initech') ? 'Initech' : 'Acme'
      const body = url.endsWith('/v1/capabilities')
        ? capabilities['GET /api/v1/capabilities']
        : url.includes('whoami')
          ? { payload: { user: { id: 'p1', name }, roles: ['admin'] } }
          : []
      return new Response(JSON.stringify(body))
    })
    const { queries } = guarded()
    await screen.findByText('inside')
    expect(queries.getQueryData(['me'])).toMatchObject({ user: { name: 'Acme' } })
    const before = asked.length
    act(() => {
      provider.auth = { ...provider.auth, orgId: 'org_2' }
      provider.metadata = { direct: true, backend_url: 'https://initech.backend.test' }
      for (const listener of provider.listeners) listener()
    })
    await waitFor(() => expect(queries.getQueryData(['me'])).toMatchObject({ user: { name: 'Initech' } }))
    expect(await screen.findByText('inside')).toBeTruthy()
    expect(asked.slice(before).filter((url) => url.startsWith('https://acme'))).toEqual([])
  })

  test('[MODE-07] an instance that is being made is waited for, and opens by itself', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const server = fakeServer({
      ...capabilities,
      'GET /api/auth/whoami': () => answer(503, { message: 'not yet' }),
      'GET /api/properties': [],
    })
    guarded()
    expect(
      await screen.findByText('Please wait, instance provisioning in-progress ...', {}, { timeout: 5000 }),
    ).toBeTruthy()
    server.handlers['GET /api/auth/whoami'] = me
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    expect(await screen.findByText('inside')).toBeTruthy()
  })

  test('whom the provider knows and the server refuses sees why, instead of going in circles', async () => {
    fakeServer({ ...capabilities, 'GET /api/auth/whoami': () => answer(401, { message: 'other organisation' }) })
    const { here } = guarded()
    await waitFor(() => expect(here()).toBe('/error?error_code=BAD_SESSION'))
  })
})

describe('direct mode', () => {
  test.each([
    [undefined, null],
    [{}, null],
    [{ backend_url: 'https://a.test' }, null],
    [{ direct: 'yes', backend_url: 'https://a.test' }, null],
    [{ direct: true, backend_url: 'javascript:alert(1)' }, null],
    [{ direct: true, backend_url: 'not an address' }, null],
    [{ direct: true, backend_url: 'https://a.test/base/' }, 'https://a.test/base'],
  ])('%j leads to %s', (metadata, backend) => expect(backendOf(metadata)).toBe(backend))

  test('without a token the request goes as it is', async () => {
    const dress = dresserFor(() => Promise.resolve(null), null)
    expect(await dress({ address: '/api/db/a', headers: { A: 'b' } })).toEqual({
      address: '/api/db/a',
      headers: { A: 'b' },
    })
  })
})
