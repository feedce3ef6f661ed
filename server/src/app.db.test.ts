import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApiApp, buildApp, buildHealthApp } from './app.ts'
import { readConfig } from './config.ts'
import { buildConsoleOnly } from './console-only.ts'
import { commandLine } from './modules/people/act.ts'
import { ensureFirstAdministrator } from './modules/people/first-administrator.ts'
import { addPerson } from './modules/people/people.service.ts'
import { createToken } from './modules/people/tokens.service.ts'
import { testContext } from './testing/context.ts'
import { testDatabase } from './testing/database.ts'

const db = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-console-'))
const opened: FastifyInstance[] = []
let admin: { authorization: string }
let viewer: { authorization: string }

const contextWith = (settings: Record<string, string> = {}) => testContext(db, { config: readConfig(settings) })
async function keep(app: Promise<FastifyInstance>): Promise<FastifyInstance> {
  opened.push(await app)
  return app
}

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>console</title>')
  writeFileSync(join(folder, 'assets/app-1234.js'), '"use strict"')
  writeFileSync(join(folder, '.hash'), 'secret')
  const ctx = contextWith()
  await ensureFirstAdministrator(ctx)
  const tokenOf = async (person: string) => {
    const { token } = await createToken(ctx, commandLine, { person, name: 'test', expiresAt: null })
    return { authorization: `Bearer ${token}` }
  }
  admin = await tokenOf('admin@quarterdeck.local')
  await addPerson(ctx, commandLine, { email: 'vera@example.test', firstName: 'Vera', lastName: 'V', roles: ['viewer'] })
  viewer = await tokenOf('vera@example.test')
})
afterAll(async () => {
  for (const app of opened) await app.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the product on one port', () => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await keep(buildApp(contextWith(), { console: folder }))
  })
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

  test('pages are the console, calls are JSON, files are files', async () => {
    const page = await get('/topology/anything?x=1', { accept: 'text/html' })
    expect(page.body).toContain('<title>console</title>')
    expect(page.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' })
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
    expect((await get('/assets/app-1234.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await get('/assets/none.js')).statusCode).toBe(404)
    expect((await get('/.hash')).body).not.toContain('secret')
    expect((await get('/../../package.json')).body).not.toContain('workspaces')
    expect((await app.inject({ method: 'POST', url: '/topology' })).statusCode).toBe(404)
  })

  test.each(['//health', '/health//', '/a/./b', `/catalog/${'a'.repeat(5000)}`, '/a%5cb'])(
    'an address that no file can have is a page too: %.20s',
    async (url) => {
      expect((await get(url)).body).toContain('<title>console</title>')
      const call = await get(`/api${url}`)
      expect([call.statusCode, call.json().message]).toEqual([404, 'Not Found'])
    },
  )

  test('unknown calls and wrong methods', async () => {
    const unknown = await get('/api/nothing/here')
    expect(unknown.statusCode).toBe(404)
    expect(unknown.json()).toEqual({
      code: 'not_found',
      message: 'Not Found',
      details: null,
      hint: null,
      error: 'Not Found',
    })
    const wrong = await app.inject({ method: 'DELETE', url: '/api/about' })
    expect(wrong.statusCode).toBe(405)
    expect(wrong.headers.allow).toBe('GET, HEAD')
    expect(wrong.json()).toMatchObject({ message: 'Method Not Allowed' })
  })

  test('what watches the process', async () => {
    expect((await get('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await get('/readyz')).json()).toEqual({ status: 'ready' })
    expect((await get('/api/_health')).json()).toEqual({ health: 'ok' })
    await get('/api/v1/capabilities')
    const metrics = await get('/metrics')
    expect(metrics.body).toContain(
      'quarterdeck_http_request_duration_seconds_count{method="GET",route="/api/v1/capabilities",status="2xx"} 1',
    )
    expect(metrics.body).toContain('quarterdeck_db_connections{state="idle"}')
    expect(metrics.body).toContain('process_resident_memory_bytes')
  })

  test('what the server says about itself, before and after signing in', async () => {
    expect((await get('/api/v1/capabilities')).json()).toMatchObject({
      auth: 'builtin',
      deployment: 'full',
      version: expect.any(String),
    })
    expect((await get('/api/about')).statusCode).toBe(401)
    expect((await get('/api/canary/about', viewer)).json()).toEqual({
      Timestamp: expect.any(String),
      Version: expect.any(String),
    })
    expect((await get('/api/v1/openapi.json', viewer)).json()).toMatchObject({ openapi: '3.1.0' })
  })

  test('the data API is there, behind the same sign-in', async () => {
    expect((await get('/api/db/people?select=name')).statusCode).toBe(401)
    expect((await get('/api/db/people?select=name&email=eq.vera@example.test', viewer)).json()).toEqual([
      { name: 'Vera V' },
    ])
    expect((await get('/api/db/connections', viewer)).statusCode).toBe(403)
  })
})

describe('the second listener', () => {
  let api: FastifyInstance
  beforeAll(async () => {
    api = await keep(buildApiApp(contextWith()))
  })

  test('has the same routes at its root, identity under /kratos, and no console', async () => {
    expect((await api.inject('/health')).body).toBe('OK')
    expect((await api.inject({ url: '/db/people?select=name', headers: viewer })).statusCode).toBe(200)
    expect((await api.inject({ url: '/auth/whoami', headers: viewer })).json()).toMatchObject({
      payload: { user: { name: 'Vera V' } },
    })
    expect(
      (await api.inject({ url: '/kratos/sessions/whoami', headers: { accept: 'application/json' } })).statusCode,
    ).toBe(401)
    expect((await api.inject({ url: '/canary/about', headers: viewer })).statusCode).toBe(200)
    expect((await api.inject('/api/auth/whoami')).statusCode).toBe(404)
    expect((await api.inject('/')).statusCode).toBe(404)
  })

  test('serves a console of its own kind through console-only mode', async () => {
    await api.listen({ host: '127.0.0.1', port: 0 })
    const { port } = api.server.address() as { port: number }
    const config = readConfig({ BACKEND_URL: `http://127.0.0.1:${port}` })
    const front = await keep(buildConsoleOnly(config, contextWith().log, folder))
    expect((await front.inject('/health')).body).toContain('<title>console</title>')
    expect((await front.inject({ url: '/api/v1/capabilities' })).json()).toMatchObject({ auth: 'builtin', live: true })
    const people = await front.inject({
      url: '/api/db/people?select=name&order=name',
      headers: { ...viewer, prefer: 'count=exact' },
    })
    expect(people.statusCode).toBe(200)
    expect(people.headers['content-range']).toMatch(/^0-\d+\/\d+$/)
    const login = await front.inject({
      url: '/api/.ory/self-service/login/browser',
      headers: { accept: 'application/json' },
    })
    expect(login.statusCode).toBe(200)
    expect(login.headers['set-cookie']).toBeDefined()
  })
})

test('[MODE-05] the health deployment answers the health part and nothing else', async () => {
  const app = await keep(buildApp(contextWith({ QUARTERDECK_DEPLOYMENT: 'health' }), { console: folder }))
  const status = async (url: string) => (await app.inject({ url, headers: admin })).statusCode
  expect((await app.inject('/api/v1/capabilities')).json()).toMatchObject({ deployment: 'health' })
  expect(await status('/api/db/checks')).toBe(200)
  expect(await status('/api/db/topologies')).toBe(404)
  expect(await status('/api/db/checks?select=id,check_component_relationships(*)')).toBe(400)
  expect(await status('/api/db/rpc/related_configs')).toBe(404)
  expect(await status('/api/kubeconfig')).toBe(404)
  expect(await status('/api/auth/whoami')).toBe(200)
  const api = await keep(buildApiApp(contextWith({ QUARTERDECK_DEPLOYMENT: 'health' })))
  for (const url of ['/canary/api/summary', '/api/summary', '/about', '/db/checks']) {
    expect((await api.inject({ url, headers: admin })).statusCode, url).toBe(200)
  }
})

test('[MODE-04] with sessions disabled nobody has to sign in', async () => {
  const app = await keep(buildApp(contextWith({ QUARTERDECK_AUTH: 'none' }), { console: folder }))
  expect((await app.inject('/api/v1/capabilities')).json()).toMatchObject({ auth: 'none' })
  const me = await app.inject('/api/auth/whoami')
  expect(me.statusCode).toBe(200)
  expect(me.json()).toMatchObject({
    payload: { user: { email: 'admin@quarterdeck.local' }, roles: expect.arrayContaining(['admin']) },
  })
  expect((await app.inject('/api/db/connections')).statusCode).toBe(200)
})

test('while the database does not answer the process lives but is not ready, and tells nobody where it is', async () => {
  const refused = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432'))
  const app = await keep(buildHealthApp({ ...contextWith(), db: { ...db, query: refused } }))
  expect((await app.inject('/healthz')).statusCode).toBe(200)
  const answer = await app.inject('/readyz')
  expect(answer.statusCode).toBe(503)
  expect(answer.json()).toEqual({ status: 'not ready', reason: 'the database does not answer' })
})

test('a worker answers only what watches it', async () => {
  const app = await keep(buildHealthApp(contextWith()))
  expect((await app.inject('/readyz')).statusCode).toBe(200)
  expect((await app.inject('/api/auth/whoami')).statusCode).toBe(404)
})
