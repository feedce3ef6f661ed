import { Writable } from 'node:stream'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Principal } from '../auth/principal.ts'
import { AppError } from '../errors.ts'
import { mountRoute } from './mount.ts'
import { agents, anyOf, open, type Route, read, route, signedIn, write } from './route.ts'
import { createServer } from './server.ts'

const lines: string[] = []
const log = pino({ level: 'debug' }, new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) }))
const person = (role: Principal['roles'][number]): Principal => ({
  kind: 'person',
  id: role,
  name: role,
  email: null,
  roles: [role],
})

const routes: Route[] = [
  route({ method: 'GET', path: '/open', access: open, summary: '', handle: () => ({ ok: true }) }),
  route({ method: 'GET', path: '/mine', access: signedIn, summary: '', handle: ({ user }) => ({ id: user.id }) }),
  route({ method: 'GET', path: '/secrets', access: read('connections'), summary: '', handle: () => [] }),
  route({ method: 'POST', path: '/checks', access: write('canaries'), summary: '', handle: () => undefined }),
  route({ method: 'POST', path: '/run', access: anyOf('admin', 'responder'), summary: '', handle: () => ({}) }),
  route({ method: 'POST', path: '/push', access: agents, summary: '', handle: () => ({}) }),
  route({
    method: 'PUT',
    path: '/things/:id',
    access: open,
    summary: '',
    params: z.object({ id: z.uuid() }),
    query: z.object({ limit: z.coerce.number().int().max(10).default(5) }),
    body: z.object({ name: z.string().min(1), tags: z.array(z.object({ key: z.string() })).default([]) }),
    handle: ({ params, query, body }) => ({ ...params, ...query, ...body }),
  }),
  route({
    method: 'POST',
    path: '/small',
    access: open,
    summary: '',
    bodyLimit: 100,
    handle: ({ request }) => ({ got: request.body ?? null }),
  }),
  route({
    method: 'GET',
    path: '/broken',
    access: open,
    summary: '',
    handle: () => {
      throw new Error('the password is hunter2')
    },
  }),
  route({
    method: 'GET',
    path: '/known',
    access: open,
    summary: '',
    handle: () => {
      throw new AppError(409, 'conflict', 'Taken', 'by you', 'Try another')
    },
  }),
  route({ method: 'GET', path: '/large', access: open, summary: '', handle: () => ({ text: 'x'.repeat(5000) }) }),
]

let app: FastifyInstance
beforeEach(async () => {
  lines.length = 0
  app = await createServer({ log, trustedProxies: ['loopback'] })
  const authenticate = async (_: Context, request: { headers: Record<string, unknown> }) => {
    const who = request.headers['x-who'] as Principal['roles'][number] | 'agent' | undefined
    if (who === 'agent') return { ...person('viewer'), kind: 'agent' as const }
    return who && person(who)
  }
  for (const one of routes) mountRoute(app, {} as Context, one, one.path, authenticate)
})
afterEach(() => app.close())

describe('who may call', () => {
  const status = async (method: 'GET' | 'POST', url: string, who?: string) =>
    (await app.inject({ method, url, headers: who ? { 'x-who': who } : {} })).statusCode

  test('nobody signed in gets 401 as JSON, open routes answer', async () => {
    expect(await status('GET', '/open')).toBe(200)
    const answer = await app.inject('/mine')
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({
      code: 'unauthorized',
      message: 'Sign in to continue',
      details: null,
      hint: null,
      error: 'Sign in to continue',
    })
  })

  test('roles decide', async () => {
    expect(await status('GET', '/secrets', 'editor')).toBe(403)
    expect(await status('GET', '/secrets', 'admin')).toBe(200)
    expect(await status('POST', '/checks', 'viewer')).toBe(403)
    expect(await status('POST', '/checks', 'editor')).toBe(204)
    expect(await status('POST', '/run', 'viewer')).toBe(403)
    expect(await status('POST', '/run', 'responder')).toBe(200)
  })

  test('agents reach their routes and no others', async () => {
    expect(await status('POST', '/push', 'agent')).toBe(200)
    expect(await status('POST', '/push', 'admin')).toBe(403)
    expect(await status('GET', '/mine', 'agent')).toBe(403)
  })

  test('who may not is refused before the body is read', async () => {
    const headers = { 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'POST', url: '/checks', headers, payload: '{"broken' })
    expect(answer.statusCode).toBe(401)
  })
})

