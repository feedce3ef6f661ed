import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { AccountFrame } from '@/app/layout/account-frame.tsx'
import { SignedIn } from '@/app/guards/signed-in.tsx'
import { fakeServer } from '@/testing/fake-server.ts'
import { renderRoutes } from '@/testing/render.tsx'
import { RegistrationPage } from '../account-pages.tsx'
import { routes } from '../auth.routes.tsx'
import { ErrorPage } from '../error-page.tsx'
import { aFlow } from '../flow-fixture.ts'
import { LoginPage } from '../login-page.tsx'
import { ProfileSettingsPage } from '../profile-settings-page.tsx'

const loaded = vi.hoisted(() => vi.fn())
vi.mock('@clerk/react', () => {
  loaded()
  return { ClerkProvider: () => null, ClerkFailed: () => null, ClerkLoading: () => null, SignIn: () => null }
})
afterEach(() => vi.unstubAllGlobals())

const pages = [
  { path: '/login', element: <LoginPage /> },
  { path: '/registration', element: <RegistrationPage /> },
  { path: '/profile-settings', element: <ProfileSettingsPage /> },
  { path: '/error', element: <ErrorPage /> },
]
const show = (at: string) =>
  renderRoutes(
    [
      { element: <AccountFrame table={routes} />, children: pages },
      { path: '/health', element: <SignedIn loading={null}>inside</SignedIn> },
    ],
    at,
  )
const answers = (auth: string) => ({
  'GET /api/v1/capabilities': { auth, ...(auth === 'clerk' ? { hosted: { publishable_key: 'pk_test_1' } } : {}) },
  'GET /api/.ory/self-service/login/browser': aFlow(),
  'GET /api/.ory/self-service/registration/browser': aFlow(),
  'GET /api/.ory/self-service/settings/browser': aFlow(),
  'GET /api/.ory/sessions/whoami': { active: true },
  'GET /api/auth/whoami': { payload: { user: { id: 'p1', name: 'Hope' }, roles: ['admin'] } },
  'GET /api/properties': [],
})

test.each(['builtin', 'kratos'])('[MODE-01] %s: nothing of the hosted provider is loaded', async (auth) => {
  fakeServer(answers(auth))
  for (const [at, words] of [
    ['/login', 'E-mail'],
    ['/registration', 'E-mail'],
    ['/profile-settings', 'Change Password'],
    ['/error?error_code=x', 'Unknown error'],
    ['/health', 'inside'],
  ] as const) {
    const view = show(at)
    expect((await screen.findAllByText(words)).length).toBeGreaterThan(0)
    view.unmount()
  }
  expect(loaded).not.toHaveBeenCalled()
})

test('it is loaded where it signs people in', async () => {
  fakeServer(answers('clerk'))
  show('/login')
  await waitFor(() => expect(loaded).toHaveBeenCalled())
})
