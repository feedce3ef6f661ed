import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { client, dressRequests } from '@/api/client.ts'
import { dropEarly, takeEarly } from '@/api/early.ts'
import { createQueryClient } from '@/api/query-client.ts'
import { summaryQuery } from '@/features/health/health.queries.ts'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { openEarly } from './prefetch.ts'
import { routeTable } from './routes.tsx'

const scripts = import.meta.glob<string>('../../public/early.js', { query: '?raw', import: 'default', eager: true })
const script = Object.values(scripts)[0]!

const boot = {
  'GET /api/v1/capabilities': { auth: 'builtin', deployment: 'full', areas: [] },
  'GET /api/.ory/sessions/whoami': { active: true },
  'GET /api/auth/whoami': { payload: { user: { id: 'u', name: 'Ada' }, roles: ['viewer'] } },
  'GET /api/properties': [],
}

/** Runs the script as the page does, at an address. */
function arrive(at: string) {
  window.history.replaceState(null, '', at)
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- it is a script of its own, no module
  new Function(script)()
}

beforeEach(() => dropEarly())
afterEach(() => {
  dressRequests(undefined)
  vi.unstubAllGlobals()
  window.history.replaceState(null, '', '/')
})

describe('before the code of the console is there', () => {
  test('a chosen theme is set, and nothing else is believed', () => {
    fakeServer(boot)
    for (const [stored, shown] of [
      ['"dark"', 'dark'],
      ['"light"', 'light'],
      ['"pink"', undefined],
      ['not json', undefined],
    ]) {
      delete document.documentElement.dataset.theme
      localStorage.setItem('quarterdeck.theme', stored!)
      arrive('/login')
      expect(document.documentElement.dataset.theme).toBe(shown)
    }
  })

  test('the questions of every page are asked, and for the dashboard its checks', () => {
    const server = fakeServer(boot)
    arrive('/settings/jobs')
    expect(server.asked()).toEqual(Object.keys(boot))
    arrive('/health?groupBy=type')
    expect(server.asked().slice(4)).toEqual([...Object.keys(boot), 'GET /api/canary/api/summary?fields=list'])
  })

  test('pages of signing in ask nothing, all others do', () => {
    const server = fakeServer(boot)
    const asks = (path: string) => {
      const before = server.calls.length
      arrive(path.replace(':id', '1'))
      return server.calls.length > before
    }
    const account = routeTable.filter(({ frame }) => frame === 'account').map(({ path }) => path)
    expect(account.length).toBeGreaterThan(5)
    expect(account.filter(asks)).toEqual([])
    const others = routeTable.filter(({ frame }) => frame !== 'account').map(({ path }) => path)
    expect(others.filter((path) => !asks(path))).toEqual([])
  })

  test('the console takes the answers instead of asking again', async () => {
    const server = fakeServer({ ...boot, 'GET /api/canary/api/summary': { checks_summary: [{ id: 'c' }] } })
    arrive('/health')
    const queries = createQueryClient()
    await openEarly(routeTable, queries, new URL(window.location.href))
    expect(await queries.fetchQuery(summaryQuery)).toEqual([{ id: 'c' }])
    expect(server.calls).toHaveLength(5)
    await queries.fetchQuery({ ...summaryQuery, staleTime: 0 })
    expect(server.calls).toHaveLength(6)
  })

  test('data of a page that will not be shown is given up', async () => {
    const signals: AbortSignal[] = []
    fakeServer({ ...boot, 'GET /api/properties': [{ name: 'health.disable', value: 'true', source: 'db' }] })
    const { fetch } = window
    vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
      if (address.includes('summary')) signals.push(init.signal!)
      return fetch(address, init)
    })
    arrive('/health')
    await openEarly(routeTable, createQueryClient(), new URL(window.location.href))
    expect(signals).toHaveLength(1)
    expect(signals[0]!.aborted).toBe(true)
    expect(takeEarly('/api/canary/api/summary?fields=list', new AbortController().signal)).toBeUndefined()
  })
})

describe('an early answer', () => {
  test('is taken once, failures included', async () => {
    const server = fakeServer({ ...boot, 'GET /api/properties': () => answer(500, { message: 'broken' }) })
    arrive('/topology')
    await expect(client('root').get('/properties')).rejects.toMatchObject({ status: 500, message: 'broken' })
    expect(server.calls).toHaveLength(4)
    await expect(client('root').get('/properties')).rejects.toMatchObject({ status: 500 })
    expect(server.calls).toHaveLength(5)
  })

  test('is not used by a request that carries a token', async () => {
    const server = fakeServer(boot)
    arrive('/topology')
    dressRequests((request) => Promise.resolve({ ...request, headers: { ...request.headers, Authorization: 'x' } }))
    await client('auth').get('/whoami')
    expect(server.calls).toHaveLength(5)
  })

  test('is given up with the one who waits for it', async () => {
    fakeServer({ ...boot, 'GET /api/properties': () => new Promise(() => {}) })
    arrive('/topology')
    const stop = vi.spyOn(window.quarterdeckEarly!['/api/properties']!, 'stop')
    const control = new AbortController()
    void client('root')
      .get('/properties', { signal: control.signal })
      .catch(() => {})
    control.abort()
    expect(stop).toHaveBeenCalledTimes(1)
  })
})
