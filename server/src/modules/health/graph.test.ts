import { describe, expect, test } from 'vitest'
import { graphWindow, parseStart } from './graph.ts'

const now = new Date('2026-03-31T10:00:00Z')

describe('the start of a graph', () => {
  test.each([
    ['15m', '2026-03-31T09:45:00.000Z'],
    ['2d', '2026-03-29T10:00:00.000Z'],
    ['1w', '2026-03-24T10:00:00.000Z'],
    ['2024-08-29T10:00:00Z', '2024-08-29T10:00:00.000Z'],
  ])('%s', (text, expected) => {
    expect(parseStart(text, now, 'start').toISOString()).toBe(expected)
  })
  test('[TIME-02] months go back by the calendar and never skip one', () => {
    expect(parseStart('1mo', now, 'start').toISOString()).toBe('2026-02-28T10:00:00.000Z')
    expect(parseStart('1y', now, 'start').toISOString()).toBe('2025-03-31T10:00:00.000Z')
  })
  test('nonsense is a 400 that says what is meant', () => {
    expect(() => parseStart('yesterday-ish', now, 'start')).toThrow('start is invalid: "yesterday-ish"')
  })
})

test('a point covers what the wire says, and long ranges are read from roll-ups', () => {
  const hour = 3_600_000
  expect(graphWindow(hour)).toEqual({ source: 'runs', stepMs: 60_000 })
  expect(graphWindow(6 * hour)).toEqual({ source: 'runs', stepMs: 900_000 })
  expect(graphWindow(72 * hour)).toEqual({ source: 'hours', stepMs: hour })
  expect(graphWindow(30 * 24 * hour)).toEqual({ source: 'hours', stepMs: 4 * hour })
  expect(graphWindow(365 * 24 * hour)).toEqual({ source: 'days', stepMs: 24 * hour })
})
