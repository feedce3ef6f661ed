import type { Page } from '@playwright/test'
import { removeFolder, scratchFolder, startProduct } from './fixtures/product.ts'
import { expect, test } from './fixtures/test.ts'

// Each journey only looks, so both workers may take them.
test.describe.configure({ mode: 'parallel' })

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const heading = (page: Page, name?: string) => page.getByRole('heading', { level: 1, name })
const id = '01a1dd6f-7b64-738d-9780-e9e6d41e84a0'

/** Opens an address directly and makes sure that it is a page of the console, at that address. */
async function opens(page: Page, path: string) {
  await page.goto(path)
  await expect(heading(page)).toBeVisible()
  await expect(page.getByText('Page not found')).toHaveCount(0)
  await expect(page.getByText('Sorry.. there was an error')).toHaveCount(0)
  await expect(page.getByText('Unauthorized')).toHaveCount(0)
  await expect(page).toHaveTitle(/.+ \| Quarterdeck$/)
  expect(new URL(page.url()).pathname).toBe(path)
}

test.describe('addresses', () => {
  test('[SHELL-01] [SHELL-06] redirects keep the query', async ({ as }) => {
    const page = await as('viewer')
    for (const [from, to] of [
      ['/', '/topology'],
      ['/configs?search=a', '/catalog?search=a'],
      ['/agents?id=1', '/settings/agents?id=1'],
      [`/playbooks/${id}`, `/playbooks/runs?playbook=${id}`],
      ['/settings/log-backends', '/settings/logging_backends'],
    ] as const) {
      await page.goto(from)
      await expect(page).toHaveURL(to)
    }
  })

  const groups = {
    '[SHELL-02] areas': `/topology /topology/${id} /health /incidents /incidents/${id} /logs /playbooks /playbooks/runs /playbooks/runs/${id}`,
    '[SHELL-03] catalog': `/catalog /catalog/changes /catalog/insights /catalog/scrapers /catalog/scrapers/${id} /catalog/${id} /catalog/${id}/changes /catalog/${id}/insights /catalog/${id}/relationships /catalog/${id}/playbooks /catalog/${id}/checks`,
    '[SHELL-04] settings': `/settings/connections /settings/users /settings/jobs /settings/notifications /settings/feature-flags /settings/event-queue-status /settings/agents /settings/integrations /settings/integrations/scrapers/${id} /settings/topologies /settings/topologies/${id} /settings/logging_backends /settings/properties /settings/canaries /settings/canaries/${id} /settings/config_scrapers /settings/incident_rules /settings/teams /settings/teams/${id}`,
  }
  for (const [name, paths] of Object.entries(groups)) {
    test(`${name}: every route opens directly and is titled`, async ({ as }) => {
      test.slow()
      const page = await as('admin')
      for (const path of paths.split(' ')) await opens(page, path)
    })
  }

  test('[SHELL-05] pages of the account open directly', async ({ as }) => {
    const page = await as('admin')
    await opens(page, '/profile-settings')
    await page.goto('/organizations/orgs-switched')
    await expect(page).toHaveURL('/topology')
    await page.goto('/auth-state-checker?return_to=%2Fcatalog%3Fsearch%3Da')
    await expect(page).toHaveURL('/catalog?search=a')
  })

  test('an address that means nothing says so inside the shell', async ({ as }) => {
    const page = await as('viewer')
    for (const path of ['/nowhere', '/settings/nowhere', '/catalog/a/b/c']) {
      await page.goto(path)
      await expect(page.getByText('There is no page at this address')).toBeVisible()
      await expect(menu(page)).toBeVisible()
    }
  })
})

