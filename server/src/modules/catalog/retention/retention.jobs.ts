import { ScraperRetention } from '@quarterdeck/contract/scrapers/scraper-spec'
import { parseDuration } from '@quarterdeck/contract/schedule'
import { balanced, defineJob, type Job } from '../../jobs/job.ts'
import { localScrapers } from '../scrape/scrapers.sql.ts'
import { type ChangeRule, dropChanges, dropSteps } from './retention.sql.ts'

const batch = 5000

/** What a scraper's own rules say about its changes. */
function rulesOf(spec: Record<string, unknown>): ChangeRule[] {
  const parsed = ScraperRetention.safeParse(spec.retention ?? {})
  if (!parsed.success) throw new Error(parsed.error.issues.map(({ message }) => message).join('; '))
  return (parsed.data.changes ?? []).map(({ name, age, count }) => ({
    name,
    ageMs: age === undefined ? null : (parseDuration(age) ?? null),
    count: count ?? null,
  }))
}

export const changeRetention: Job = defineJob({
  name: 'Process Change Retention Rules',
  schedule: '@every 1h',
  atStart: true,
  singleton: true,
  retention: balanced,
  resourceType: 'configs',
  async run(ctx, run) {
    for (const scraper of await localScrapers(ctx.db)) {
      try {
        for (const rule of rulesOf(scraper.spec)) {
          for (let gone = batch; gone >= batch && !run.signal.aborted;) {
            gone = await dropChanges(ctx.db, scraper.id, rule, batch)
            run.success(gone)
          }
        }
      } catch (error) {
        run.error(`${scraper.name}: ${(error as Error).message}`)
      }
    }
  },
})

/** Ours: the way back to versions whose changes are gone. */
export const versionRetention: Job = defineJob({
  name: 'CleanupConfigVersions',
  schedule: '@every 6h',
  singleton: true,
  retention: balanced,
  resourceType: 'configs',
  async run(ctx, run) {
    for (let gone = 1; gone > 0 && !run.signal.aborted;) {
      gone = await dropSteps(ctx.db, batch)
      run.success(gone)
    }
  },
})

export const catalogRetentionJobs: readonly Job[] = [changeRetention, versionRetention]
