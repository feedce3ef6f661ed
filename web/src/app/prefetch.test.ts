import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test, vi } from 'vitest'
import { createQueryClient } from '@/api/query-client.ts'
import { fakeServer } from '@/testing/fake-server.ts'
import { openEarly, prefetch, prefetchOnHover } from './prefetch.ts'

const aRoute = (path: string) => ({
  path,
  title: 'x',
  page: vi.fn(() => Promise.resolve(() => null)),
  prefetch: vi.fn(),
})

test('a page is loaded once, its data each time, and only pages of the console are', () => {
  const route = aRoute('/catalog/:id')
  const queries = new QueryClient()
  prefetch([route], queries, '/catalog/1?a=b')
  prefetch([route], queries, '/catalog/2')
  expect(route.page).toHaveBeenCalledTimes(1)
  expect(route.prefetch).toHaveBeenCalledTimes(2)
  expect(route.prefetch.mock.calls[0]![2]).toEqual({ id: '1' })
  expect((route.prefetch.mock.calls[0]![1] as URL).search).toBe('?a=b')
  prefetch([route], queries, 'https://elsewhere.test/catalog/1')
  prefetch([route], queries, '/api/kubeconfig')
  expect(route.prefetch).toHaveBeenCalledTimes(2)
})

test('pointing at anything inside a link, or focusing it, is enough', () => {
  const [one, two] = [aRoute('/one'), aRoute('/two')]
  prefetchOnHover([one, two], new QueryClient())
  document.body.innerHTML = '<a href="/one"><b>One</b></a><a href="/two">Two</a><button>None</button>'
  document.querySelector('b')!.dispatchEvent(new Event('pointerover', { bubbles: true }))
  document.querySelector('button')!.dispatchEvent(new Event('pointerover', { bubbles: true }))
  expect([one.page.mock.calls.length, two.page.mock.calls.length]).toEqual([1, 0])
  document.querySelector<HTMLElement>('a[href="/two"]')!.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  expect(two.page).toHaveBeenCalledTimes(1)
})

describe('the first address', () => {
  const answers = (more: Parameters<typeof fakeServer>[0] = {}) =>
    fakeServer({
      'GET /api/v1/capabilities': { auth: 'builtin', deployment: 'full', areas: [] },
      'GET /api/.ory/sessions/whoami': { active: true },
      'GET /api/auth/whoami': { payload: { user: { id: 'u', name: 'Ada' }, roles: ['viewer'] } },
      'GET /api/properties': [],
      ...more,
    })
  const open = async (route: object) => {
    const made = { ...aRoute('/health'), ...route }
    await openEarly([made], createQueryClient(), new URL('/health?a=b', window.location.href))
    return made
  }

  test('its code and data are asked for before anything is drawn', async () => {
    answers()
    const route = await open({ access: ['read', 'canaries'] })
    expect(route.page).toHaveBeenCalledTimes(1)
    expect(route.prefetch).toHaveBeenCalledTimes(1)
  })

  test('nobody asks for data of a page that will not be shown', async () => {
    answers()
    expect((await open({ access: ['write', 'connections'] })).prefetch).not.toHaveBeenCalled()
    answers({ 'GET /api/properties': [{ name: 'health.disable', value: 'true', source: 'db', description: '' }] })
    expect((await open({ feature: 'health' })).prefetch).not.toHaveBeenCalled()
    answers({ 'GET /api/auth/whoami': () => new Response('{}', { status: 401 }) })
    expect((await open({})).prefetch).not.toHaveBeenCalled()
  })

  test('sign-in pages ask nothing, and code that does not load is told by the page', async () => {
    const server = answers()
    const route = await open({ frame: 'account', page: vi.fn(() => Promise.reject(new Error('offline'))) })
    expect(route.page).toHaveBeenCalledTimes(1)
    expect(server.calls).toEqual([])
  })
})
