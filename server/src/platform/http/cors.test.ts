import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { readConfig } from '../../config.ts'
import { createServer } from './server.ts'

const console_ = 'https://console.example.com'
const servers: FastifyInstance[] = []

async function serverWith(settings: { origins?: string[]; ambient?: boolean }) {
  const app = await createServer({ log: pino({ level: 'silent' }), trustedProxies: [], ...settings })
  app.get('/api/rows', (_, reply) => reply.header('content-range', '0-1/9').send({ rows: 'x'.repeat(2000) }))
  app.post('/api/rows', () => ({ saved: true }))
  app.get('/api/refused', () => {
    throw Object.assign(new Error('no'), { statusCode: 401 })
  })
  servers.push(app)
  return app
}
afterAll(() => Promise.all(servers.map((app) => app.close())))

const preflight = (app: FastifyInstance, origin: string, method = 'PATCH', headers = 'authorization,prefer') =>
  app.inject({
    method: 'OPTIONS',
    url: '/api/rows',
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
  })
const read = (app: FastifyInstance, origin?: string) =>
  app.inject({ url: '/api/rows', headers: { 'accept-encoding': 'gzip', ...(origin ? { origin } : {}) } })
const corsOf = (answer: { headers: Record<string, unknown> }) =>
  Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))

describe('a console on another origin', () => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await serverWith({ origins: [console_, 'http://localhost:5173'] })
  })

  test('reads answers and what clients need of their headers', async () => {
    for (const origin of [console_, 'http://localhost:5173']) {
      const answer = await read(app, origin)
      expect(answer.headers['access-control-allow-origin']).toBe(origin)
      expect(answer.headers['access-control-allow-credentials']).toBe('true')
      expect(answer.headers['access-control-expose-headers']).toMatch(/content-range.*x-request-id, x-live-position/)
      expect(answer.headers.vary).toBe('origin, accept-encoding')
    }
  })

  test('asks first, and hears which methods and headers may be sent', async () => {
    for (const method of ['PATCH', 'DELETE', 'POST', 'PUT']) {
      const answer = await preflight(app, console_, method)
      expect(answer.statusCode).toBe(204)
      expect(answer.headers['access-control-allow-methods']).toContain(method)
    }
    const { headers } = await preflight(app, console_)
    expect(headers['access-control-allow-headers']).toMatch(/authorization.*content-type.*last-event-id.*prefer.*range/)
    expect(headers['access-control-allow-origin']).toBe(console_)
    expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0)
  })

  test('reads refusals and unknown addresses too', async () => {
    for (const url of ['/api/refused', '/api/nothing']) {
      const answer = await app.inject({ url, headers: { origin: console_ } })
      expect(answer.statusCode).toBeGreaterThanOrEqual(400)
      expect(answer.headers['access-control-allow-origin']).toBe(console_)
    }
  })

  test('may write with our cookies, which nobody else may', async () => {
    const write = async (origin: string) =>
      (
        await app.inject({
          method: 'POST',
          url: '/api/rows',
          headers: { origin, cookie: 'a=1', 'sec-fetch-site': 'same-site' },
        })
      ).statusCode
    expect(await write(console_)).toBe(200)
    expect(await write('https://other.example.com')).toBe(403)
  })

  test.each([
    'null',
    'https://evil.example',
    'http://console.example.com',
    'https://console.example.com:8443',
    'https://console.example.com.evil.example',
    'https://evilconsole.example.com',
    'https://sub.console.example.com',
    'https://console.example.com/',
    'https://CONSOLE.example.com',
    'https://console.example.com@evil.example',
    'http://localhost:5174',
    'https://console.example.com, https://evil.example',
    '*',
    '',
  ])('%j is nobody we know', async (origin) => {
    expect(corsOf(await read(app, origin))).toEqual([])
    const asked = await preflight(app, origin)
    expect(corsOf(asked)).toEqual([])
    expect(asked.statusCode).toBe(403)
    expect(asked.json().message).toContain('QUARTERDECK_ALLOWED_ORIGINS')
  })

  test('caches are told that the answer depends on the origin, also without one', async () => {
    expect((await read(app)).headers.vary).toContain('origin')
    expect(corsOf(await read(app))).toEqual([])
  })
})

test('the star lets any page in, never with cookies', async () => {
  const app = await serverWith({ origins: ['*', console_] })
  for (const origin of ['https://anybody.example', 'null']) {
    const answer = await read(app, origin)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
    const asked = await preflight(app, origin)
    expect(asked.statusCode).toBe(204)
    expect(asked.headers).not.toHaveProperty('access-control-allow-credentials')
    const write = { method: 'POST', url: '/api/rows' } as const
    expect((await app.inject({ ...write, headers: { origin, cookie: 'a=1' } })).statusCode).toBe(403)
    expect((await app.inject({ ...write, headers: { origin, authorization: 'Bearer x' } })).statusCode).toBe(200)
  }
  expect((await read(app, console_)).headers['access-control-allow-credentials']).toBe('true')
})

test('without the setting nobody is let in, and nothing is added', async () => {
  const app = await serverWith({})
  expect(corsOf(await read(app, console_))).toEqual([])
  expect((await read(app, console_)).headers.vary).toBe('accept-encoding')
  expect(corsOf(await preflight(app, console_))).toEqual([])
})

test('where nobody signs in, a page of another site writes nothing, with or without cookies', async () => {
  const app = await serverWith({ ambient: true })
  const write = async (headers: Record<string, string>) =>
    (await app.inject({ method: 'POST', url: '/api/rows', headers: { host: 'deck.example', ...headers } })).statusCode
  expect(await write({ origin: 'https://evil.example' })).toBe(403)
  expect(await write({ 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await write({ origin: 'null' })).toBe(403)
  expect(await write({ 'sec-fetch-site': 'same-origin' })).toBe(200)
  expect(await write({})).toBe(200)
})

test.each(['console.example.com', 'https://console.example.com/', 'https://*.example.com', 'null', 'https://a:443'])(
  'the setting %j is refused at the start',
  (value) => {
    expect(() => readConfig({ QUARTERDECK_ALLOWED_ORIGINS: value })).toThrow('must be origins')
  },
)
