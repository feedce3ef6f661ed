import type { Sql } from '../../../platform/db/db.ts'
import type { CatalogItem } from './catalog-item.ts'
import { type Known, knownByExternalId, knownById } from './items.sql.ts'

/**
 * What is stored of each item. Found by row id, else by type and any of its ids in the source; then the item takes over
 * the id of that row. An alias is only good within its scraper: two clusters both have a namespace `default`.
 */
export async function matchItems(
  sql: Sql,
  items: readonly CatalogItem[],
  scraperId?: string | null,
): Promise<Map<string, Known>> {
  const found = new Map(
    (
      await knownById(
        sql,
        items.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  )
  const missing = items.filter(({ id }) => !found.has(id))
  if (missing.length === 0) return found
  const rows = await knownByExternalId(sql, [...new Set(missing.flatMap(({ externalIds }) => externalIds))])
  if (rows.length === 0) return found
  const byId = new Map<string, (typeof rows)[number][]>()
  for (const row of rows) {
    for (const externalId of row.external_id) {
      const key = `${row.type}\0${externalId}`
      const list = byId.get(key)
      if (list) list.push(row)
      else byId.set(key, [row])
    }
  }
  const taken = new Set(found.keys())
  for (const item of missing) {
    const row = item.externalIds
      .flatMap((externalId, place) =>
        (byId.get(`${item.type}\0${externalId}`) ?? []).filter(
          ({ external_id, scraper_id }) =>
            (place === 0 && external_id[0] === externalId) || !scraper_id || scraper_id === scraperId,
        ),
      )
      // A row answers for one item only; another with the same alias is an item of its own.
      .find(({ id }) => !taken.has(id))
    if (!row) continue
    taken.add(row.id)
    item.id = row.id
    found.set(row.id, row)
  }
  return found
}

/** Nothing to write: everything is as it was, and the item is not to be brought back. */
export const isUnchanged = (item: CatalogItem, known: Known): boolean =>
  known.item_hash !== null &&
  known.item_hash.equals(item.itemHash) &&
  (known.deleted_at === null) === (item.deletedAt === null)
