import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Product, removeFolder, runCommand, scratchFolder, startProduct } from '../fixtures/product.ts'

const folder = scratchFolder()
const env = { QUARTERDECK_DATA_DIR: folder }
const running: Product[] = []

async function start(more: Record<string, string> = {}, args?: string[]): Promise<Product> {
  const product = await startProduct({ env: { ...env, ...more } }, args)
  running.push(product)
  return product
}
const json = async (url: string, headers: Record<string, string> = {}) =>
  (await (await fetch(url, { headers })).json()) as Record<string, unknown>

async function freePort(): Promise<string> {
  const probe = createServer()
  const port = await new Promise<number>((resolve) =>
    probe.listen(0, '127.0.0.1', () => resolve((probe.address() as { port: number }).port)),
  )
  await new Promise((resolve) => probe.close(resolve))
  return String(port)
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((product) => product.stop()))
})
afterAll(() => removeFolder(folder))

test('console-only mode serves the console in front of the second listener, without a database', async () => {
  const port = await freePort()
  const backend = await start({ QUARTERDECK_API_PORT: port })
  const unused = join(folder, 'unused')
  const front = await start({ BACKEND_URL: `http://127.0.0.1:${port}`, QUARTERDECK_DATA_DIR: unused })
  expect(await (await fetch(`${front.url}/health`)).text()).toContain('<!doctype html>')
  const token = (
    await runCommand(['token', 'create', '--user', 'admin@quarterdeck.local', '--name', 'front'], { env })
  ).stdout.trim()
  const authorization = `Bearer ${token}`
  expect(await json(`${front.url}/api/auth/whoami`, { authorization })).toMatchObject({ message: 'success' })
  expect(await json(`${front.url}/api/db/people?select=email&limit=1`, { authorization })).toEqual([expect.anything()])
  await backend.stop()
  const down = await fetch(`${front.url}/api/auth/whoami`, { headers: { authorization } })
  expect(down.status).toBe(502)
  expect(() => rmSync(unused)).toThrow('ENOENT')
})

test('a worker joins the product on the same data folder, and commands work beside both', async () => {
  const web = await start({}, ['start', '--role', 'web'])
  const port = await freePort()
  await start({}, ['worker', '--port', port])
  expect(await json(`http://127.0.0.1:${port}/readyz`)).toEqual({ status: 'ready' })
  const metrics = await (await fetch(`${web.url}/metrics`)).text()
  expect(metrics).toMatch(/^quarterdeck_workers 1$/m)
  expect((await runCommand(['user', 'list'], { env })).stdout).toContain('admin@quarterdeck.local')
})

test('documents are applied and exported, keys rotated, and a key file that does not fit stops the start in one line', async () => {
  const file = join(folder, 'connection.yaml')
  writeFileSync(
    file,
    `apiVersion: mission-control.flanksource.com/v1
kind: Connection
metadata: { name: shop, namespace: default }
spec:
  type: http
  url: { value: https://shop.example }
  password: { value: not-for-the-log }
`,
  )
  const applied = await runCommand(['apply', '-f', file], { env })
  expect(applied.stderr + applied.stdout).toContain('Connection default/shop created')
  expect(applied.code).toBe(0)
  const exported = await runCommand(['export', 'connection'], { env })
  expect(exported.stdout).toContain('name: shop')
  expect(exported.stdout).not.toContain('not-for-the-log')
  expect((await runCommand(['apply', '-f', join(folder, 'nothing.yaml')], { env })).code).toBe(1)

  const rotated = await runCommand(['keys', 'rotate'], { env })
  expect(rotated.code).toBe(0)
  expect(rotated.stderr).toContain('1 stored values were encrypted anew')
  rmSync(join(folder, 'encryption.key'))
  const { code, stderr } = await runCommand(['start'], { env })
  expect(code).toBe(1)
  expect(stderr.trim().split('\n').at(-1)).toMatch(
    /^The database holds secrets encrypted with key [0-9a-f]{8}, which is not in /,
  )
})

test('commands without a database of their own say so', async () => {
  const { code, stderr } = await runCommand(['user', 'list'], { env: { QUARTERDECK_DATA_DIR: join(folder, 'empty') } })
  expect(code).toBe(1)
  expect(stderr).toContain('There is no database in')
})
