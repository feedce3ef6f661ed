import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { reloadOnce } from './stale-build.ts'

const reload = vi.fn()
beforeEach(() => {
  sessionStorage.clear()
  vi.spyOn(window.location, 'reload').mockImplementation(reload)
  reload.mockClear()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a tab with files of an older build is loaded anew, once', async () => {
  fakeServer({ 'GET /readyz': { status: 'ready' } })
  await reloadOnce()
  await reloadOnce()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a page is not given up for a server that is away', async () => {
  const server = fakeServer({ 'GET /readyz': () => answer(503) })
  await reloadOnce()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await reloadOnce()
  expect(reload).not.toHaveBeenCalled()
  expect(server.asked()).toEqual(['GET /readyz'])
})
