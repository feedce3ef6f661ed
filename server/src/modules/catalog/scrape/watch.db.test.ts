import { CustomScraper } from '@quarterdeck/contract/scrapers/custom'
import { expect, test, vi } from 'vitest'
import { testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import type { ScraperKind, ScrapeResult } from '../kinds/kind.ts'
import { aScraper } from '../testing.ts'

/** What a source tells, until somebody hangs up. */
class Line implements AsyncIterable<ScrapeResult> {
  runs = 0
  fail: Error | undefined
  private readonly queue: ScrapeResult[] = []

  push(result: ScrapeResult): void {
    this.queue.push(result)
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<ScrapeResult> {
    while (!stopped()) {
      while (this.queue.length > 0) yield this.queue.shift()!
      const { fail } = this
      this.fail = undefined
      if (fail) throw fail
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
const told = new Line()
let signal: AbortSignal | undefined
const stopped = () => signal?.aborted ?? false

vi.mock('../kinds/index.ts', () => {
  const telling: ScraperKind<CustomScraper> = {
    key: 'custom',
    schema: CustomScraper,
    concurrency: 1,
    async *scrape() {
      yield* []
    },
    watch(run) {
      signal = run.signal
      told.runs += 1
      return told
    },
  }
  return { scraperKinds: [telling] }
})

const { Watches } = await import('./watch.ts')
const db = await testDatabase()
const ctx = testContext(db)

test('what a source tells is stored within seconds, by one process, and a broken watch begins anew', async () => {
  const scraper = await aScraper(db, { custom: [{ type: 'T::T', id: '$.id', config: {} }] })
  const watches = new Watches(ctx, 'worker-1', ctx.log)
  const others = new Watches(ctx, 'worker-2', ctx.log)
  await watches.sync()
  await others.sync()
  await vi.waitFor(() => expect(told.runs).toBe(1))
  told.push({ item: { config: { id: 'a', n: 1 } } })
  told.push({ item: { config: { id: 'a', n: 2 } } })
  told.push({ item: { config: { id: 'b' } } })
  told.push({ change: { item: { externalId: 'a', type: 'T::T' }, changeType: 'Started', externalChangeId: 'e' } })
  await vi.waitFor(
    async () =>
      expect(await db.query('select config from config_items order by name')).toEqual([
        { config: { id: 'a', n: 2 } },
        { config: { id: 'b' } },
      ]),
    { timeout: 15_000, interval: 200 },
  )
  await vi.waitFor(async () =>
    expect(await db.query(`select 1 from config_changes where change_type = 'Started'`)).toHaveLength(1),
  )
  told.fail = new Error('the line went dead')
  told.push({ deletion: { item: { externalId: 'b', type: 'T::T' }, reason: 'FROM_ATTRIBUTE' } })
  await vi.waitFor(
    async () => {
      expect(await db.query('select name from config_items where deleted_at is not null')).toEqual([{ name: 'b' }])
      expect(told.runs).toBe(2)
    },
    { timeout: 20_000, interval: 200 },
  )
  await watches.stop()
  const failures = await db.query<{ details: { errors: string[] } }>(
    `select details from job_history where resource_id = $1 and error_count > 0`,
    [scraper.id],
  )
  expect(failures.flatMap(({ details }) => details.errors)).toEqual(['custom[0]: watching failed: the line went dead'])
  await others.sync()
  await vi.waitFor(() => expect(told.runs).toBe(3))
  await others.stop()
}, 60_000)
