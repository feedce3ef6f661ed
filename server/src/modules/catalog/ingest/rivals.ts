import type { Sql } from '../../../platform/db/db.ts'
import type { Problem } from '../scrape/extract.ts'
import { liveScrapers } from './items.sql.ts'
import type { Entry } from './write-items.ts'

/**
 * Items that another scraper keeps and found elsewhere with another document: the two change them back and forth for
 * ever, and somebody has to know. The same source read twice is no rival.
 */
export async function rivalsOf(
  sql: Sql,
  entries: readonly Entry[],
  scraperId: string | null,
): Promise<(Problem & { partial: false })[]> {
  const contested = entries.flatMap(({ item, known }) => {
    const owner = known?.scraper_id
    if (!owner || owner === scraperId || known.deleted_at || known.source === item.source) return []
    return known.config_hash && !known.config_hash.equals(item.configHash) ? [{ item, owner }] : []
  })
  const owners = await liveScrapers(sql, [...new Set(contested.map(({ owner }) => owner))])
  const names = new Map(owners.map(({ id, name }) => [id, name]))
  return contested.flatMap(({ item, owner }) => {
    const name = names.get(owner)
    if (name === undefined) return []
    const message = `the scraper ${name} finds this item too, with another document; each replaces what the other found`
    return [{ message, item: item.externalIds[0], partial: false as const }]
  })
}
