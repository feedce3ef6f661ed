import { describe, expect, test, vi } from 'vitest'
import { WindowCounts } from './window-counts.ts'

describe('counts over windows that move', () => {
  const hour = 3_600_000
  const round = (hours: number) => Math.round(hours * 1000) / 1000
  const at = (hours: number) => new Date(hours * hour)

  /** Counts events by hour, slowly where the window is long. */
  function events(hours: number[]) {
    const asked: [number, number][] = []
    const count = async (from: Date, to: Date) => {
      asked.push([round(from.getTime() / hour), round(to.getTime() / hour)])
      if (to.getTime() - from.getTime() > 10 * hour) await new Promise((resolve) => setTimeout(resolve, 60))
      return new Map([['', hours.filter((when) => when * hour >= +from && when * hour < +to).length]])
    }
    return { hours, asked, count }
  }

  test('the old part is counted once, the new part and what left every time', async () => {
    const source = events([10, 20, 95, 99])
    const counts = new WindowCounts()
    const ask = async (now: number) =>
      (await counts.count('k', { from: at(now - 95), to: at(now) }, at(now), source.count)).get('')
    expect(await ask(100)).toBe(4)
    expect(source.asked).toEqual([
      [5, 98],
      [98, 100],
    ])
    source.asked.length = 0
    source.hours.push(100.01)
    expect(await ask(100.05)).toBe(5)
    expect(source.asked).toEqual([
      [98, 100.05],
      [5, 5.05],
    ])
  })

  test('is right again within minutes when something old goes, and after an hour at once', async () => {
    const source = events([10, 20, 30])
    const counts = new WindowCounts()
    const ask = async (now: number) =>
      (await counts.count('k', { from: at(0), to: at(now) }, at(now), source.count)).get('')
    expect(await ask(100)).toBe(3)
    source.hours.splice(0, 1)
    expect(await ask(100.01)).toBe(3)
    await ask(100.2)
    await vi.waitFor(async () => expect(await ask(100.2)).toBe(2))
    source.hours.splice(0, 1)
    expect(await ask(102)).toBe(1)
  })

  test('quick counts are never kept', async () => {
    const hours = [1, 2]
    const counts = new WindowCounts()
    const count = async () => new Map([['', hours.length]])
    const ask = async () => (await counts.count('k', { from: at(0), to: at(1) }, at(100), count)).get('')
    expect(await ask()).toBe(2)
    hours.pop()
    expect(await ask()).toBe(1)
  })
})
