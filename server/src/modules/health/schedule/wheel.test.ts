import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TimerWheel } from './wheel.ts'

test('everything is handed out once, when due, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 5000 }))), (sets) => {
      const wheel = new TimerWheel()
      const expected = new Map<string, number>()
      for (const [id, at] of sets) {
        wheel.set(String(id), at)
        expected.set(String(id), at)
      }
      const seen: { id: string; at: number }[] = []
      for (let now = 0; now <= 5050; now += 37) {
        for (const due of wheel.take(now)) {
          expect(due.at).toBeLessThanOrEqual(now)
          expect(due.at).toBeGreaterThan(now - 37 - 1)
          seen.push(due)
        }
      }
      expect(new Map(seen.map(({ id, at }) => [id, at]))).toEqual(expected)
      expect(seen.length).toBe(expected.size)
      expect(wheel.size).toBe(0)
    }),
  )
})

test('a removed entry never comes, a moved one comes once', () => {
  const wheel = new TimerWheel()
  wheel.set('a', 100)
  wheel.set('b', 100)
  wheel.delete('a')
  wheel.set('b', 900)
  expect(wheel.take(500)).toEqual([])
  expect(wheel.take(1000)).toEqual([{ id: 'b', at: 900 }])
})

test('a jump of a day costs no walk over every step', () => {
  const wheel = new TimerWheel()
  for (let i = 0; i < 1000; i++) wheel.set(String(i), i)
  expect(wheel.take(86_400_000).length).toBe(1000)
})
