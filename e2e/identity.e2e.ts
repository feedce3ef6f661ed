import type { APIRequestContext, Page } from '@playwright/test'
import { createHmac } from 'node:crypto'
import { expect, test } from './fixtures/test.ts'

const password = 'the night watch keeps the lights on'

/** Somebody new, as an administrator invites them; answers the link that a mail would hold. */
async function invite(api: APIRequestContext, email: string): Promise<string> {
  const answer = await api.post('/api/auth/invite_user', {
    data: { firstName: 'Ina', lastName: 'Invited', email, roles: ['responder'] },
  })
  expect(answer.ok()).toBe(true)
  return ((await answer.json()) as { link: string }).link
}

/** Opens an invite, sets the password, and stays on the settings page. */
async function accept(page: Page, link: string) {
  await page.goto(link)
  await expect(page).toHaveURL(/\/profile-settings\?flow=/)
  const form = card(page, 'Change Password')
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your changes have been saved.')).toBeVisible()
}

async function signIn(page: Page, email: string) {
  await page.goto('/login?return_to=%2Fhealth')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** What an authenticator app shows. */
function codeOf(secret: string, at = Date.now()): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((char) => alphabet.indexOf(char).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = digest[19]! & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const card = (page: Page, name: string) => page.getByRole('region', { name })

test('[AUTH-06] [SELF-04] an authenticator app and backup codes become the second step of signing in', async ({
  page,
  api,
  expectAccessible,
}) => {
  test.slow()
  const email = `totp-${Date.now()}@example.test`
  await accept(page, await invite(await api('admin'), email))

  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  const secret = (await page.locator('#totp_secret_key code').textContent())!
  const linked = Date.now()
  await page.getByLabel('Authentication code').fill(codeOf(secret, linked))
  await card(page, 'Manage 2FA TOTP Authenticator App').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Unlink authenticator app' })).toBeVisible()

  await page.getByRole('button', { name: 'Generate new backup recovery codes' }).click()
  const codes = page.locator('#lookup_secret_codes li')
  await expect(codes).toHaveCount(12)
  const [first] = await codes.allTextContents()
  await page.getByRole('button', { name: 'Confirm backup recovery codes' }).click()
  await expect(page.getByRole('button', { name: 'Show backup recovery codes' })).toBeVisible()
  await expectAccessible(page)

  await page.context().clearCookies()
  await signIn(page, email)
  await expect(page.getByRole('heading', { level: 1, name: 'Second factor' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Authentication code').fill('000000')
  await page.getByRole('button', { name: 'Use authenticator' }).click()
  await expect(page.getByText('The code is not right. Please try again.')).toBeVisible()
  // The code that linked the app is used up, so the one of the next step has to do.
  await page.getByLabel('Authentication code').fill(codeOf(secret, linked + 30_000))
  await page.getByRole('button', { name: 'Use authenticator' }).click()
  await expect(page).toHaveURL('/health')

  await page.context().clearCookies()
  await signIn(page, email)
  await page.getByLabel('Backup recovery code').fill(first!)
  await page.getByRole('button', { name: 'Use backup recovery code' }).click()
  await expect(page).toHaveURL('/health')
  await page.goto('/profile-settings')
  await page.getByRole('button', { name: 'Show backup recovery codes' }).click()
  await expect(page.locator('#lookup_secret_codes').getByText('Used', { exact: true })).toHaveCount(1)
})

test('people end their other sessions and make tokens for scripts', async ({
  page,
  api,
  browser,
  productUrl,
  expectAccessible,
}) => {
  test.slow()
  const email = `own-${Date.now()}@example.test`
  await accept(page, await invite(await api('admin'), email))
  const elsewhere = await browser.newContext({ baseURL: productUrl })
  const other = await elsewhere.newPage()
  await signIn(other, email)
  await expect(other).toHaveURL('/health')

  await page.goto('/profile-settings')
  const sessions = card(page, 'Sessions')
  await sessions.getByRole('button', { name: 'End session' }).click()
  await expect(sessions.getByText('You are signed in nowhere else.')).toBeVisible()
  expect((await elsewhere.request.get('/api/auth/whoami')).status()).toBe(401)
  await elsewhere.close()

  const tokens = card(page, 'Access Tokens')
  await tokens.getByLabel('Token name').fill('nightly report')
  await tokens.getByRole('button', { name: 'Create token' }).click()
  const token = await tokens.getByRole('status').locator('code').textContent()
  const headers = { authorization: `Bearer ${token}` }
  const script = await browser.newContext({ baseURL: productUrl })
  expect((await script.request.get('/api/auth/whoami', { headers })).status()).toBe(200)
  await expectAccessible(page)
  await tokens.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  // While the dialog is open, the card behind it is hidden with all it holds.
  await expect(page.getByText('Token revoked')).toBeVisible()
  await expect(tokens.getByText('nightly report')).toHaveCount(0)
  expect((await script.request.get('/api/auth/whoami', { headers })).status()).toBe(401)
  await script.close()
})

test('[SELF-05] [SELF-22] a security key is added, used as second step, and removed', async ({
  page,
  api,
  productUrl,
}) => {
  test.slow()
  // Keys belong to names; an IP address is none.
  const base = productUrl.replace('127.0.0.1', 'localhost')
  const chrome = await page.context().newCDPSession(page)
  await chrome.send('WebAuthn.enable')
  await chrome.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'usb', hasUserVerification: true, isUserVerified: true },
  })
  const email = `key-${Date.now()}@example.test`
  const link = await invite(await api('admin'), email)
  await accept(page, link.replace('127.0.0.1', 'localhost'))

  await page.getByLabel('Name of the security key').fill('Blue key')
  await page.getByRole('button', { name: 'Add security key' }).click()
  const remove = page.getByRole('button', { name: 'Remove security key "Blue key"' })
  await expect(remove).toBeVisible()

  await page.context().clearCookies()
  await page.goto(`${base}/login?return_to=%2Fhealth`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Use security key' }).click()
  await expect(page).toHaveURL(`${base}/health`)

  await page.goto(`${base}/profile-settings`)
  await remove.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(remove).toBeHidden()
  await page.context().clearCookies()
  await page.goto(`${base}/login?return_to=%2Fhealth`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`${base}/health`)
})
