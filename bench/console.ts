import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { admin } from '../e2e/fixtures/accounts.ts'
import { removeFolder, scratchFolder, startProduct } from '../e2e/fixtures/product.ts'
import { openDb } from '../server/src/platform/db/db.ts'
import type { Area, Bench } from './console/area.ts'
import { catalog } from './console/catalog.ts'
import { health } from './console/health.ts'

/**
 * npm run bench:console: the built console in headless Chromium on a product with many rows. Times are medians of
 * navigations with nothing cached.
 *   --smoke          few rows, to see that everything still runs
 *   --only health    one area
 */
const { values: options } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, only: { type: 'string' } },
})

const areas: Area[] = [health, catalog]

const say = (text: string) => process.stdout.write(`${text}\n`)
const folder = scratchFolder('quarterdeck-bench-')
const stops: (() => Promise<unknown>)[] = []
let isMet = true
try {
  // Without a worker: what engines do while somebody looks is measured elsewhere.
  const product = await startProduct(
    {
      env: {
        QUARTERDECK_DATA_DIR: join(folder, 'data'),
        QUARTERDECK_ADMIN_EMAIL: admin.email,
        QUARTERDECK_ADMIN_PASSWORD: admin.password,
        QUARTERDECK_RESOURCES_DIR: join(folder, 'none'),
        LOG_LEVEL: 'warn',
      },
    },
    ['start', '--role', 'web'],
  )
  stops.push(() => product.stop())
  const { password, port } = JSON.parse(readFileSync(join(folder, 'data', 'postgres.json'), 'utf8')) as {
    password: string
    port: number
  }
  const db = openDb({ url: `postgres://quarterdeck:${password}@127.0.0.1:${port}/quarterdeck`, max: 2 })
  stops.push(() => db.close())
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  })
  stops.push(() => browser.close())
  const session = await signIn(product.url)
  const bench: Bench = {
    url: product.url,
    db,
    browser,
    smoke: options.smoke,
    async freshPage() {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState: session })
      const page = await context.newPage()
      const cdp = await context.newCDPSession(page)
      // Processor time, not the clock's: another program that keeps the machine busy does not count.
      await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
      // A browser that just opened a window is busy with that window, not with the page.
      await page.waitForTimeout(1000)
      return { page, cdp, close: () => context.close() }
    },
    wireBytes: (path) =>
      wireBytes(product.url + path, session.cookies.map((each) => `${each.name}=${each.value}`).join('; ')),
  }
  for (const area of areas.filter(({ name }) => !options.only || name === options.only)) {
    say(`${area.name}: preparing`)
    await area.seed(bench)
    // The engines take notice of what was seeded, once.
    await new Promise((resolve) => setTimeout(resolve, bench.smoke ? 0 : 10_000))
    for (const { what, value, unit, most } of await area.measure(bench)) {
      const ok = value <= most
      isMet &&= ok
      say(
        `  ${what.padEnd(40)} ${`${value.toFixed(0)} ${unit}`.padStart(16)}   ≤ ${String(most).padEnd(6)} ${ok ? 'met' : 'NOT MET'}`,
      )
    }
  }
  say(isMet ? '\nall aims met' : '\nnot all aims met')
} finally {
  for (const stop of stops.reverse()) await stop()
  removeFolder(folder)
}
process.exitCode = isMet ? 0 : 1

/** Through the identity API, as the sign-in form does. */
async function signIn(url: string) {
  const { request: requests } = await import('playwright-core')
  const context = await requests.newContext({ baseURL: url })
  const headers = { accept: 'application/json' }
  const flow = (await (await context.get('/api/.ory/self-service/login/browser', { headers })).json()) as {
    ui: { action: string; nodes: { attributes: { name: string; value?: string } }[] }
  }
  const csrf = flow.ui.nodes.find(({ attributes }) => attributes.name === 'csrf_token')?.attributes.value
  const { pathname, search } = new URL(flow.ui.action, url)
  const data = { method: 'password', identifier: admin.email, password: admin.password, csrf_token: csrf }
  const answer = await context.post(pathname + search, { headers, data })
  if (!answer.ok()) throw new Error(`could not sign in: ${answer.status()}`)
  const state = await context.storageState()
  await context.dispose()
  return state
}

/** Answers to the same machine are not packed, so the request says that it comes from further away. */
function wireBytes(url: string, cookie: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, 'accept-encoding': 'br, gzip', 'x-forwarded-for': '192.0.2.1' }
    request(url, { headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${url}: ${response.statusCode}`)),
      )
    })
      .on('error', reject)
      .end()
  })
}
