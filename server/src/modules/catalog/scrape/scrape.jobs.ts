import { defaultScraperSchedule } from '@quarterdeck/contract/scrapers/scraper-spec'
import { parseDuration, scheduleProblem } from '@quarterdeck/contract/schedule'
import type { Context } from '../../../context.ts'
import { type Properties, readProperties } from '../../../platform/properties.ts'
import { balanced, defineJob, few, type Job } from '../../jobs/job.ts'
import { scheduleResources } from '../../jobs/scheduler.ts'
import { tellOfDocuments } from './documents-event.ts'
import type { Problem } from './extract.ts'
import { scrapeOnce } from './scrape.ts'
import { localScrapers, releaseItems, scraperById, type ScraperRow } from './scrapers.sql.ts'

/** One scrape of one scraper. */
export const scraperJob: Job = defineJob({
  name: 'Scraper',
  singleton: true,
  timeout: '4h',
  retention: balanced,
  resourceType: 'config_scraper',
  async run(ctx, run) {
    const scraper = run.resource && (await scraperById(ctx.db, run.resource.id))
    if (!scraper || scraper.deleted_at) return
    const { problems, leftOut, summary } = await scrapeOnce(ctx, scraper, { signal: run.signal, log: run.log })
    for (const problem of problems) run.error(wordsOf(problem))
    if (leftOut > 0) run.error(`and ${leftOut} more problems`)
    run.success(summary.items + summary.changes)
    run.details.scrape_summary = summary.types
    await tellOfDocuments(ctx.db, scraper)
  },
})

export const wordsOf = ({ item, message }: Problem): string => (item ? `${item}: ${message}` : message)

/** Keeps the schedules of scrapers in step with their rows, and lets go of what deleted ones left. */
export const scraperSync: Job = defineJob({
  name: 'ConfigScraperSync',
  schedule: '@every 10m',
  atStart: true,
  singleton: true,
  retention: few,
  async run(ctx, run) {
    const { count, problems } = await syncScrapers(ctx)
    for (const problem of problems) run.error(problem)
    run.success(count)
  },
})

const shortest = 29_000
const batch = 2000

export async function syncScrapers(ctx: Context): Promise<{ count: number; problems: string[] }> {
  const properties = await readProperties(ctx)
  // A server of the health part keeps the rows of others, and runs none of them.
  const scrapers = ctx.config.QUARTERDECK_DEPLOYMENT === 'full' ? await localScrapers(ctx.db) : []
  const problems: string[] = []
  const schedules = scrapers.map((scraper) => {
    const { schedule, problem } = scheduleOf(scraper, properties)
    if (problem) problems.push(`${scraper.name}: ${problem}`)
    return { id: scraper.id, schedule }
  })
  await scheduleResources(ctx, scraperJob, schedules)
  while ((await releaseItems(ctx.db, batch)) >= batch);
  return { count: scrapers.length, problems }
}

/** A property for this scraper, the spec's own, the default; never more often than a source bears. */
export function scheduleOf(
  { id, spec }: Pick<ScraperRow, 'id' | 'spec'>,
  properties: Properties,
): { schedule: string; problem?: string } {
  const wanted =
    properties.get(`scraper.${id}.schedule`) ??
    (typeof spec.schedule === 'string' && spec.schedule !== '' ? spec.schedule : undefined) ??
    properties.get('scrapers.default.schedule') ??
    defaultScraperSchedule
  const problem = scheduleProblem(wanted)
  if (problem) return { schedule: defaultScraperSchedule, problem: `schedule "${wanted}": ${problem}` }
  const every = /^@every\s+(.+)$/.exec(wanted.trim())?.[1]
  const ms = every === undefined ? undefined : parseDuration(every)
  if (ms === undefined) return { schedule: wanted }
  const least = Math.max(
    shortest,
    ...Object.keys(spec).map((kind) => parseDuration(properties.get(`scraper.${kind}.schedule.min`) ?? '') ?? 0),
  )
  return { schedule: ms < least ? `@every ${Math.ceil(least / 1000)}s` : wanted }
}

export const scrapeJobs: readonly Job[] = [scraperJob, scraperSync]
