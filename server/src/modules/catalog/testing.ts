import { pino } from 'pino'
import type { Context } from '../../context.ts'
import type { Sql } from '../../platform/db/db.ts'
import { readProperties } from '../../platform/properties.ts'
import { finishItem } from './ingest/catalog-item.ts'
import { Ingest } from './ingest/ingest.ts'
import { scrapeOnce } from './scrape/scrape.ts'
import { scraperById, type ScraperRow } from './scrape/scrapers.sql.ts'

/** A stored scraper with this spec. */
export async function aScraper(sql: Sql, spec: object, name = 'default/test'): Promise<ScraperRow> {
  const { id } = await sql.one<{ id: string }>(
    `insert into config_scrapers (name, spec, source) values ($1, $2, 'UI') returning id`,
    [name, JSON.stringify(spec)],
  )
  return (await scraperById(sql, id))!
}

/** Scrapes once and gives what the scrape said of itself. */
export const scrape = (ctx: Context, scraper: ScraperRow): Promise<Ingest> =>
  scrapeOnce(ctx, scraper, { signal: new AbortController().signal, log: pino({ level: 'silent' }) })

export const setSpec = async (sql: Sql, scraper: ScraperRow, spec: object): Promise<ScraperRow> => {
  await sql.run('update config_scrapers set spec = $2 where id = $1', [scraper.id, JSON.stringify(spec)])
  return (await scraperById(sql, scraper.id))!
}

/** A custom source: these documents are what there is. */
export const customSpec = (config: unknown, more: object = {}, spec: object = {}): object => ({
  custom: [{ type: 'Test::Thing', id: '$.id', name: '$.name', ...more, config }],
  ...spec,
})

/** Takes items in without a scrape around it. */
export async function ingestOf(ctx: Context, scraperId: string | null): Promise<Ingest> {
  return new Ingest(ctx, { scraperId, startedAt: ctx.clock.now(), properties: await readProperties(ctx) })
}

export const anItem = (id: string, config: unknown, more: object = {}) =>
  finishItem({ type: 'Test::Thing', externalIds: [id], name: id, config, ...more }, () => undefined)
