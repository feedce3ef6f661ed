import type { Page } from '@playwright/test'
import { accounts } from './fixtures/accounts.ts'
import { expect, test } from './fixtures/test.ts'

const { email, password } = accounts.responder

async function signIn(page: Page, secret = password) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Every address the page shows, also those it leaves at once. */
function addressesOf(page: Page) {
  const seen: string[] = []
  page.on('framenavigated', (frame) => frame === page.mainFrame() && seen.push(frame.url()))
  return seen
}

test('[AUTH-01] [AUTH-04] [AUTH-08] a stranger signs in and lands where they wanted to go', async ({ page }) => {
  await page.goto('/incidents?status=closed')
  await expect(page).toHaveURL('/login?return_to=%2Fincidents%3Fstatus%3Dclosed')
  await expect(page).toHaveTitle('Login | Quarterdeck')
  await expect(page.getByRole('link', { name: 'Reset password' })).toHaveAttribute('href', '/recovery')
  await expect(page.getByLabel('E-mail')).toBeFocused()

  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().includes('/self-service/login'),
  )
  await signIn(page)
  expect((await sent).postDataJSON()).toMatchObject({
    method: 'password',
    identifier: email,
    password,
    csrf_token: expect.stringMatching(/.+/),
  })
  await expect(page).toHaveURL('/incidents?status=closed')
  await expect(page.getByRole('heading', { level: 1, name: 'Incidents' })).toBeVisible()
})

test('[AUTH-02] [AUTH-03] a flow in the address is used, one that is gone is replaced', async ({ page }) => {
  const flows: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.includes('/self-service/login'))
      flows.push(`${pathname.split('/').at(-1)} ${searchParams.get('id') ?? ''}`)
  })
  const begun = page.waitForResponse((response) => response.url().includes('/self-service/login/browser'))
  await page.goto('/login')
  const { id } = (await (await begun).json()) as { id: string }
  flows.length = 0
  await page.goto(`/login?flow=${id}`)
  await expect(page.getByLabel('E-mail')).toBeVisible()
  expect(flows).toEqual([`flows ${id}`])
  flows.length = 0
  await page.goto('/login?flow=00000000-0000-0000-0000-000000000000&return_to=%2Fhealth')
  await expect(page.getByLabel('E-mail')).toBeVisible()
  expect(flows).toEqual(['flows 00000000-0000-0000-0000-000000000000', 'browser '])
})

test('a wrong password is told in the form, which keeps the address', async ({ page }) => {
  await page.goto('/login')
  await signIn(page, 'not the password')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue(email)
  await expect(page).toHaveURL('/login')
})

test('[AUTH-05] credentials in the address sign in and leave address and history at once', async ({ page }) => {
  await page.goto('/login')
  const address = `/login?username=${encodeURIComponent(email)}&password=${encodeURIComponent(password)}&return_to=%2Fhealth`
  await page.goto(address)
  await expect(page).toHaveURL('/health')
  await page.goBack()
  expect(page.url()).not.toContain('password')
})

test('[AUTH-12] [API-05] a session that seems lost is checked, and the page comes back when it is there', async ({
  as,
}) => {
  const page = await as('editor')
  await page.goto('/settings/feature-flags?query=none')
  await expect(page.getByRole('table', { name: 'Feature flags' })).toBeVisible()
  const seen = addressesOf(page)
  await page.route(
    '**/api/properties',
    (route) => route.fulfill({ status: 401, json: { message: 'Session Expired' } }),
    {
      times: 2,
    },
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  const checker = `/auth-state-checker?return_to=${encodeURIComponent('/settings/feature-flags?query=none')}`
  await expect.poll(() => seen.map((address) => address.replace(/^https?:\/\/[^/]+/, ''))).toContain(checker)
  await expect(page).toHaveURL('/settings/feature-flags?query=none')
  await expect(page.getByRole('table', { name: 'Feature flags' })).toBeVisible()
  await expect(page.getByText('Session Expired')).toHaveCount(0)
})

test('[AUTH-12] a session lost at work leads to sign-in and back', async ({ as }) => {
  const page = await as('editor')
  await page.goto('/settings/feature-flags?query=none')
  await expect(page.getByRole('table', { name: 'Feature flags' })).toBeVisible()
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page).toHaveURL(`/login?return_to=${encodeURIComponent('/settings/feature-flags?query=none')}`)
  await page.goto('/auth-state-checker?return_to=%2Fhealth')
  await expect(page).toHaveURL('/login?return_to=%2Fhealth')
})

test('[AUTH-13] [AUTH-14] [SHELL-21] signing out ends the session and comes back after signing in again', async ({
  page,
}) => {
  await page.goto('/login?return_to=%2Flogs')
  const created = page.waitForResponse((response) => response.url().endsWith('/self-service/logout/browser'))
  await signIn(page)
  const { logout_token } = (await (await created).json()) as { logout_token: string }
  await page.getByRole('button', { name: 'User menu' }).click()
  const submitted = page.waitForRequest((request) => new URL(request.url()).pathname.endsWith('/self-service/logout'))
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  expect(new URL((await submitted).url()).searchParams.get('token')).toBe(logout_token)
  await expect(page).toHaveURL('/login?return_to=%2Flogs')
  expect((await page.request.get('/api/auth/whoami')).status()).toBe(401)
  await page.goto('/health')
  await expect(page).toHaveURL('/login?return_to=%2Fhealth')
})

test('a link cannot send people to another site after they signed in', async ({ page }) => {
  await page.goto('/login?return_to=https%3A%2F%2Fevil.example%2F')
  await signIn(page)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/topology')
})

test('[SHELL-05] account pages open without a session and keep their titles', async ({ page }) => {
  for (const [path, title] of [
    ['/recovery', 'Recovery'],
    ['/registration', 'Register'],
  ] as const) {
    await page.goto(path)
    await expect(page).toHaveTitle(`${title} | Quarterdeck`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(new URL(page.url()).pathname).toBe(path)
  }
  // This server verifies nobody, and the page then leads to the start.
  await page.goto('/verification')
  await expect(page).toHaveURL('/login?return_to=%2F')
  await page.goto('/profile-settings')
  await expect(page).toHaveURL(/\/login\?return_to=%2Fprofile-settings/)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`sign-in and account pages have no accessibility violations (${colorScheme})`, async ({
    page,
    expectAccessible,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const path of ['/login', '/recovery', '/error?error_code=BAD_SESSION']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      await expectAccessible(page)
    }
  })
}
