import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from './errors.ts'
import { createQueryClient, shouldRetry } from './query-client.ts'
import { onReport, report } from './report.ts'

const shown: string[] = []
beforeEach(() => {
  shown.length = 0
  onReport((message) => shown.push(message))
})
afterEach(() => {
  vi.useRealTimers()
  onReport(() => {})
})

const failing = (error: Error) => ({ queryKey: ['x'], queryFn: () => Promise.reject(error) })

describe('query client', () => {
  test('[API-08] data younger than five minutes is not fetched again', async () => {
    vi.useFakeTimers()
    const queries = createQueryClient()
    const queryFn = vi.fn(() => Promise.resolve(1))
    await queries.fetchQuery({ queryKey: ['x'], queryFn })
    vi.advanceTimersByTime(299_999)
    await queries.fetchQuery({ queryKey: ['x'], queryFn })
    expect(queryFn).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(2)
    await queries.fetchQuery({ queryKey: ['x'], queryFn })
    expect(queryFn).toHaveBeenCalledTimes(2)
  })

  test('only missing answers are tried again, three times at most', () => {
    const missing = new ApiError(0, 'The server cannot be reached')
    expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, missing))).toEqual([true, true, true, false])
    for (const status of [400, 401, 403, 404, 500, 503]) expect(shouldRetry(0, new ApiError(status, ''))).toBe(false)
    expect(shouldRetry(0, new Error('a bug'))).toBe(false)
  })

  test('[API-06] an error answer shows its message once', async () => {
    const queries = createQueryClient()
    const error = new ApiError(500, 'The disk is full')
    await queries.fetchQuery(failing(error)).catch(() => {})
    report(error)
    expect(shown).toEqual(['The disk is full'])
  })

  test('the text of an area replaces the general one', async () => {
    const queries = createQueryClient()
    const save = queries.getMutationCache().build(queries, {
      mutationFn: () => Promise.reject(new ApiError(500, 'raw')),
      meta: { failure: (error) => `Unable to save: ${error.message}` },
    })
    await save.execute(undefined).catch(() => {})
    expect(shown).toEqual(['Unable to save: raw'])
  })

  test('what a form or a screen shows itself is not toasted, nor is a lost session', async () => {
    const queries = createQueryClient()
    await queries.fetchQuery({ ...failing(new ApiError(500, 'inline')), meta: { quiet: true } }).catch(() => {})
    await queries.fetchQuery({ ...failing(new ApiError(401, 'Session Expired')), queryKey: ['y'] }).catch(() => {})
    expect(shown).toEqual([])
  })

  test('a page that shows its first failure toasts those that come when it has something to show', async () => {
    const queries = createQueryClient()
    const first = { ...failing(new ApiError(500, 'later')), meta: { quiet: 'first' as const } }
    await queries.fetchQuery(first).catch(() => {})
    expect(shown).toEqual([])
    queries.setQueryData(first.queryKey, 'something')
    await queries.fetchQuery({ ...first, staleTime: 0 }).catch(() => {})
    expect(shown).toEqual(['later'])
  })
})
