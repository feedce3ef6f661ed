import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { nextSlot, phaseOf, shardCount, shardOf, slotsBetween } from './phase.ts'

describe('slots', () => {
  test('starts are spread evenly over the interval', () => {
    const buckets = new Array<number>(60).fill(0)
    for (let i = 0; i < 6000; i++) buckets[Math.floor(phaseOf(newId(), 60_000) / 1000)]! += 1
    // 100 expected in each second; five standard deviations either way.
    expect(Math.min(...buckets)).toBeGreaterThan(50)
    expect(Math.max(...buckets)).toBeLessThan(150)
  })

  test('shards are spread evenly', () => {
    const seen = new Set<number>()
    for (let i = 0; i < 2000; i++) seen.add(shardOf(newId()))
    expect(seen.size).toBe(shardCount)
  })

  test('the next slot is after now, within one period, and on the grid', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.integer({ min: 1000, max: 86_400_000 }),
        fc.integer({ min: 0, max: 2e12 }),
        (id, period, now) => {
          const next = nextSlot(id, period, now)
          expect(next).toBeGreaterThan(now)
          expect(next - now).toBeLessThanOrEqual(period)
          expect((next - phaseOf(id, period)) % period).toBe(0)
        },
      ),
    )
  })

  test('the slots of two neighbouring spans add up', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.integer({ min: 1000, max: 1e6 }),
        fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 3, maxLength: 3 }),
        (id, period, times) => {
          const [a, b, c] = times.toSorted((x, y) => x - y) as [number, number, number]
          expect(slotsBetween(id, period, a, b) + slotsBetween(id, period, b, c)).toBe(slotsBetween(id, period, a, c))
        },
      ),
    )
  })

  test('a slot just taken is not counted as missed', () => {
    const id = newId()
    const slot = nextSlot(id, 60_000, 1_000_000)
    expect(slotsBetween(id, 60_000, slot, slot + 59_999)).toBe(0)
    expect(slotsBetween(id, 60_000, slot, slot + 60_000)).toBe(1)
  })
})
