import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { prefetch, prefetchOnHover, preloadPage } from './prefetch.ts'

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

test('the page of the first address is loaded at once, without its data; one that fails says so when it is shown', async () => {
  const route = { ...aRoute('/health'), page: vi.fn(() => Promise.reject(new Error('offline'))) }
  preloadPage([route], '/health')
  preloadPage([route], '/nowhere')
  await Promise.resolve()
  expect(route.page).toHaveBeenCalledTimes(1)
  expect(route.prefetch).not.toHaveBeenCalled()
})
