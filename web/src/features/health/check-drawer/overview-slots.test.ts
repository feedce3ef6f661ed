import { describe, expect, test } from 'vitest'
import { durationSeries, slotsOf, stripEntries } from './overview-slots.ts'

const now = new Date('2026-11-15T10:00:30Z')
const graph = (status: object[], step?: number) =>
  ({ status, latency: {}, uptime: {}, step_seconds: step }) as Parameters<typeof slotsOf>[0]

describe('the windows of the chart', () => {
  test('cover the range, also where nothing ran', () => {
    const slots = slotsOf(graph([{ time: '2026-11-15T09:58:00Z', status: true, duration: 5 }], 60), '15m', now)
    expect(slots).toHaveLength(16)
    expect(slots.filter((slot) => slot.point)).toHaveLength(1)
    expect(slots.findIndex((slot) => slot.point)).toBe(13)
    expect(
      stripEntries(slots)
        .map((entry) => entry.health)
        .filter((health) => health !== 'unknown'),
    ).toEqual(['healthy'])
  })

  test('a year is a bar a day, however short the history', () => {
    const slots = slotsOf(graph([{ time: '2026-11-15T00:00:00Z', duration: 9, failed: 3 }], 86_400), '1y', now)
    expect(slots).toHaveLength(366)
    expect(durationSeries(slots)[1]!.values.at(-1)).toBe(9)
    expect(durationSeries(slots)[0]!.values.every((value) => value === null)).toBe(true)
  })

  test('a server that does not tell its windows is taken at the usual ones', () => {
    expect(slotsOf(graph([{ time: '2026-11-15T09:00:00Z', status: true }]), '1d', now)).toHaveLength(97)
    expect(slotsOf(graph([{ time: '2026-11-15T09:00:00Z', status: true }]), '1w', now)).toHaveLength(169)
  })

  test('windows need not begin at round times', () => {
    const slots = slotsOf(graph([{ time: '2026-11-15T09:58:17Z', status: true, duration: 5 }], 60), '15m', now)
    expect(slots.find((slot) => slot.point)?.time).toBe(Date.parse('2026-11-15T09:58:17Z'))
  })

  test('some failures are not all failures', () => {
    const slots = slotsOf(graph([{ time: '2026-11-15T10:00:00Z', duration: 5, passed: 1, failed: 1 }], 60), '15m', now)
    expect(stripEntries(slots).at(-1)).toMatchObject({ health: 'warning', text: '1 passed, 1 failed, 5ms on average' })
  })
})
