import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPageRequest, sendPage, serveConsole } from './console-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-preload-'))
const manifest = join(folder, '.vite', 'manifest.json')
const built = {
  'index.html': { file: 'assets/index-1.js', imports: ['_shell.js'] },
  '_shell.js': { file: 'assets/shell-1.js', name: 'shell' },
  '_kit.js': { file: 'assets/kit-1.js', name: 'kit', imports: ['_shell.js'] },
  '_deep.js': { file: 'assets/deep-1.js', imports: ['_kit.js'] },
  'src/features/health/health-page.tsx': { file: 'assets/health-page-1.js', imports: ['_deep.js', 'index.html'] },
}
let app: FastifyInstance
const first = '</early.js>; rel=preload; as=script, '
const linkOf = async (url: string, cookie = 'ory_kratos_session=x') =>
  (await app.inject({ url, headers: { cookie } })).headers.link

beforeAll(async () => {
  mkdirSync(join(folder, '.vite'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(manifest, JSON.stringify(built))
  app = Fastify()
  await serveConsole(app, folder)
  app.setNotFoundHandler((request, reply) =>
    isPageRequest(request) ? sendPage(reply, folder) : reply.code(404).send(),
  )
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the files of a page come with it, without those of the shell', async () => {
  expect(await linkOf('/health?groupBy=type')).toBe(
    `${first}</assets/health-page-1.js>; rel=modulepreload, </assets/deep-1.js>; rel=modulepreload, </assets/kit-1.js>; rel=modulepreload`,
  )
})

test('any other page gets what nearly all pages share', async () => {
  for (const path of ['/', '/settings/jobs', '/health/1', '/__proto__', '/nothing'])
    expect(await linkOf(path)).toBe(`${first}</assets/kit-1.js>; rel=modulepreload`)
})

test('without a session there is nothing to prepare', async () => {
  expect(await linkOf('/health', 'csrf_token=1')).toBeUndefined()
})

test('a new build is noticed, and one that is being written does no harm', async () => {
  writeFileSync(manifest, '{"half')
  utimesSync(manifest, 1, 1)
  expect(await linkOf('/health')).toBeUndefined()
  writeFileSync(manifest, JSON.stringify({ ...built, '_kit.js': { file: 'assets/kit-2.js', name: 'kit' } }))
  utimesSync(manifest, 2, 2)
  expect(await linkOf('/')).toBe(`${first}</assets/kit-2.js>; rel=modulepreload`)
})