test.describe('loading', () => {
  test('[SHELL-07] [SHELL-24] the shell waits for the flags behind a skeleton, the standalone view does not', async ({
    as,
  }) => {
    const page = await as('viewer')
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/properties', async (route) => {
      await released
      await route.continue()
    })
    await page.goto('/health')
    await expect(page.getByRole('status', { name: 'Loading' }).first()).toBeVisible()
    await expect(heading(page)).toHaveCount(0)
    const view = await page.context().newPage()
    await view.route('**/api/properties', () => {})
    await view.goto(`/view/topology/${id}`)
    await expect(view.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await expect(view.getByRole('main')).not.toBeEmpty()
    await expect(menu(view)).toHaveCount(0)
    release()
    await expect(heading(page, 'Health')).toBeVisible()
  })

  test('the frame does not move when the page comes in', async ({ as }) => {
    const page = await as('admin')
    await page.addInitScript(() => {
      const shifts: number[] = ((window as unknown as { shifts: number[] }).shifts = [])
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto('/settings/feature-flags')
    await expect(page.getByRole('table')).toBeVisible()
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.02)
  })

  test('the first load of the shell is at most 180 kB of compressed script', async ({ request }) => {
    const page = await (await request.get('/login')).text()
    const files = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map((match) => match[1]!)
    expect(files.length).toBeGreaterThan(2)
    let total = 0
    for (const file of files) {
      const answer = await request.get(file, { headers: { 'accept-encoding': 'gzip' } })
      total += Number(answer.headers()['content-length'])
    }
    expect(total).toBeGreaterThan(50_000)
    expect(total).toBeLessThanOrEqual(180 * 1024)
  })

  test('a page that was pointed at is loaded before it is clicked', async ({ as }) => {
    const page = await as('viewer')
    await page.goto('/health')
    await expect(heading(page, 'Health')).toBeVisible()
    const loaded = page.waitForRequest(
      (request) => request.url().includes('/assets/') && request.url().includes('profile-settings'),
    )
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Your Profile' }).hover()
    await loaded
  })
})

