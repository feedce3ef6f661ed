import { accounts } from './fixtures/accounts.ts'
import { expect, test } from './fixtures/test.ts'

test('a stranger is led to the sign-in page, signs in and sees the console', async ({ page }) => {
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))

  await page.goto('/health')
  await expect(page).toHaveURL(/\/login/)
  const { email, password } = accounts.viewer
  await page.getByLabel(/e-?mail/i).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: /sign in/i }).click()
  await expect(page).toHaveURL(/\/health/)
  await expect(page.getByRole('navigation').first()).toBeVisible()
  // Whoever is not signed in gets 401 on the first look; the browser reports that by itself.
  expect(problems.filter((text) => !text.includes('401'))).toEqual([])
})

test('pages carry a content security policy that forbids scripts of others', async ({ request }) => {
  const answer = await request.get('/login')
  const policy = answer.headers()['content-security-policy']!
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toContain('unsafe-eval')
  expect(await answer.text()).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/)
  expect(answer.headers()['cache-control']).toBe('no-cache')
})

test('hashed files are kept for ever, sent compressed, and missing ones are missing', async ({ request }) => {
  const page = await (await request.get('/')).text()
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)![1]!
  const answer = await request.get(script, { headers: { 'accept-encoding': 'br' } })
  expect(answer.headers()).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
  })
  expect((await request.get('/assets/gone-1234.js')).status()).toBe(404)
})

test('old addresses of the catalog lead to the new ones for good', async ({ request }) => {
  const answer = await request.get('/config/abc/changes?x=1', { maxRedirects: 0 })
  expect(answer.status()).toBe(308)
  expect(answer.headers().location).toBe('/catalog/abc/changes?x=1')
})

test('a viewer is signed in, and may not do what viewers may not', async ({ api }) => {
  const viewer = await api('viewer')
  const me = await (await viewer.get('/api/auth/whoami')).json()
  expect(me.payload.user.email).toBe(accounts.viewer.email)
  const refused = await viewer.post('/api/auth/invite_user', {
    data: { firstName: 'A', lastName: 'B', email: 'a@example.test' },
  })
  expect(refused.status()).toBe(403)
  expect(await refused.json()).toMatchObject({ code: 'forbidden' })
})
