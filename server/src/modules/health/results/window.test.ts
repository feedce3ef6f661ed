import { describe, expect, test } from 'vitest'
import { percentile, ResultWindow, windowMs } from './window.ts'

const now = Date.parse('2026-01-01T12:00:00Z')

describe('the last hour of a check', () => {
  test('nothing ran: nothing is known', () => {
    expect(new ResultWindow().stats(now)).toBeUndefined()
  })

  test('counts and percentiles cover the hour only', () => {
    const window = new ResultWindow()
    window.add(now - windowMs - 1000, 9999, false)
    for (let i = 60; i > 0; i--) window.add(now - i * 50_000, i, i % 10 !== 0)
    expect(window.stats(now)).toMatchObject({
      passed: 54,
      failed: 6,
      p50: 30,
      p95: 57,
      p99: 60,
      lastFail: now - 500_000,
    })
  })

  test('an hour without runs shows the newest result alone', () => {
    const window = new ResultWindow()
    window.add(now - 5 * windowMs, 100, false)
    window.add(now - 3 * windowMs, 20, true)
    expect(window.stats(now)).toMatchObject({ passed: 1, failed: 0, p99: 20, lastFail: now - 5 * windowMs })
  })

  test('a check that runs every second keeps its counts though samples are bounded', () => {
    const window = new ResultWindow()
    for (let i = 3000; i > 0; i--) window.add(now - i * 1000, 5, true)
    expect(window.stats(now)).toMatchObject({ passed: 3000, failed: 0 })
  })
})

test('percentiles are values that occurred', () => {
  expect(percentile([10, 20, 30, 40], 0.5)).toBe(20)
  expect(percentile([10], 0.99)).toBe(10)
  expect(percentile([], 0.99)).toBe(0)
})