test.describe('menu', () => {
  test('[SHELL-11] [SHELL-12] an administrator has everything', async ({ as }) => {
    const page = await as('admin')
    await page.goto('/health')
    const links = menu(page).getByRole('link')
    await expect(links).toHaveText(['Dashboard', 'Health', 'Incidents', 'Catalog', 'Logs', 'Playbooks'])
    await menu(page).getByRole('button', { name: 'Settings' }).click()
    await expect(menu(page).getByRole('list', { name: 'Settings' }).getByRole('link')).toHaveText([
      'Agents',
      'Catalog Scrapers',
      'Connections',
      'Event Queue',
      'Feature Flags',
      'Health Checks',
      'Integrations',
      'Jobs History',
      'Log Backends',
      'Notifications',
      'Rules',
      'Teams',
      'Topologies',
      'Users',
    ])
    for (const link of await menu(page).getByRole('list', { name: 'Settings' }).getByRole('link').all()) {
      await link.click()
      await expect(heading(page, (await link.textContent())!)).toBeVisible()
      await expect(link).toHaveAttribute('aria-current', 'page')
    }
  })

  test('[SHELL-13] [SHELL-15] [RBAC-07] roles see what they may, and are told about the rest', async ({ as }) => {
    const editor = await as('editor')
    await editor.goto('/settings/agents')
    await expect(menu(editor).getByRole('link', { name: 'Agents' })).toBeVisible()
    for (const name of ['Connections', 'Users']) await expect(menu(editor).getByRole('link', { name })).toHaveCount(0)

    const viewer = await as('viewer')
    await viewer.goto('/settings/feature-flags')
    await expect(heading(viewer, 'Feature Flags')).toBeVisible()
    await expect(menu(viewer).getByRole('button', { name: 'Settings' })).toHaveCount(0)
    for (const [page, path] of [
      [editor, '/settings/connections'],
      [editor, '/settings/users'],
      [viewer, '/settings/users'],
      [viewer, `/settings/integrations/scrapers/${id}`],
    ] as const) {
      await page.goto(path)
      await expect(page.getByText('Unauthorized', { exact: true })).toBeVisible()
      await expect(page.getByText(/^You do not have permission to access this page/)).toBeVisible()
    }
  })

  test('[SHELL-09] the menu is collapsed and expanded, and stays so over a reload', async ({ as }) => {
    const page = await as('admin')
    await page.goto('/health')
    await page.getByRole('button', { name: 'Collapse menu' }).click()
    await expect(menu(page).getByText('Dashboard')).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Expand menu' })).toBeVisible()
    await menu(page).getByRole('link', { name: 'Catalog' }).click()
    await expect(heading(page, 'Catalog')).toBeVisible()
    await menu(page).getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('menuitem', { name: 'Teams' }).click()
    await expect(page).toHaveURL('/settings/teams')
    await page.getByRole('button', { name: 'Expand menu' }).click()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Collapse menu' })).toBeVisible()
  })

  test('[SHELL-10] below 1024 px a click beside the menu collapses it', async ({ as }) => {
    const page = await as('admin')
    await page.setViewportSize({ width: 1000, height: 800 })
    await page.goto('/health')
    await page.getByRole('button', { name: 'Expand menu' }).click()
    await menu(page).getByRole('button', { name: 'Settings' }).click()
    await expect(menu(page).getByRole('link', { name: 'Teams' })).toBeVisible()
    await page.mouse.click(700, 500)
    await expect(page.getByRole('button', { name: 'Expand menu' })).toBeVisible()

    await page.setViewportSize({ width: 1200, height: 800 })
    await page.getByRole('button', { name: 'Expand menu' }).click()
    await page.mouse.click(900, 500)
    await expect(page.getByRole('button', { name: 'Collapse menu' })).toBeVisible()
  })

  test('on a phone the menu is a drawer and nothing is wider than the screen', async ({ as, expectAccessible }) => {
    const page = await as('admin')
    await page.setViewportSize({ width: 390, height: 780 })
    for (const path of ['/health', '/settings/feature-flags', '/profile-settings', '/nowhere']) {
      await page.goto(path)
      await expect(page.getByRole('main')).not.toBeEmpty()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    }
    await page.goto('/health')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('link', { name: 'Catalog' }).click()
    await expect(heading(page, 'Catalog')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

test.describe('header', () => {
  test('[SHELL-16] shows breadcrumbs, refresh, documentation and the user menu', async ({ as }) => {
    const page = await as('admin')
    await page.goto(`/catalog/${id}/changes`)
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
    await expect(crumbs.getByRole('link', { name: 'Catalog' }).first()).toHaveAttribute('href', '/catalog')
    await expect(heading(page)).toHaveText('Changes')
    for (const name of ['Search', 'Refresh', 'Documentation', 'User menu']) {
      await expect(page.getByRole('button', { name })).toBeVisible()
    }
    await page.goto('/settings/feature-flags')
    await expect(page.getByRole('table')).toBeVisible()
    const again = page.waitForRequest((request) => request.url().endsWith('/api/properties'))
    await page.getByRole('button', { name: 'Refresh' }).click()
    await again
    await page.getByRole('button', { name: 'Documentation' }).click()
    await expect(page.getByRole('menuitem', { name: 'API description' })).toHaveAttribute(
      'href',
      '/api/v1/openapi.json',
    )
    expect((await page.request.get('/api/v1/openapi.json')).status()).toBe(200)
  })

  test('[SHELL-17] [SHELL-18] [SHELL-20] the user menu greets, links and tells versions', async ({ as }) => {
    const page = await as('viewer')
    await page.goto('/logs')
    await page.getByRole('button', { name: 'User menu' }).click()
    const open = page.getByRole('menu')
    await expect(open).toContainText('Hi Vera Viewer')
    await expect(open.getByRole('menuitem', { name: 'Your Profile' })).toHaveAttribute('href', /^\/profile-settings/)
    const about = (await (await page.request.get('/api/canary/about')).json()) as { Version: string }
    await expect(open).toContainText(`1.0.748`)
    await expect(open).toContainText(about.Version)
    await open.getByRole('menuitem', { name: 'Your Profile' }).click()
    await expect(heading(page, 'Profile Management and Security Settings')).toBeVisible()
  })

  test('[SHELL-19] [SHELL-22] [SHELL-23] kubeconfig: two steps, and the file downloads in a new tab', async ({
    as,
  }) => {
    const page = await as('admin')
    await page.goto('/logs')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Download kubeconfig' }).click()
    const dialog = page.getByRole('dialog', { name: 'Download and install kubeconfig' })
    await expect(dialog.getByRole('listitem')).toHaveCount(2)
    const link = dialog.getByRole('link', { name: 'Download' })
    await expect(link).toHaveAttribute('href', '/api/kubeconfig')
    await expect(link).toHaveAttribute('target', '_blank')
    await expect(dialog.getByText(/^kubectl /)).toBeVisible()
    const answer = await page.request.get('/api/kubeconfig')
    const file = /filename=(\S+)/.exec(answer.headers()['content-disposition'] ?? '')?.[1]
    expect(await answer.text()).toContain('kind: Config')
    await expect(dialog.getByText(/^kubectl /)).toContainText(file!)
  })

  test('the chosen theme stays, and is there before any script of the console', async ({ as }) => {
    const page = await as('viewer')
    await page.goto('/logs')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(14, 17, 20)')
  })

  test('says when changes stop arriving, and when they are back', async ({ as }) => {
    test.slow()
    const page = await as('viewer')
    let away = true
    await page.route('**/api/events*', (route) => (away ? route.abort() : route.continue()))
    await page.goto('/health')
    await expect(page.getByText('Reconnecting…')).toBeVisible({ timeout: 10_000 })
    away = false
    await expect(page.getByText('Reconnecting…')).toHaveCount(0, { timeout: 20_000 })
  })
})

test.describe('keyboard', () => {
  test('the palette opens pages without a mouse', async ({ as, expectAccessible }) => {
    const page = await as('admin')
    await page.goto('/logs')
    await expect(heading(page, 'Logs')).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.type('feature fl')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/settings/feature-flags')
    await expect(heading(page)).toBeFocused()
  })

  test('the palette finds what the server finds, by kind, for those who may read it', async ({ as }) => {
    const page = await as('viewer')
    await page.route('**/api/v1/search*', (route) => {
      const hit = { type: 'http', detail: 'shop', status: 'unhealthy' }
      const kinds = ['check', 'config', 'component', 'incident', 'playbook']
      return route.fulfill({
        json: { results: kinds.map((kind) => ({ ...hit, kind, id: `${kind}-1`, name: `basalt ${kind}` })) },
      })
    })
    await page.goto('/logs')
    await expect(heading(page, 'Logs')).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('basalt')
    for (const group of ['Checks', 'Catalog', 'Components', 'Incidents', 'Playbooks']) {
      await expect(page.getByRole('group', { name: group })).toBeVisible()
    }
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/catalog/config-1')
  })

  test('g and a letter, ?, / and Esc work where nobody is typing', async ({ as }) => {
    const page = await as('admin')
    await page.goto('/logs')
    await expect(heading(page, 'Logs')).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await expect(page).toHaveURL('/health')
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goto('/settings/feature-flags')
    await expect(page.getByRole('table')).toBeVisible()
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox')).toBeFocused()
    await page.keyboard.type('g?h')
    await expect(page).toHaveURL('/settings/feature-flags?query=g%3Fh')
  })

  test('the first stop of Tab skips the menu', async ({ as }) => {
    const page = await as('viewer')
    await page.goto('/health')
    await expect(heading(page, 'Health')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  })
})

test.describe('documentation', () => {
  test('opens from the menu, links between documents stay in the console', async ({ as, expectAccessible }) => {
    const page = await as('viewer')
    await page.goto('/logs')
    await page.getByRole('button', { name: 'Documentation' }).click()
    await page.getByRole('menuitem', { name: 'Operating Quarterdeck' }).click()
    await expect(page).toHaveURL('/docs/operations')
    await expect(page.getByRole('article').getByRole('heading').first()).toBeVisible()
    await expect(page).toHaveTitle('Operating Quarterdeck · Documentation | Quarterdeck')
    await expectAccessible(page)
    await page.goto('/docs/nowhere')
    await expect(page.getByText('There is no such document')).toBeVisible()
  })

  test('nothing in a text can run, or imitate the console', async ({ as }) => {
    const page = await as('viewer')
    const text = [
      '# Title',
      '<script>window.hurt = 1</script><img src=x onerror="window.hurt = 1"><svg onload="window.hurt = 1"></svg>',
      '[x](javascript:alert) <form action=/steal><input name=p></form><style>*{display:none}</style>',
      '<p style="position:fixed" class="fixed">y</p><iframe src=//evil.example></iframe>',
      '[out](https://example.test)',
    ].join('\n\n')
    await page.route('**/assets/operations-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: `export default ${JSON.stringify(text)}` }),
    )
    await page.goto('/docs/operations')
    const article = page.getByRole('article')
    await expect(article.getByRole('heading', { name: 'Title' })).toBeVisible()
    const html = await article.innerHTML()
    for (const word of [
      '<script',
      'onerror',
      'onload',
      'javascript:',
      '<form',
      '<input',
      '<style',
      'style=',
      '<iframe',
      'class="fixed"',
    ]) {
      expect(html).not.toContain(word)
    }
    expect(await page.evaluate(() => 'hurt' in window)).toBe(false)
    await expect(article.getByRole('link', { name: 'out' })).toHaveAttribute('rel', /noreferrer/)
  })
})

test('[SHELL-26] a page that breaks says sorry, and the menu still works', async ({ as }) => {
  const page = await as('viewer')
  await page.route('**/assets/not-landed-page-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'export const notLandedPage = () => { throw new Error("broken") }; export { notLandedPage as t }',
    }),
  )
  await page.goto('/logs')
  await expect(page.getByText('Sorry.. there was an error')).toBeVisible()
  await expect(menu(page)).toBeVisible()
})

test('[ERR-01] [ERR-02] the error page explains, leads back and has the user menu', async ({ as }) => {
  const page = await as('viewer')
  await page.goto('/error?error_code=BAD_SESSION')
  await expect(
    page.getByText(
      /^Bad Session\. Please try logging out and logging in again, if the problem persist, please contact us/,
    ),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go back' })).toHaveAttribute('href', '/')
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  await page.goto('/error?error_code=OTHER')
  await expect(page.getByText('Unknown error')).toBeVisible()
})

test('a server that cannot be reached is told, and trying again helps', async ({ as }) => {
  const page = await as('viewer')
  await page.route('**/api/auth/whoami', (route) =>
    route.fulfill({ status: 503, json: { message: 'The database is away' } }),
  )
  await page.goto('/health')
  await expect(page.getByText('The database is away', { exact: true })).toBeVisible()
  await page.unroute('**/api/auth/whoami')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(heading(page, 'Health')).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no accessibility violations in the shell (${colorScheme})`, async ({ as, expectAccessible }) => {
    test.slow()
    const page = await as('admin')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const path of ['/topology', '/settings/users', '/nowhere', '/profile-settings']) {
      await page.goto(path)
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      await expect(heading(page)).toBeVisible()
      await expectAccessible(page)
    }
    await page.goto('/settings/jobs')
    await page.getByRole('button', { name: 'User menu' }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Download kubeconfig' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.getByRole('button', { name: 'Collapse menu' }).click()
    await menu(page).getByRole('button', { name: 'Settings' }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectAccessible(page)
    const viewer = await as('viewer')
    await viewer.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await viewer.goto('/settings/users')
    await expect(viewer.getByText('Unauthorized', { exact: true })).toBeVisible()
    await expectAccessible(viewer)
  })
}

test('[MODE-04] [MODE-05] without sessions nobody signs in; a health server has only the health part', async ({
  page,
}) => {
  test.setTimeout(90_000)
  const folder = scratchFolder()
  const product = await startProduct({
    env: {
      QUARTERDECK_DATA_DIR: folder,
      QUARTERDECK_AUTH: 'none',
      QUARTERDECK_DEPLOYMENT: 'health',
      LOG_LEVEL: 'warn',
    },
  })
  try {
    await page.goto(product.url)
    await expect(page).toHaveURL(`${product.url}/health`)
    await expect(menu(page).getByRole('link')).toHaveText(['Health'])
    await page.getByRole('button', { name: 'User menu' }).click()
    await expect(page.getByRole('menu')).toContainText('Hi ')
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toHaveCount(0)
    for (const path of ['/topology', '/incidents', '/catalog', '/settings/integrations']) {
      await page.goto(product.url + path)
      await expect(page.getByText(/is switched off$/)).toBeVisible()
    }
    await page.goto(`${product.url}/login`)
    await expect(page).toHaveURL(`${product.url}/health`)
  } finally {
    await product.stop()
    removeFolder(folder)
  }
})