describe('bad input', () => {
  const id = '01900000-0000-7000-8000-000000000000'
  const put = (url: string, payload: object | string, headers = {}) =>
    app.inject({ method: 'PUT', url, payload, headers })

  test('good input arrives parsed', async () => {
    expect((await put(`/things/${id}?limit=7`, { name: 'a' })).json()).toEqual({ id, limit: 7, name: 'a', tags: [] })
  })

  test('the field that is wrong is named', async () => {
    const bad = async (url: string, payload: object) => {
      const answer = await put(url, payload)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'invalid', error: answer.json().message })
      return answer.json().message as string
    }
    expect(await bad('/things/7', { name: 'a' })).toContain('params.id')
    expect(await bad(`/things/${id}?limit=99`, { name: 'a' })).toContain('query.limit')
    expect(await bad(`/things/${id}`, { name: '' })).toContain('body.name')
    expect(await bad(`/things/${id}`, { name: 'a', tags: [{}] })).toContain('body.tags.0.key')
  })

  test.each([
    ['broken JSON', '{"name":', 'application/json', 400],
    ['a key that would change the prototype', '{"__proto__":{"a":1}}', 'application/json', 400],
    ['another media type', '<a/>', 'application/xml', 415],
    ['too large', `"${'x'.repeat(200)}"`, 'application/json', 413],
  ])('%s', async (_, payload, type, status) => {
    const answer = await app.inject({ method: 'POST', url: '/small', payload, headers: { 'content-type': type } })
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ code: expect.any(String), message: expect.any(String), details: null })
  })

  test('an empty JSON body counts as none', async () => {
    const answer = await app.inject({ method: 'POST', url: '/small', headers: { 'content-type': 'application/json' } })
    expect(answer.json()).toEqual({ got: null })
  })

  test('an address that cannot be decoded', async () => {
    const answer = await app.inject('/%E0%A4%A')
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'invalid' })
  })

  test('what is no HTTP gets a 400 too', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const words = await new Promise<string>((resolve) => {
      let got = ''
      const socket = connect(port, '127.0.0.1', () => socket.write('GARBAGE\r\n\r\n'))
      socket.on('data', (chunk) => (got += chunk.toString()))
      socket.on('close', () => resolve(got))
    })
    expect(words).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(words.split('\r\n\r\n')[1]!)).toMatchObject({ code: 'invalid' })
  })
})

describe('errors', () => {
  test('words of an unexpected failure go to the log only, under the id of the request', async () => {
    const answer = await app.inject({ url: '/broken', headers: { 'x-request-id': 'abc-1' } })
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('hunter2')
    expect(answer.json()).toMatchObject({ code: 'internal', message: 'Internal Server Error' })
    expect(answer.headers['x-request-id']).toBe('abc-1')
    const logged = lines.find((line) => line.includes('request failed'))!
    expect(logged).toContain('"request":"abc-1"')
    expect(logged).toContain('hunter2')
  })

  test('an expected one keeps its words', async () => {
    const answer = await app.inject('/known')
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toEqual({
      code: 'conflict',
      message: 'Taken',
      details: 'by you',
      hint: 'Try another',
      error: 'Taken',
    })
  })

  test('a request id that is no plain word is replaced', async () => {
    const answer = await app.inject({ url: '/open', headers: { 'x-request-id': 'a b\u001b[31m' } })
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('browsers', () => {
  const post = async (headers: Record<string, string>) =>
    (await app.inject({ method: 'POST', url: '/small', headers: { host: 'deck.example', ...headers } })).statusCode

  test('a write with cookies from a page of another site is refused', async () => {
    const cookie = 'session=1'
    expect(await post({ cookie, origin: 'https://evil.example' })).toBe(403)
    expect(await post({ cookie, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await post({ cookie, 'sec-fetch-site': 'same-site', origin: 'https://deck.example' })).toBe(403)
    expect(await post({ cookie, origin: 'null' })).toBe(403)
    expect(await post({ cookie, origin: 'https://deck.example' })).toBe(200)
    expect(await post({ cookie, 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await post({ cookie })).toBe(200)
    expect(await post({ origin: 'https://evil.example' })).toBe(200)
  })

  test('every answer carries the security headers; HSTS only over HTTPS', async () => {
    const plain = await app.inject('/broken')
    expect(plain.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    expect(plain.headers).not.toHaveProperty('strict-transport-security')
    const secure = await app.inject({
      url: '/open',
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.1' },
    })
    expect(secure.headers).toHaveProperty('strict-transport-security')
  })

  test('larger answers are packed across a network and left alone on the same machine', async () => {
    const near = await app.inject({ url: '/large', headers: { 'accept-encoding': 'gzip' } })
    expect(near.headers).not.toHaveProperty('content-encoding')
    const away = (accept: string) =>
      app.inject({ url: '/large', headers: { 'accept-encoding': accept, 'x-forwarded-for': '203.0.113.1' } })
    const far = await away('gzip, deflate')
    expect(far.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(JSON.parse(gunzipSync(far.rawPayload).toString())).toEqual({ text: 'x'.repeat(5000) })
    const modern = await away('gzip, deflate, br')
    expect(modern.headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(modern.rawPayload).toString())).toEqual({ text: 'x'.repeat(5000) })
    expect((await away('br;q=0, gzip;q=0.0')).headers).not.toHaveProperty('content-encoding')
    expect(far.rawPayload.length).toBeLessThan(200)
  })
})

test('the log shows writes and refusals, never cookies, credentials or passwords in addresses', async () => {
  const headers = { cookie: 'session=abcdef', authorization: 'Bearer abcdef', 'content-type': 'application/json' }
  await app.inject({
    method: 'POST',
    url: '/small?token=abcdef&Password=abcdef&limit=3',
    headers,
    payload: { password: 'abcdef' },
  })
  const all = lines.join('')
  expect(all).toContain('/small?token=[hidden]&Password=[hidden]&limit=3')
  expect(all).not.toContain('abcdef')
})
