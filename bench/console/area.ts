import type { Browser, CDPSession, Page } from 'playwright-core'
import type { Db } from '../../server/src/platform/db/db.ts'

/** One measured figure and the most it may be. */
export interface Figure {
  what: string
  value: number
  unit: 'ms' | 'elements' | 'MB' | 'kB'
  most: number
}

/** A console to measure: the built one, served by the product, in a browser of its own. */
export interface Bench {
  url: string
  db: Db
  browser: Browser
  /** Smaller numbers, to see that everything still works. */
  smoke: boolean
  /** A page signed in as administrator, with nothing cached. */
  freshPage(): Promise<{ page: Page; cdp: CDPSession; close(): Promise<void> }>
  /** Bytes of an answer as they cross a network. */
  wireBytes(path: string): Promise<number>
}

/** One area of the console: what it needs in the database, and what is measured. Add yours to the list in console.ts. */
export interface Area {
  name: string
  seed(bench: Bench): Promise<void>
  measure(bench: Bench): Promise<Figure[]>
}

/** What is used of the browser's own names; its types are not those of a program. */
interface InPage {
  document: { querySelectorAll(selector: string): { length: number } }
  seenAt?: number
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Milliseconds from the start of a navigation, with nothing cached, until something is on screen. Median of several. */
export async function timeToSee(bench: Bench, path: string, selector: string, times = 5): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < times; i++) {
    const { page, close } = await bench.freshPage()
    await page.addInitScript(`
      const look = () => {
        if (document.querySelector(${JSON.stringify(selector)})) window.seenAt = performance.now()
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)`)
    await page.goto(bench.url + path, { waitUntil: 'commit' })
    const seen = await page.waitForFunction(() => (globalThis as unknown as InPage).seenAt, undefined, {
      timeout: 60_000,
    })
    took.push(Number(await seen.jsonValue()))
    await close()
  }
  return median(took)
}

/** Milliseconds of processor time that the page's main thread took while `work` ran. */
export async function busyWhile(cdp: CDPSession, work: () => Promise<void>): Promise<number> {
  const busy = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const before = await busy()
  await work()
  return (await busy()) - before
}

export const elementsOf = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as InPage).document.querySelectorAll('*').length)

/** What the page's script holds once the garbage is gone. */
export async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage')
  return (await cdp.send('Runtime.getHeapUsage')).usedSize / 1e6
}
