import type { ScrapeRunResult } from '@quarterdeck/contract/catalog'
import type { Sql } from '../../../platform/db/db.ts'
import { localAgent } from '../ingest/items.sql.ts'

export interface ScraperRow {
  id: string
  name: string
  spec: Record<string, unknown>
  deleted_at: Date | null
  agent_id: string
}

const columns = 'id, name, spec, deleted_at, agent_id'

export const scraperById = (sql: Sql, id: string): Promise<ScraperRow | undefined> =>
  sql.maybeOne<ScraperRow>(`select ${columns} from config_scrapers where id = $1`, [id])

/** Live scrapers that run on this server. */
export const localScrapers = (sql: Sql): Promise<ScraperRow[]> =>
  sql.query<ScraperRow>(
    `select ${columns} from config_scrapers where deleted_at is null and agent_id = '${localAgent}' order by id`,
  )

/**
 * What deleted scrapers leave behind: items that an evidence points at lose their scraper, all others are deleted. A
 * batch at a time; answers how many were touched.
 */
export async function releaseItems(sql: Sql, limit: number): Promise<number> {
  const kept = await sql.run(
    `update config_items c set scraper_id = null where c.id in (
       select i.id from config_items i join config_scrapers s on s.id = i.scraper_id
        where s.deleted_at is not null and i.deleted_at is null and i.agent_id = '${localAgent}'
          and exists (select from evidences e where e.config_id = i.id) limit $1)`,
    [limit],
  )
  const deleted = await sql.run(
    `update config_items c set deleted_at = now(), delete_reason = 'SCRAPER_DELETED' where c.id in (
       select i.id from config_items i join config_scrapers s on s.id = i.scraper_id
        where s.deleted_at is not null and i.deleted_at is null and i.agent_id = '${localAgent}' limit $1)`,
    [limit],
  )
  return kept + deleted
}

export const readState = async (sql: Sql, scraperId: string, key: string): Promise<unknown> =>
  (
    await sql.maybeOne<{ state: unknown }>(
      'select state from config_scraper_states where scraper_id = $1 and key = $2',
      [scraperId, key],
    )
  )?.state

export const writeState = (sql: Sql, scraperId: string, key: string, state: unknown): Promise<number> =>
  sql.run(
    `insert into config_scraper_states (scraper_id, key, state) values ($1, $2, $3)
     on conflict (scraper_id, key) do update set state = excluded.state, updated_at = now()`,
    [scraperId, key, JSON.stringify(state)],
  )

/** Whether a run of this job and resource holds a live lease, in any process. */
export const isRunning = async (sql: Sql, job: string, resourceId: string): Promise<boolean> =>
  (
    await sql.one<{ running: boolean }>(
      `select exists (select from quarterdeck_jobs.leases where job = $1 and resource_id = $2 and expires_at > now()) as running`,
      [job, resourceId],
    )
  ).running

interface Run {
  status: string
  success_count: number
  error_count: number
  details: ScrapeRunResult['details'] | null
}

/** The newest run that was one. */
export const newestRun = (sql: Sql, name: string, resourceId: string): Promise<Run | undefined> =>
  sql.maybeOne<Run>(
    `select status, success_count, error_count, details from job_history
      where resource_id = $2 and name = $1 and status <> 'SKIPPED' order by created_at desc, id desc limit 1`,
    [name, resourceId],
  )
