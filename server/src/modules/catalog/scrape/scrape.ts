import { parseDuration } from '@quarterdeck/contract/schedule'
import type { Logger } from 'pino'
import type { Context } from '../../../context.ts'
import { numberProperty, type Properties, readProperties } from '../../../platform/properties.ts'
import { Limiter } from '../../../platform/limiter.ts'
import { Ingest } from '../ingest/ingest.ts'
import type { ScrapeRun, ScrapeState } from '../kinds/kind.ts'
import { collect, newScrubber } from './collect.ts'
import { planScraper, type Source } from './plan.ts'
import { readState, type ScraperRow, writeState } from './scrapers.sql.ts'

const defaultStale = '24h'
const overall = 12
let limits: Properties = new Map()
const limiter = new Limiter((key) => {
  if (key === 'all') return numberProperty(limits, 'scraper.concurrency', overall)
  const [kind, usual] = key.split(' ')
  return numberProperty(limits, `scraper.${kind}.concurrency`, Number(usual))
})

/** One scrape of one scraper, start to end. What it could not do is in `problems` of the answer. */
export async function scrapeOnce(
  ctx: Context,
  scraper: ScraperRow,
  { signal, log, startedAt = ctx.clock.now() }: { signal: AbortSignal; log: Logger; startedAt?: Date },
): Promise<Ingest> {
  const properties = await readProperties(ctx)
  limits = properties
  const ingest = new Ingest(ctx, { scraperId: scraper.id, startedAt, properties })
  const plan = planScraper(scraper.spec)
  for (const message of plan.problems) ingest.problem({ message })
  const states: (() => Promise<void>)[] = []
  const release = await limiter.enter('all', signal)
  try {
    for (const source of plan.sources) {
      const scrubber = newScrubber()
      const kept = stateOf(ctx, scraper.id, source.place)
      const run = runOf(ctx, scraper, {
        signal,
        log,
        startedAt,
        full: plan.full,
        state: kept.state,
        secret: (text) => scrubber.add(text),
      })
      const leave = await limiter.enter(`${source.kind.key} ${source.kind.concurrency}`, signal)
      try {
        await collect(source, run, scrubber, ingest)
      } finally {
        leave()
      }
      states.push(kept.save)
    }
    const complete = !ingest.isPartial
    await ingest.finish({ complete, staleMs: staleMsOf(scraper.spec, properties) })
    if (complete) for (const save of states) await save()
  } finally {
    release()
  }
  return ingest
}

/** What a kind sees of a run. */
export function runOf(
  ctx: Context,
  scraper: Pick<ScraperRow, 'name'> & { id?: string },
  parts: Pick<ScrapeRun, 'signal' | 'log' | 'startedAt' | 'full' | 'state' | 'secret'>,
): ScrapeRun {
  const slash = scraper.name.indexOf('/')
  return {
    ctx,
    scraperId: scraper.id,
    name: scraper.name,
    namespace: slash > 0 ? scraper.name.slice(0, slash) : 'default',
    timeout: 30_000,
    ...parts,
  }
}

/** State of one source: read when asked for, written once the scrape is stored. */
export function stateOf(
  ctx: Context,
  scraperId: string,
  place: Source['place'],
): { state: ScrapeState; save: () => Promise<void> } {
  let changed: { value: unknown } | undefined
  return {
    state: {
      get: async <T>() => (changed ? changed.value : await readState(ctx.db, scraperId, place)) as T | undefined,
      set: (value) => void (changed = { value }),
    },
    save: async () => {
      if (changed) await writeState(ctx.db, scraperId, place, changed.value)
      changed = undefined
    },
  }
}

/** How long an item may be out of sight; undefined: for ever. */
export function staleMsOf(spec: Record<string, unknown>, properties: Properties): number | undefined {
  const retention = spec.retention as { staleItemAge?: unknown } | undefined
  const given = [retention?.staleItemAge, properties.get('config.retention.stale_item_age'), defaultStale]
  for (const text of given) {
    if (typeof text !== 'string' || text.trim() === '') continue
    if (text.trim() === 'keep') return undefined
    const ms = parseDuration(text.trim())
    if (ms !== undefined) return ms
  }
  return undefined
}
