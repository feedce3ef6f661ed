import { createHash, randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Context } from '../../../context.ts'
import { readProperties } from '../../../platform/properties.ts'
import type { Scrubber } from '../../../platform/resolve/scrubber.ts'
import { defineJob, failedOnly } from '../../jobs/job.ts'
import { endLease, leaseMs, renewLease, takeLease } from '../../jobs/leases.sql.ts'
import { runJob } from '../../jobs/run-job.ts'
import { Ingest } from '../ingest/ingest.ts'
import type { ScrapeResult, ScrapeRun } from '../kinds/kind.ts'
import { newScrubber, takeIn } from './collect.ts'
import { tellOfDocuments } from './documents-event.ts'
import { planScraper, type Source } from './plan.ts'
import { wordsOf } from './scrape.jobs.ts'
import { runOf, stateOf } from './scrape.ts'
import { localScrapers, type ScraperRow } from './scrapers.sql.ts'

const flushEveryMs = 5000
const mostWaiting = 20_000
const pauseMs = { first: 1000, longest: 60_000 }
const leaseName = 'CatalogWatch'

/** Listens to the sources that can tell what happens, each in one process at a time, and stores what they tell. */
export class Watches {
  private readonly running = new Map<string, Watch>()

  constructor(
    private readonly ctx: Context,
    private readonly workerId: string,
    private readonly log: Logger,
  ) {}

  /** Starts, restarts and stops watches so that they fit the scrapers there are. */
  async sync(): Promise<void> {
    const wanted = new Map<string, { scraper: ScraperRow; sources: Source[]; full: boolean; hash: string }>()
    const isFull = this.ctx.config.QUARTERDECK_DEPLOYMENT === 'full'
    for (const scraper of isFull ? await localScrapers(this.ctx.db) : []) {
      const { sources, full } = planScraper(scraper.spec)
      const watched = sources.filter(({ kind }) => kind.watch)
      const hash = createHash('sha256').update(JSON.stringify(scraper.spec)).digest('hex')
      if (watched.length > 0) wanted.set(scraper.id, { scraper, sources: watched, full, hash })
    }
    for (const [id, watch] of this.running) {
      if (wanted.get(id)?.hash === watch.hash && !watch.isOver) continue
      this.running.delete(id)
      await watch.stop()
    }
    for (const [id, { scraper, sources, full, hash }] of wanted) {
      if (this.running.has(id)) continue
      const leaseId = randomUUID()
      const lease = { id: leaseId, job: leaseName, resourceId: id, workerId: this.workerId, singleton: true }
      if (!(await takeLease(this.ctx.db, lease))) continue
      const log = this.log.child({ scraper: scraper.name })
      this.running.set(id, new Watch(this.ctx, scraper, sources, { hash, leaseId, full, log }))
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map((watch) => watch.stop()))
    this.running.clear()
  }
}

interface Heard {
  source: Source
  run: ScrapeRun
  scrubber: Scrubber
  result: ScrapeResult
}

/** The watched sources of one scraper. */
class Watch {
  readonly hash: string
  isOver = false
  private readonly stopping = new AbortController()
  private waiting: Heard[] = []
  private readonly listening: Promise<void>[]
  private readonly flusher: NodeJS.Timeout
  private readonly renewal: NodeJS.Timeout
  private storing = Promise.resolve()

  constructor(
    private readonly ctx: Context,
    private readonly scraper: ScraperRow,
    sources: readonly Source[],
    private readonly options: { hash: string; leaseId: string; full: boolean; log: Logger },
  ) {
    this.hash = options.hash
    this.listening = sources.map((source) => this.listen(source))
    this.flusher = setInterval(() => void this.flush(), flushEveryMs)
    this.renewal = setInterval(() => void this.renew(), leaseMs / 4)
  }

  async stop(): Promise<void> {
    this.isOver = true
    clearInterval(this.flusher)
    clearInterval(this.renewal)
    this.stopping.abort(new Error('the watch ends'))
    await Promise.allSettled(this.listening)
    await this.flush()
    await endLease(this.ctx.db, this.options.leaseId).catch(() => undefined)
  }

  private async renew(): Promise<void> {
    const held = await renewLease(this.ctx.db, this.options.leaseId).catch(() => true)
    if (held || this.isOver) return
    // Another worker listens now; the next look at the scrapers tidies this one away.
    this.isOver = true
    this.stopping.abort(new Error('another worker took this watch over'))
  }

  private async listen(source: Source): Promise<void> {
    const { signal } = this.stopping
    const { log, full } = this.options
    let pause = pauseMs.first
    while (!signal.aborted) {
      const scrubber = newScrubber()
      const { state, save } = stateOf(this.ctx, this.scraper.id, `${source.place} watch`)
      const run = runOf(this.ctx, this.scraper, {
        signal,
        log,
        startedAt: this.ctx.clock.now(),
        full,
        state,
        secret: (text) => scrubber.add(text),
      })
      const began = performance.now()
      try {
        const stream = source.kind.watch?.(run, source.spec)
        if (!stream) return
        for await (const result of stream) {
          this.waiting.push({ source, run, scrubber, result })
          if (this.waiting.length >= mostWaiting) await this.flush()
          if (signal.aborted) break
        }
        await save()
      } catch (error) {
        if (signal.aborted) return
        const problem = { message: `watching failed: ${scrubber.error(error)}`, item: source.place, partial: false }
        this.waiting.push({ source, run, scrubber, result: { error: problem } })
      }
      // One that held for a while may come back at once; one that fails again and again waits longer and longer.
      pause = performance.now() - began > pauseMs.longest ? pauseMs.first : Math.min(pauseMs.longest, pause * 2)
      await delay(pause, signal)
    }
  }

  private flush(): Promise<void> {
    this.storing = this.storing
      .then(() => this.store())
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'what a watch told could not be stored'))
    return this.storing
  }

  private async store(): Promise<void> {
    const heard = this.waiting
    if (heard.length === 0) return
    this.waiting = []
    const job = defineJob({
      name: 'ConsumeKubernetesWatchResources',
      resourceType: 'config_scraper',
      retention: failedOnly,
      run: async (ctx, run) => {
        const startedAt = ctx.clock.now()
        const properties = await readProperties(ctx)
        const ingest = new Ingest(ctx, { scraperId: this.scraper.id, startedAt, properties, repeatable: true })
        for (const { source, run: heardIn, scrubber, result } of heard)
          await takeIn(source, result, heardIn, scrubber, ingest)
        await ingest.finish({ complete: false })
        for (const problem of ingest.problems) run.error(wordsOf(problem))
        run.success(ingest.summary.items + ingest.summary.changes)
        run.details.scrape_summary = ingest.summary.types
        await tellOfDocuments(ctx.db, this.scraper)
      },
    })
    await runJob(this.ctx, job, { resource: { id: this.scraper.id, type: 'config_scraper' } })
  }
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
