import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Backend, backends, client, onSessionLost } from './client.ts'
import { ApiError } from './errors.ts'

const calls: { address: string; init: RequestInit }[] = []
let answer: () => Response | Promise<Response>

beforeEach(() => {
  calls.length = 0
  answer = () => Response.json({ ok: true })
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    calls.push({ address, init })
    return Promise.resolve(answer())
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  onSessionLost(() => {})
})

const headersOf = (index = 0) => calls[index]!.init.headers as Record<string, string>

describe('client', () => {
  test('[API-01] every backend has its base under /api', async () => {
    expect(backends).toEqual({
      root: '/api',
      db: '/api/db',
      search: '/api/apm/search',
      canary: '/api/canary',
      config: '/api/config',
      catalog: '/api/catalog',
      snapshot: '/api/snapshot',
      agent: '/api/agent',
      logs: '/api/logs',
      auth: '/api/auth',
      playbook: '/api/playbook',
      rbac: '/api/rbac',
      identity: '/api/.ory',
    })
    for (const name of Object.keys(backends) as Backend[]) await client(name).get('/x')
    expect(calls.map((call) => call.address)).toEqual(Object.values(backends).map((base) => `${base}/x`))
  })

  test('[API-02] requests send JSON and ask for the written rows', async () => {
    await client('db').get('/agents')
    await client('db').patch('/agents?id=eq.1', { name: 'a' })
    for (const index of [0, 1]) {
      expect(headersOf(index)).toMatchObject({
        Accept: 'application/json',
        'Content-Type': 'application/json',
        Prefer: 'return=representation',
      })
    }
    expect(calls[1]!.init).toMatchObject({ method: 'PATCH', body: '{"name":"a"}' })
  })

  test('a write without a body does not claim to carry JSON, and the identity service gets no Prefer', async () => {
    await client('canary').post('/run/check/1')
    expect(headersOf()).not.toHaveProperty('Content-Type')
    await client('identity').get('/sessions/whoami')
    expect(headersOf(1)).not.toHaveProperty('Prefer')
  })

  test('[API-07] an invalid backend API name throws', () => {
    expect(() => client('nowhere' as Backend)).toThrow('Invalid backend API name: nowhere')
    expect(() => client('toString' as Backend)).toThrow('Invalid backend API name')
  })

  test('query parameters are encoded and those without a value are left out', async () => {
    await client('root').get('/x', { query: { a: 'b&c', none: undefined, n: 0 } })
    await client('root').get('/x?y=1', { query: { z: true } })
    expect(calls.map((call) => call.address)).toEqual(['/api/x?a=b%26c&n=0', '/api/x?y=1&z=true'])
  })

  test.each([
    ['the data API', 400, { code: '22P02', message: 'bad value', details: 'why', hint: 'how' }, 'bad value'],
    ['an area route', 404, { error: 'connection was not found' }, 'connection was not found'],
    [
      'the identity service',
      410,
      { error: { id: 'x', message: 'gone', reason: 'The flow expired' } },
      'The flow expired',
    ],
    ['plain text', 403, 'unauthorized. Access Denied', 'An error occurred'],
    ['nothing', 502, '', 'An error occurred'],
  ])('an error of %s becomes an ApiError', async (_from, status, body, message) => {
    answer = () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
    const error = await client('db')
      .get('/x')
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status, message, body: body === '' ? null : body, isTransient: false })
  })

  test('code, details and hint of the server are kept', async () => {
    answer = () => Response.json({ code: '23505', message: 'm', details: 'd', hint: 'h' }, { status: 409 })
    const error = await client('db')
      .post('/x', {})
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: '23505', details: 'd', hint: 'h' })
  })

  test('no answer at all is an ApiError that may be tried again', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'))
    const error = await client('db')
      .get('/x')
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 0, message: 'The server cannot be reached', isTransient: true })
  })

  test('a call that was called off by its caller says so and nothing else', async () => {
    const stop = new AbortController()
    stop.abort()
    answer = () => Promise.reject(stop.signal.reason as Error)
    const error = await client('db')
      .get('/x', { signal: stop.signal })
      .catch((thrown: unknown) => thrown)
    expect(error).toBe(stop.signal.reason)
  })

  test('a 401 is reacted to in one place, except where the caller or the identity service says', async () => {
    const lost = vi.fn()
    onSessionLost(lost)
    answer = () => Response.json({ message: 'Session Expired' }, { status: 401 })
    await expect(client('root').get('/x')).rejects.toMatchObject({ status: 401 })
    expect(lost).toHaveBeenCalledTimes(1)
    await expect(client('root').get('/x', { keep401: true })).rejects.toMatchObject({ status: 401 })
    await expect(client('identity').get('/sessions/whoami')).rejects.toMatchObject({ status: 401 })
    expect(lost).toHaveBeenCalledTimes(1)
  })

  test('a parser checks what came', async () => {
    const number = { parse: (value: unknown) => Number((value as { n: string }).n) }
    answer = () => Response.json({ n: '4' })
    await expect(client('root').get('/x', undefined, number)).resolves.toBe(4)
  })
})
