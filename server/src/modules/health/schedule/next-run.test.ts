import { parseSchedule, type Schedule } from '@quarterdeck/contract/schedule'
import { expect, test } from 'vitest'
import { missedRuns, nextRun } from './next-run.ts'

const schedule = (text: string): Schedule => {
  const parsed = parseSchedule(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.schedule
}
const at = (text: string): number => Date.parse(text)
const runs = (text: string, from: string, to: string): string[] => {
  const found: string[] = []
  for (let next = nextRun('id', schedule(text), at(from)); next && next <= at(to);) {
    found.push(new Date(next).toISOString())
    next = nextRun('id', schedule(text), next)
  }
  return found
}

test('a day of 23 hours and one of 25 hours have one daily run each', () => {
  const night = 'TZ=Europe/Berlin 30 2 * * *'
  // 02:30 does not exist on 29 March 2026 and comes twice on 25 October.
  expect(runs(night, '2026-03-27T12:00:00Z', '2026-03-30T12:00:00Z')).toEqual([
    '2026-03-28T01:30:00.000Z',
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ])
  expect(runs(night, '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z')).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ])
})

test('the hours of a changing day are all there', () => {
  expect(runs('CRON_TZ=Europe/Berlin 0 * * * *', '2026-03-28T23:30:00Z', '2026-03-29T03:30:00Z')).toHaveLength(4)
  expect(runs('@hourly', '2026-10-24T23:30:00Z', '2026-10-25T03:30:00Z')).toHaveLength(4)
})

test('runs that passed are counted one by one, and no further than a number says anything', () => {
  expect(missedRuns('id', schedule('*/5 * * * *'), at('2026-01-01T00:00:00Z'), at('2026-01-01T01:00:00Z'))).toBe(12)
  expect(missedRuns('id', schedule('0 6 * * *'), at('2026-01-01T06:00:00Z'), at('2026-01-01T07:00:00Z'))).toBe(0)
  expect(missedRuns('id', schedule('* * * * *'), at('2025-01-01T00:00:00Z'), at('2026-01-01T00:00:00Z'))).toBe(1000)
  expect(missedRuns('id', schedule('@never'), 0, at('2026-01-01T00:00:00Z'))).toBe(0)
  expect(missedRuns('id', schedule('* * * * *'), at('2026-01-02T00:00:00Z'), at('2026-01-01T00:00:00Z'))).toBe(0)
})
