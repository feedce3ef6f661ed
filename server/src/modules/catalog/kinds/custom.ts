import { CustomScraper } from '@quarterdeck/contract/scrapers/custom'
import type { ScraperKind } from './kind.ts'

/** Documents written into the spec itself: what nobody can be asked for, such as contracts or racks. */
export const custom: ScraperKind<CustomScraper> = {
  key: 'custom',
  schema: CustomScraper,
  concurrency: 10,
  async *scrape(run, spec) {
    yield { item: { config: spec.config, source: run.name } }
  },
}
