import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Product, removeFolder, scratchFolder, startProduct } from '../fixtures/product.ts'

const folder = scratchFolder()
const env = { QUARTERDECK_DATA_DIR: folder }
const running: Product[] = []

async function start(args?: string[]): Promise<Product> {
  const product = await startProduct({ env }, args)
  running.push(product)
  return product
}

const status = (url: string) => fetch(url).then((answer) => answer.status)
const postmaster = () => Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

afterEach(async () => {
  await Promise.all(running.splice(0).map((product) => product.stop('SIGKILL')))
})
afterAll(() => removeFolder(folder))

test('the first start makes a database, says how to sign in, serves, and stops cleanly', async () => {
  const product = await start()
  await expect
    .poll(() => product.stdout())
    .toMatch(/\nSign in as admin@quarterdeck\.local with the password [\w-]{20,} /)
  expect(product.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(await status(`${product.url}/healthz`)).toBe(200)
  expect(await status(`${product.url}/readyz`)).toBe(200)
  const { code, stderr } = await product.stop('SIGINT')
  expect(code).toBe(0)
  expect(stderr).toContain('"msg":"stopped"')
  expect(() => postmaster()).toThrow()
})

test('the second start is ready in under 5 seconds and says no password', async () => {
  const begun = Date.now()
  const product = await start()
  // Five seconds of a machine that has nothing else to do; one that is busy gets as many times longer.
  const busy = Math.max(1, loadavg()[0]! / availableParallelism())
  expect((Date.now() - begun) / busy).toBeLessThan(5000)
  expect(product.stdout().trim()).toBe(`Quarterdeck ready on ${product.url}`)
})

test('after kill -9 of the product the next start recovers', async () => {
  const first = await start()
  await first.stop('SIGKILL')
  const second = await start()
  expect(await status(`${second.url}/readyz`)).toBe(200)
})

test('after kill -9 of the database the product starts it again and goes on', async () => {
  const product = await start()
  process.kill(postmaster(), 'SIGKILL')
  await expect.poll(() => status(`${product.url}/readyz`), { timeout: 15_000, interval: 100 }).toBe(200)
  await expect.poll(() => product.stderr(), { timeout: 15_000 }).toContain('runs again')
})

test('after kill -9 of both at once the next start recovers', async () => {
  const first = await start()
  process.kill(postmaster(), 'SIGKILL')
  await first.stop('SIGKILL')
  const second = await start()
  expect(await status(`${second.url}/readyz`)).toBe(200)
})

test('a killed product does not leave its database behind', async () => {
  const product = await start()
  const pid = postmaster()
  await product.stop('SIGKILL')
  const alive = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  for (let i = 0; i < 100 && alive(); i++) await sleep(50)
  expect(alive()).toBe(false)
})
