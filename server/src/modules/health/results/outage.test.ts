import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throughOutage } from './outage.ts'

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const minute = 60_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('work waits for a database that is away and is done when it is back', async () => {
  const backAt = performance.now() + 9 * minute
  const work = vi.fn(async () => {
    if (performance.now() < backAt) throw away()
    return 'stored'
  })
  const done = throughOutage(work, new AbortController().signal)
  await vi.advanceTimersByTimeAsync(8 * minute)
  expect(work.mock.calls.length).toBeGreaterThan(100)
  await vi.advanceTimersByTimeAsync(2 * minute)
  expect(await done).toBe('stored')
})

test('after ten minutes it is given up', async () => {
  const done = throughOutage(async () => {
    throw away()
  }, new AbortController().signal)
  await Promise.all([expect(done).rejects.toThrow('ECONNREFUSED'), vi.advanceTimersByTimeAsync(11 * minute)])
})

test('a refusal is no outage, and a server that stops does not wait', async () => {
  const refused = vi.fn(async () => {
    throw Object.assign(new Error('no such column'), { code: '42703' })
  })
  await expect(throughOutage(refused, new AbortController().signal)).rejects.toThrow('no such column')
  expect(refused).toHaveBeenCalledTimes(1)
  const stop = new AbortController()
  const waiting = throughOutage(async () => {
    throw away()
  }, stop.signal)
  const stopping = vi.advanceTimersByTimeAsync(100).then(() => stop.abort())
  await Promise.all([expect(waiting).rejects.toThrow('ECONNREFUSED'), stopping])
})
