import { describe, expect, test, vi } from 'vitest'
import { sharedRuns } from './shared-runs.ts'
import { WindowCounts } from './window-counts.ts'

describe('runs shared by many readers', () => {
  test('who comes while one runs waits for the next, together with all others', async () => {
    const ends: (() => void)[] = []
    let started = 0
    const ask = sharedRuns<number>()
    const run = () => {
      const number = ++started
      return new Promise<number>((resolve) => ends.push(() => resolve(number)))
    }
    const first = ask('a', run)
    const others = [ask('a', run), ask('a', run), ask('a', run)]
    expect(started).toBe(1)
    ends[0]!()
    expect(await first).toBe(1)
    await vi.waitFor(() => expect(started).toBe(2))
    ends[1]!()
    expect(await Promise.all(others)).toEqual([2, 2, 2])
    const last = ask('a', run)
    await vi.waitFor(() => expect(started).toBe(3))
    ends[2]!()
    expect(await last).toBe(3)
  })

  test('a failure is told to those who waited for it, and the next run starts all the same', async () => {
    const ask = sharedRuns<string>()
    const failing = ask('a', () => Promise.reject(new Error('no')))
    const next = ask('a', () => Promise.resolve('yes'))
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })

  test('different questions run side by side', async () => {
    const ask = sharedRuns<string>()
    expect(await Promise.all([ask('a', async () => 'a'), ask('b', async () => 'b')])).toEqual(['a', 'b'])
  })
})

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
