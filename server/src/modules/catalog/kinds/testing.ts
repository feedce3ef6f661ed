import { pino } from 'pino'
import { readConfig } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import type {
  KindSpec,
  ScrapedAnalysis,
  ScrapedChange,
  ScrapedDeletion,
  ScrapedItem,
  ScrapedRelationship,
  ScrapeProblem,
  ScraperKind,
  ScrapeResult,
  ScrapeRun,
} from './kind.ts'

/** A context as tests of kinds need it; no kind may touch the database. */
export const kindContext = (changes: Partial<Context> = {}): Context =>
  ({
    config: readConfig({}),
    log: pino({ level: 'silent' }),
    clock: { now: () => new Date() },
    ...changes,
  }) as Context

export interface TestRun extends ScrapeRun {
  secrets: Set<string>
  /** What the kind remembers for its next run. */
  kept: { value: unknown }
}

export function aRun(changes: Partial<ScrapeRun> = {}, kept: { value: unknown } = { value: undefined }): TestRun {
  const secrets = new Set<string>()
  const ctx = changes.ctx ?? kindContext()
  return {
    ctx,
    signal: AbortSignal.timeout(60_000),
    timeout: 30_000,
    secret: (text) => secrets.add(text),
    scraperId: '0190a5f0-0000-7000-8000-000000000001',
    name: 'default/test',
    namespace: 'default',
    log: ctx.log,
    startedAt: ctx.clock.now(),
    full: false,
    state: { get: async <T>() => kept.value as T | undefined, set: (value) => void (kept.value = value) },
    ...changes,
    secrets,
    kept,
  }
}

/** Everything a scrape gave, by what it is; `failure` is what it threw. */
export interface Collected {
  results: ScrapeResult[]
  items: ScrapedItem[]
  changes: ScrapedChange[]
  analyses: ScrapedAnalysis[]
  relationships: ScrapedRelationship[]
  deletions: ScrapedDeletion[]
  errors: ScrapeProblem[]
  failure?: Error
}

export async function scrapeAll<Spec extends KindSpec>(
  kind: ScraperKind<Spec>,
  raw: object,
  run: ScrapeRun = aRun(),
): Promise<Collected> {
  const results: ScrapeResult[] = []
  let failure: Error | undefined
  try {
    for await (const result of kind.scrape(run, kind.schema.parse(raw))) results.push(result)
  } catch (error) {
    failure = error as Error
  }
  return { ...sorted(results), failure }
}

export function sorted(results: ScrapeResult[]): Omit<Collected, 'failure'> {
  return {
    results,
    items: results.flatMap((each) => ('item' in each ? [each.item] : [])),
    changes: results.flatMap((each) => ('change' in each ? [each.change] : [])),
    analyses: results.flatMap((each) => ('analysis' in each ? [each.analysis] : [])),
    relationships: results.flatMap((each) => ('relationship' in each ? [each.relationship] : [])),
    deletions: results.flatMap((each) => ('deletion' in each ? [each.deletion] : [])),
    errors: results.flatMap((each) => ('error' in each ? [each.error] : [])),
  }
}
