import type { ScrapeRunResult } from '@quarterdeck/contract/catalog'
import type { Context } from '../../../context.ts'
import { badRequest, conflict, notFound } from '../../../platform/errors.ts'
import { runJob } from '../../jobs/run-job.ts'
import { localAgent } from '../ingest/items.sql.ts'
import { scraperJob } from './scrape.jobs.ts'
import { scraperById } from './scrapers.sql.ts'

/** A browser, or what stands before us, does not wait for ever; the scrape goes on. */
const patienceMs = 50_000

/** Runs a scraper now and answers with the details of the run, as its job history has them. */
export async function runScraper(ctx: Context, id: string): Promise<ScrapeRunResult> {
  const scraper = await scraperById(ctx.db, id)
  if (!scraper || scraper.deleted_at) throw notFound(`scraper (${id})`)
  if (scraper.agent_id !== localAgent) throw badRequest('This scraper runs on an agent; it cannot be run from here.')
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), patienceMs)))
  const running = runJob(ctx, scraperJob, { resource: { id, type: 'config_scraper' } })
  running.catch((error: unknown) => ctx.log.error({ err: error, scraper: id }, 'a scrape could not be recorded'))
  const outcome = await Promise.race([running, late]).finally(() => clearTimeout(timer))
  if (!outcome) return { status: 'RUNNING', success_count: 0, error_count: 0, details: {} }
  if (outcome.status === 'SKIPPED') throw conflict('This scraper is running already.')
  const { details } = (await ctx.db.maybeOne<{ details: ScrapeRunResult['details'] | null }>(
    `select details from job_history where resource_id = $1 and name = $2 order by created_at desc, id desc limit 1`,
    [id, scraperJob.name],
  )) ?? { details: null }
  return {
    status: outcome.status,
    success_count: outcome.successCount,
    error_count: outcome.errorCount,
    details: details ?? { errors: outcome.errors },
  }
}
