import type { Page } from '@playwright/test'
import { type AddressInfo, createServer } from 'node:net'
import { type Mailbox, startMailbox } from '../server/src/testing/mailbox.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../server/src/testing/openid-provider.ts'
import { accounts } from './fixtures/accounts.ts'
import { startWithPeople } from './fixtures/people-product.ts'
import { test as base, expect } from './fixtures/test.ts'

interface World {
  url: string
  mail: Mailbox
  /** Who signs in there is whoever a journey sets as its account. */
  provider: OpenIdProvider
}

/** A product that sends mail, lets people register and sign in elsewhere. */
const test = base.extend<object, { world: World }>({
  world: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's form
    async ({}, use) => {
      // The provider must know where the product will be before the product knows where the provider is.
      const port = await freePort()
      const callback = `http://127.0.0.1:${port}/api/.ory/self-service/methods/oidc/callback/harbour`
      const [mail, provider] = [await startMailbox(), await startOpenIdProvider([callback])]
      const { issuer, clientId, clientSecret } = provider
      const harbour = { id: 'harbour', label: 'Harbour', issuer, client_id: clientId, client_secret: clientSecret }
      const product = await startWithPeople(['admin', 'editor', 'responder', 'viewer'], {
        PORT: String(port),
        SMTP_URL: mail.url,
        MAIL_FROM: 'deck@example.test',
        QUARTERDECK_REGISTRATION: 'on',
        QUARTERDECK_OIDC_PROVIDERS: JSON.stringify([harbour]),
      })
      await use({ url: product.url, mail, provider })
      await product.stop()
      await Promise.all([mail.close(), provider.close()])
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  productUrl: [({ world }, use) => use(world.url), { scope: 'worker' }],
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const newPassword = 'seven lanterns on the quay'
const card = (page: Page, name: string) => page.getByRole('region', { name })
const passwordOf = (page: Page) => page.getByLabel('Password', { exact: true })

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel('E-mail').fill(email)
  await passwordOf(page).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('who was invited signs in at another site, and a stranger is told why not', async ({
  page,
  api,
  browser,
  world,
}) => {
  const email = 'ola@harbour.test'
  const invited = await (
    await api('admin')
  ).post('/api/auth/invite_user', {
    data: { firstName: 'Ola', lastName: 'Idc', email, roles: ['responder'] },
  })
  expect(invited.ok()).toBe(true)
  world.provider.account = { sub: 'ola', email, email_verified: true }
  await page.goto('/login?return_to=%2Fhealth')
  await page.getByRole('button', { name: 'Sign in with Harbour' }).click()
  await expect(page).toHaveURL('/health')
  await page.goto('/profile-settings')
  const social = card(page, 'Manage Social Sign In')
  await expect(social.getByRole('button', { name: 'Unlink Harbour' })).toBeDisabled()
  await expect(social.getByText(/only way to sign in/)).toBeVisible()

  world.provider.account = { sub: 'mallory', email: 'mallory@harbour.test', email_verified: true }
  const elsewhere = await browser.newContext({ baseURL: world.url })
  const stranger = await elsewhere.newPage()
  await stranger.goto('/login')
  await stranger.getByRole('button', { name: 'Sign in with Harbour' }).click()
  await expect(stranger.getByRole('alert')).toHaveText(/Nobody invited this address/)
  await expect(stranger.getByLabel('E-mail')).toBeVisible()
  await elsewhere.close()
})

test('another site is linked to an account, signs in to it, and is unlinked again', async ({ as, browser, world }) => {
  const { email } = accounts.editor
  world.provider.account = { sub: 'editor-there', email: 'other@harbour.test', email_verified: true }
  const page = await as('editor')
  await page.goto('/profile-settings')
  const social = card(page, 'Manage Social Sign In')
  await social.getByRole('button', { name: 'Link Harbour', exact: true }).click()
  await expect(page.getByText('Your changes have been saved.')).toBeVisible()

  const elsewhere = await browser.newContext({ baseURL: world.url })
  const other = await elsewhere.newPage()
  await other.goto('/login?return_to=%2Fprofile-settings')
  await other.getByRole('button', { name: 'Sign in with Harbour' }).click()
  await expect(card(other, 'Profile Settings').getByLabel('E-mail')).toHaveValue(email)
  await elsewhere.close()

  await social.getByRole('button', { name: 'Unlink Harbour' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Unlink' }).click()
  await expect(question).toBeHidden()
  await expect(social.getByRole('button', { name: 'Link Harbour', exact: true })).toBeVisible()
})

test('[SELF-08] [SELF-10] somebody makes an account, proves the address and signs in', async ({
  page,
  world,
  expectAccessible,
}) => {
  const email = 'rika@example.test'
  await page.goto('/login')
  await page.getByRole('link', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Create account' })).toBeVisible()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('First name').fill('Rika')
  await expect(page.getByText(/^At least 8 characters/)).toBeVisible()
  await expectAccessible(page)
  await passwordOf(page).fill('short')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('alert')).toHaveText(/needs at least 8 characters/)
  await expect(passwordOf(page)).toBeFocused()
  await page.keyboard.type(newPassword)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { level: 1, name: 'Verify your account' })).toBeVisible()
  await expect(page.getByLabel('Verification code')).toBeFocused()
  await expectAccessible(page)
  const { text } = await world.mail.to(email, /verify/)
  const code = /code is (\d+)/.exec(text)![1]!
  await page.keyboard.insertText(` ${code.slice(0, 4)} ${code.slice(4)} `)
  await page.keyboard.press('Enter')
  await expect(page.getByText('You have verified your address.')).toBeVisible()
  await page.getByRole('link', { name: 'Continue' }).click()
  await signIn(page, { email, password: newPassword })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

test('[SELF-07] a link in a mail lets somebody set a new password, once', async ({ page, browser, world }) => {
  const { email } = accounts.viewer
  await page.goto('/login')
  await page.getByRole('link', { name: 'Reset password' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Mail me a link instead' }).click()
  await expect(page.getByRole('status').getByText(/recovery link is on its way/)).toBeVisible()
  const { text } = await world.mail.to(email, /recovery link/)
  const link = /http\S+/.exec(text)![0]

  await page.goto(link)
  await expect(page).toHaveURL(/\/profile-settings\?flow=/)
  await expect(passwordOf(page)).toBeFocused()
  await page.keyboard.type(newPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your changes have been saved.')).toBeVisible()
  await expect(passwordOf(page)).toHaveValue('')
  await page.getByRole('link', { name: 'Continue to Quarterdeck' }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()

  const elsewhere = await browser.newContext({ baseURL: world.url })
  const other = await elsewhere.newPage()
  await other.goto(link)
  await expect(other.getByRole('alert')).toHaveText(/no longer valid or has been used/)
  await other.goto('/login?return_to=%2Fhealth')
  await signIn(other, { email, password: newPassword })
  await expect(other).toHaveURL('/health')
  await elsewhere.close()
})

test('[ERR-11] a form that another tab has outdated says so, begins anew and works', async ({ page }) => {
  await page.goto('/login?return_to=%2Fhealth')
  await expect(page.getByLabel('E-mail')).toBeVisible()
  const second = await page.context().newPage()
  await second.goto('/login')
  await signIn(second, accounts.responder)
  await second.getByRole('button', { name: 'User menu' }).click()
  await second.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(second.getByLabel('E-mail')).toBeVisible()

  await signIn(page, accounts.responder)
  await expect(page.getByText('A security violation was detected, please fill out the form again.')).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue('')
  await signIn(page, accounts.responder)
  await expect(page).toHaveURL('/health')
})

test('a session that is ended elsewhere leads to sign-in by itself, and back', async ({ browser, world }) => {
  const contexts = await Promise.all([1, 2].map(() => browser.newContext({ baseURL: world.url })))
  const [working, ending] = await Promise.all(contexts.map((context) => context.newPage()))
  await working!.goto('/login?return_to=%2Fhealth%3Fquery%3Dnone')
  await signIn(working!, accounts.responder)
  await expect(working!.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await ending!.goto('/login?return_to=%2Fprofile-settings')
  await signIn(ending!, accounts.responder)
  const sessions = card(ending!, 'Sessions')
  const others = sessions.getByRole('button', { name: 'End session' })
  await expect(others.first()).toBeVisible()
  const all = sessions.getByRole('button', { name: 'End all other sessions' })
  await ((await all.isVisible()) ? all : others.first()).click()
  await expect(working!).toHaveURL('/login?return_to=%2Fhealth%3Fquery%3Dnone')
  await signIn(working!, accounts.responder)
  await expect(working!).toHaveURL('/health?query=none')
  for (const context of contexts) await context.close()
})
