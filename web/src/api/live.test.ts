import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeServer } from '@/testing/fake-server.ts'
import { client } from './client.ts'
import { ApiError } from './errors.ts'
import { isTouched, LiveUpdates, readChanges } from './live.ts'
import { forgetPosition } from './live-position.ts'

class Stream extends EventTarget {
  static all: Stream[] = []
  readonly CLOSED = 2
  readyState = 1
  readonly address: string
  constructor(address: string) {
    super()
    this.address = address
    Stream.all.push(this)
  }
  close() {
    this.readyState = 2
  }
  say(name: string, data?: unknown, lastEventId = '') {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId }))
  }
  fail(readyState = 0) {
    this.readyState = readyState
    this.dispatchEvent(new Event('error'))
  }
}
const stream = () => Stream.all.at(-1)!

let queries: QueryClient
let live: LiveUpdates
let stops: (() => void)[]
const ended = vi.fn()

/** Puts a query on screen and counts how often it is read. */
async function watch(queryKey: string[], meta?: { relations?: string[]; ids?: string[] }) {
  const queryFn = vi.fn(() => Promise.resolve(1))
  const observer = new QueryObserver(queries, { queryKey, queryFn, meta, staleTime: Number.POSITIVE_INFINITY })
  stops.push(observer.subscribe(() => {}))
  await vi.advanceTimersByTimeAsync(2000)
  queryFn.mockClear()
  return queryFn
}

beforeEach(() => {
  vi.useFakeTimers()
  forgetPosition()
  Stream.all = []
  stops = []
  ended.mockClear()
  queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  live = new LiveUpdates(queries, { open: (address) => new Stream(address) as unknown as EventSource, onEnd: ended })
  live.start()
  stream().say('open')
})
afterEach(() => {
  live.stop()
  for (const stop of stops) stop()
  queries.clear()
  vi.useRealTimers()
})

