import { setTimeout as sleep } from 'node:timers/promises'
import type { ScrapeRunResult } from '@quarterdeck/contract/catalog'
import type { Context } from '../../../context.ts'
import { badRequest, notFound } from '../../../platform/errors.ts'
import { jobId } from '../../jobs/job.ts'
import { runJob } from '../../jobs/run-job.ts'
import { localAgent } from '../ingest/items.sql.ts'
import { scraperJob } from './scrape.jobs.ts'
import { isRunning, newestRun, scraperById } from './scrapers.sql.ts'

/** A browser, or what stands before us, does not wait for ever; the scrape goes on. */
const patienceMs = 50_000
const lookEveryMs = 300

/**
 * Runs a scraper now and answers with the details of the run, as its job history has them. One that is running already
 * is waited for instead: what it finds is as fresh.
 */
export async function runScraper(ctx: Context, id: string): Promise<ScrapeRunResult> {
  const scraper = await scraperById(ctx.db, id)
  if (!scraper || scraper.deleted_at) throw notFound(`scraper (${id})`)
  if (scraper.agent_id !== localAgent) throw badRequest('This scraper runs on an agent; it cannot be run from here.')
  const until = performance.now() + patienceMs
  if (!(await isRunning(ctx.db, jobId(scraperJob), id))) {
    const running = runJob(ctx, scraperJob, { resource: { id, type: 'config_scraper' } })
    running.catch((error: unknown) => ctx.log.error({ err: error, scraper: id }, 'a scrape could not be recorded'))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), patienceMs)))
    const outcome = await Promise.race([running, late]).finally(() => clearTimeout(timer))
    if (outcome && outcome.status !== 'SKIPPED') return answer(ctx, id)
  }
  while (performance.now() < until && (await isRunning(ctx.db, jobId(scraperJob), id))) await sleep(lookEveryMs)
  return answer(ctx, id)
}

async function answer(ctx: Context, id: string): Promise<ScrapeRunResult> {
  const run = await newestRun(ctx.db, scraperJob.name, id)
  if (!run) return { status: 'RUNNING', success_count: 0, error_count: 0, details: {} }
  return { ...run, details: run.details ?? {} }
}
