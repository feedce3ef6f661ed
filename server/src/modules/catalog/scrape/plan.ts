import { ScraperSpec } from '@quarterdeck/contract/scrapers/scraper-spec'
import { scraperKinds } from '../kinds/index.ts'
import type { KindSpec, ScraperKind } from '../kinds/kind.ts'
import { checkRules } from './rules.ts'

/** One source of a scraper, ready to be run. */
export interface Source {
  kind: ScraperKind
  spec: KindSpec
  /** `kubernetes[0]`: what problems are filed under, and what its state is kept by. */
  place: string
}

export interface ScraperPlan {
  sources: Source[]
  problems: string[]
  full: boolean
}

const runners = new Map(scraperKinds.map((kind) => [kind.key, kind]))

/** What a spec asks for. A source that is wrong is said and left out; the others run. */
export function planScraper(raw: Record<string, unknown>): ScraperPlan {
  const plan: ScraperPlan = { sources: [], problems: [], full: raw.full === true }
  const frame = ScraperSpec.safeParse(Object.fromEntries(Object.entries(raw).filter(([key]) => !runners.has(key))))
  if (!frame.success)
    plan.problems.push(...frame.error.issues.map(({ path, message }) => `${path.join('.') || 'spec'}: ${message}`))
  for (const [key, value] of Object.entries(raw)) {
    if (!Array.isArray(value)) continue
    const kind = runners.get(key)
    if (!kind) {
      if (value.length > 0) plan.problems.push(`${key} is kept, but not run by this server`)
      continue
    }
    value.forEach((given: unknown, index) => {
      const place = `${key}[${index}]`
      const parsed = kind.schema.safeParse(given)
      if (!parsed.success) {
        plan.problems.push(
          ...parsed.error.issues.map((issue) => `${[place, ...issue.path].join('.')}: ${issue.message}`),
        )
        return
      }
      try {
        checkRules(parsed.data)
        plan.sources.push({ kind, spec: parsed.data, place })
      } catch (error) {
        plan.problems.push(`${place}: ${(error as Error).message}`)
      }
    })
  }
  if (plan.sources.length === 0 && plan.problems.length === 0) plan.problems.push('the spec names nothing to scrape')
  return plan
}
