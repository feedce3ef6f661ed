import { Scrubber } from '../../../platform/resolve/scrubber.ts'
import type { CatalogItem } from '../ingest/catalog-item.ts'
import type { ChangeRules } from '../ingest/judge-change.ts'
import type {
  ScrapedAnalysis,
  ScrapedChange,
  ScrapedDeletion,
  ScrapedRelationship,
  ScrapeResult,
  ScrapeRun,
} from '../kinds/kind.ts'
import { extract, type Problem } from './extract.ts'
import type { Source } from './plan.ts'

/** Takes in what a scrape finds: the ingest, or the list that a try shows. */
export interface ScrapeSink {
  add(item: CatalogItem, rules?: ChangeRules): Promise<void>
  change(change: ScrapedChange, rules?: ChangeRules): void
  analysis(analysis: ScrapedAnalysis): void
  relationship(relationship: ScrapedRelationship): void
  deletion(deletion: ScrapedDeletion): void
  problem(problem: Problem): void
}

/** Runs one source to its end. Never throws for what the source does wrong: that is a problem, and what came before it counts. */
export async function collect(source: Source, run: ScrapeRun, scrubber: Scrubber, sink: ScrapeSink): Promise<void> {
  try {
    for await (const result of source.kind.scrape(run, source.spec)) {
      run.signal.throwIfAborted()
      await takeIn(source, result, run, scrubber, sink)
    }
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason
    sink.problem({ message: scrubber.error(error), item: source.place })
  }
}

/** One result on its way into the catalog: extracted, and without the secrets of the run. */
export async function takeIn(
  source: Source,
  given: ScrapeResult,
  run: Pick<ScrapeRun, 'full'>,
  scrubber: Scrubber,
  sink: ScrapeSink,
): Promise<void> {
  const result = scrubber.isEmpty ? given : scrubber.value(given)
  const rules = source.spec.transform?.changes
  if ('item' in result) {
    for await (const extracted of extract(result.item, source.spec, { full: run.full })) {
      if ('item' in extracted) await sink.add(extracted.item, rules)
      else sink.problem(extracted.error)
    }
  } else if ('change' in result) sink.change(result.change, rules)
  else if ('analysis' in result) sink.analysis(result.analysis)
  else if ('relationship' in result) sink.relationship(result.relationship)
  else if ('deletion' in result) sink.deletion(result.deletion)
  else sink.problem(result.error)
}

export const newScrubber = (): Scrubber => new Scrubber()
