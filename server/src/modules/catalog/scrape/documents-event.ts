import type { Sql } from '../../../platform/db/db.ts'
import type { ScraperRow } from './scrapers.sql.ts'

/** Told after a cluster was read: documents of this product may be among its objects. Properties: id of the scraper. */
export const documentsEvent = 'scraper.documents'

/** Whoever turns documents into rows sits above the catalog, so it is told by an event. */
export async function tellOfDocuments(sql: Sql, { id, spec }: Pick<ScraperRow, 'id' | 'spec'>): Promise<void> {
  if (spec.crdSync !== true || !Array.isArray(spec.kubernetes)) return
  await sql.run(
    `insert into event_queue (name, properties) values ($1, $2)
     on conflict (name, md5(coalesce(properties::text, ''))) do update
       set created_at = now(), last_attempt = null, attempts = 0, error = null, dead_letter = false`,
    [documentsEvent, JSON.stringify({ id })],
  )
}
