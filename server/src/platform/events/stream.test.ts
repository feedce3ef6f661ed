import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type EventStream, openStream } from './stream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A response whose reader takes nothing until told. */
class Response extends EventEmitter {
  text = ''
  writableLength = 0
  writableEnded = false
  destroyed = false
  reading = true
  write(chunk: string) {
    this.text += chunk
    if (!this.reading) this.writableLength += chunk.length
    return this.reading
  }
  read() {
    this.reading = true
    this.writableLength = 0
    this.emit('drain')
  }
  end() {
    this.writableEnded = true
    this.emit('close')
  }
  destroy() {
    this.destroyed = true
    this.emit('close')
  }
  events() {
    return [...this.text.matchAll(/event: (\w+)/g)].map((match) => match[1])
  }
}
function open(): { response: Response; stream: EventStream } {
  const response = new Response()
  return { response, stream: openStream(response as unknown as ServerResponse, { startId: 10 }) }
}

test('the first change goes out at once, the following ones every quarter second', () => {
  const { response, stream } = open()
  stream.change(11, { relation: 'checks', ids: ['a'] })
  vi.advanceTimersByTime(1)
  expect(response.events()).toEqual(['change'])
  for (let n = 0; n < 100; n++) {
    stream.change(12 + n, { relation: 'checks', ids: [`b${n}`] })
    vi.advanceTimersByTime(10)
  }
  expect(response.events().length).toBeLessThanOrEqual(5)
  vi.advanceTimersByTime(300)
  expect(response.text).toContain('id: 111')
})

test('a heartbeat every 15 seconds carries the newest number, seen or not', () => {
  const { response, stream } = open()
  stream.skip(40)
  vi.advanceTimersByTime(15_000)
  expect(response.text).toContain('event: beat\nid: 40\ndata: {}\n\n')
  expect(response.events()).toEqual(['beat'])
})

test('a reader that does not read costs little and is told to read everything again', () => {
  const { response, stream } = open()
  response.reading = false
  const ids = Array.from({ length: 150 }, (_, n) => `${'x'.repeat(200)}${n}`)
  for (let n = 0; n < 40; n++) {
    stream.change(100 + n, { relation: 'checks', ids })
    vi.advanceTimersByTime(250)
  }
  expect(response.writableLength).toBeLessThan(200_000)
  expect(response.events()).not.toContain('refetch')
  response.read()
  expect(response.events().at(-1)).toBe('refetch')
  stream.change(999, { relation: 'checks', ids: ['z'] })
  vi.advanceTimersByTime(250)
  expect(response.events().at(-1)).toBe('change')
})

test('nothing is written after the reader left, and its timers are gone', () => {
  const { response, stream } = open()
  let left = 0
  stream.onClose(() => left++)
  stream.change(11, { relation: 'checks', ids: [] })
  response.destroy()
  const before = response.text
  stream.change(12, { relation: 'checks', ids: [] })
  stream.refetch()
  vi.advanceTimersByTime(60_000)
  expect(response.text).toBe(before)
  expect(left).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})