describe('live updates', () => {
  test('only queries that show what changed are read again', async () => {
    const incidents = await watch(['incidents', 'list'])
    const health = await watch(['health', 'summary'])
    const jobs = await watch(['jobs'])
    stream().say('change', { changes: [{ relation: 'comments', ids: ['1'] }] }, '7')
    await vi.advanceTimersByTimeAsync(10)
    expect([incidents, health, jobs].map((query) => query.mock.calls.length)).toEqual([1, 0, 0])
  })

  test('a query can narrow what concerns it to relations and rows', () => {
    const detail = {
      queryKey: ['incidents', 'detail', 'a'],
      meta: { relations: ['incidents', 'comments'], ids: ['a'] },
    }
    expect(isTouched(detail, { relation: 'incidents', ids: ['a', 'b'] })).toBe(true)
    expect(isTouched(detail, { relation: 'incidents', ids: [] })).toBe(true)
    expect(isTouched(detail, { relation: 'incidents', ids: ['b'] })).toBe(false)
    expect(isTouched(detail, { relation: 'evidences', ids: ['a'] })).toBe(false)
    expect(isTouched({ queryKey: ['me'], meta: undefined }, { relation: 'people', ids: [] })).toBe(false)
    expect(isTouched({ queryKey: ['jobs'], meta: undefined }, { relation: 'a_table_from_the_future', ids: [] })).toBe(
      true,
    )
  })

  test('a busy server does not make a screen read faster than it can show, and the last change is never lost', async () => {
    const health = await watch(['health'])
    for (let at = 0; at < 20; at++) {
      stream().say('change', { changes: [{ relation: 'checks', ids: [String(at)] }] })
      await vi.advanceTimersByTimeAsync(250)
    }
    const during = health.mock.calls.length
    expect(during).toBeGreaterThanOrEqual(3)
    expect(during).toBeLessThanOrEqual(4)
    await vi.advanceTimersByTimeAsync(2000)
    expect(health.mock.calls.length).toBe(during + 1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(health.mock.calls.length).toBe(during + 1)
  })

  test('what is not on screen is only marked', async () => {
    await queries.fetchQuery({ queryKey: ['playbooks', 'list'], queryFn: () => Promise.resolve(1), staleTime: 1e9 })
    stream().say('change', { changes: [{ relation: 'playbooks', ids: [] }] })
    expect(queries.getQueryState(['playbooks', 'list'])?.isInvalidated).toBe(true)
  })

  test('missed changes make everything stale', async () => {
    const [incidents, health] = [await watch(['incidents']), await watch(['health'])]
    stream().say('refetch')
    await vi.advanceTimersByTimeAsync(10)
    expect([incidents.mock.calls.length, health.mock.calls.length]).toEqual([1, 1])
  })

  test('while the stream is down it polls, says so, and resumes where it stopped', async () => {
    const jobs = await watch(['jobs'])
    stream().say('change', { changes: [] }, '41')
    stream().fail(2)
    expect(live.state).toBe('reconnecting')
    await vi.advanceTimersByTimeAsync(2000)
    expect(stream().address).toBe('/api/events?lastEventId=41')
    for (let at = 0; at < 4; at++) {
      stream().fail(2)
      await vi.advanceTimersByTimeAsync(40_000)
    }
    const polled = jobs.mock.calls.length
    expect(polled).toBeGreaterThanOrEqual(4)
    stream().say('open')
    expect(live.state).toBe('open')
    await vi.advanceTimersByTimeAsync(120_000)
    expect(jobs.mock.calls.length).toBe(polled)
  })

  test('what failed while the server was away is read again when it is back', async () => {
    const answers = [Promise.reject(new ApiError(0, 'away')), Promise.resolve(1)]
    const failing = vi.fn(() => answers.shift()!)
    const observer = new QueryObserver(queries, { queryKey: ['jobs'], queryFn: failing })
    const gone = new QueryObserver(queries, {
      queryKey: ['jobs', 'none'],
      queryFn: vi.fn(() => Promise.reject(new ApiError(404, 'no such job'))),
    })
    stops.push(
      observer.subscribe(() => {}),
      gone.subscribe(() => {}),
    )
    stream().fail()
    await vi.advanceTimersByTimeAsync(10)
    expect(observer.getCurrentResult().status).toBe('error')
    stream().say('open')
    await vi.advanceTimersByTimeAsync(10)
    expect(observer.getCurrentResult().data).toBe(1)
    expect(gone.getCurrentResult().errorUpdateCount).toBe(1)
  })

  test('a stream that fell silent is opened anew where it stopped; one that never beat is left alone', async () => {
    await vi.advanceTimersByTimeAsync(300_000)
    expect(Stream.all).toHaveLength(1)
    stream().say('beat', {}, '50')
    for (let at = 0; at < 10; at++) {
      await vi.advanceTimersByTimeAsync(15_000)
      stream().say('beat', {}, '51')
    }
    expect(Stream.all).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(Stream.all).toHaveLength(2)
    expect(Stream.all[0]!.readyState).toBe(2)
    expect(stream().address).toBe('/api/events?lastEventId=51')
    stream().say('open')
    expect(live.state).toBe('open')
    await vi.advanceTimersByTimeAsync(300_000)
    expect(Stream.all).toHaveLength(2)
  })

  test('a network that is back, or a tab that is seen, does not wait for the next try', async () => {
    for (let at = 0; at < 5; at++) {
      stream().fail(2)
      await vi.advanceTimersByTimeAsync(40_000)
    }
    stream().fail(2)
    const before = Stream.all.length
    window.dispatchEvent(new Event('online'))
    expect(Stream.all).toHaveLength(before + 1)
    stream().fail(2)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(Stream.all).toHaveLength(before + 2)
    stream().say('open')
    window.dispatchEvent(new Event('online'))
    expect(Stream.all).toHaveLength(before + 2)
  })

  test('the stream begins where the first answers stood, so that a change between them and it is told', async () => {
    live.stop()
    const stands = (position: string) => new Response('{}', { headers: { 'x-live-position': position } })
    const server = fakeServer({
      'GET /api/auth/whoami': () => stands('12@700:702:701'),
      'GET /api/properties': () => stands('9@698:698:'),
    })
    await Promise.all([client('auth').get('/whoami'), client('root').get('/properties')])
    const health = await watch(['health', 'summary'])
    live.start()
    expect(stream().address).toBe(`/api/events?lastEventId=${encodeURIComponent('9@698:698:')}`)
    stream().say('open')
    stream().say('change', { changes: [{ relation: 'checks', ids: ['a'] }] }, '13')
    await vi.advanceTimersByTimeAsync(10)
    expect(health).toHaveBeenCalledTimes(1)
    // From then on what the stream said counts, not what later answers say.
    server.handlers['GET /api/properties'] = () => stands('20@720:720:')
    await client('root').get('/properties')
    stream().fail(2)
    await vi.advanceTimersByTimeAsync(2000)
    expect(stream().address).toBe('/api/events?lastEventId=13')
    vi.unstubAllGlobals()
  })

  test('a browser that retries by itself is left alone', async () => {
    stream().fail(0)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(Stream.all).toHaveLength(1)
  })

  test('the end of the session stops the stream and is told', async () => {
    stream().say('end')
    expect(ended).toHaveBeenCalledTimes(1)
    expect(live.state).toBe('off')
    await vi.advanceTimersByTimeAsync(120_000)
    expect(Stream.all).toHaveLength(1)
  })

  test('a hidden tab gives its connection back and catches up when it is seen again', async () => {
    const see = (state: string) => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state as DocumentVisibilityState)
      document.dispatchEvent(new Event('visibilitychange'))
    }
    const jobs = await watch(['jobs'])
    see('hidden')
    await vi.advanceTimersByTimeAsync(61_000)
    expect(stream().readyState).toBe(2)
    see('visible')
    expect(Stream.all).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(10)
    expect(jobs).toHaveBeenCalledTimes(1)
  })

  test('nonsense on the stream changes nothing', () => {
    expect(readChanges('')).toEqual([])
    expect(readChanges('{"changes":[1,{"relation":5},{"relation":"checks"}]}')).toEqual([
      { relation: 'checks', ids: [] },
    ])
  })
})
