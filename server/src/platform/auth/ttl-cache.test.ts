import { expect, test, vi } from 'vitest'
import { ttlCache } from './ttl-cache.ts'

test('loads once for as long as the value lives, and once for callers that come together', async () => {
  const cache = ttlCache<string>(1000, 10)
  const load = vi.fn(async () => 'v')
  await Promise.all([cache.get('k', 0, load), cache.get('k', 0, load)])
  await cache.get('k', 999, load)
  expect(load).toHaveBeenCalledTimes(1)
  await cache.get('k', 1000, load)
  expect(load).toHaveBeenCalledTimes(2)
})

test('a value revoked while it loads is not kept', async () => {
  const cache = ttlCache<string>(1000, 10)
  let finish = (_: string) => {}
  const first = cache.get('k', 0, () => new Promise<string>((resolve) => (finish = resolve)))
  cache.dropWhere(() => true)
  finish('stale')
  expect(await first).toBe('stale')
  expect(await cache.get('k', 0, async () => 'fresh')).toBe('fresh')
})

test('what is absent is not remembered, and the size is bounded', async () => {
  const cache = ttlCache<string>(1000, 2)
  expect(await cache.get('a', 0, async () => undefined)).toBeUndefined()
  expect(await cache.get('a', 0, async () => '1')).toBe('1')
  await cache.get('b', 0, async () => '2')
  await cache.get('c', 0, async () => '3')
  const reload = vi.fn(async () => 'again')
  expect(await cache.get('a', 0, reload)).toBe('again')
})

test('a failing load fails its caller and is tried again', async () => {
  const cache = ttlCache<string>(1000, 2)
  await expect(cache.get('a', 0, () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(await cache.get('a', 0, async () => 'up')).toBe('up')
})
