import type { Sql } from '../../../platform/db/db.ts'
import type { RelationSelector } from '../ingest/catalog-item.ts'
import { localAgent } from '../ingest/items.sql.ts'
import { chunks } from '../ingest/references.ts'

const perSelector = 500
const batch = 500

const conditions: Record<string, string> = {
  id: 'c.id::text = s.id',
  external_id: 'c.external_id @> array[s.external_id]',
  name: 'c.name = s.name',
  namespace: `c.tags ->> 'namespace' = s.namespace`,
  type: 'c.type = s.type',
  labels: 'c.labels @> s.labels',
}

/** Live items that each selector means, by its place in the list. Selectors that ask for the same keys are asked together. */
export async function findSelected(
  sql: Sql,
  selectors: readonly RelationSelector[],
  scraperId: string | undefined,
): Promise<Map<number, string[]>> {
  const shapes = new Map<string, { place: number; selector: RelationSelector }[]>()
  selectors.forEach((selector, place) => {
    const keys = Object.keys(conditions).filter((key) => selector[key as keyof RelationSelector])
    const scope = scopeOf(selector, scraperId)
    if (keys.length === 0 || scope === undefined) return
    const shape = `${keys.join(',')} ${scope} ${selector.agent ? 'agent' : ''}`
    const list = shapes.get(shape)
    if (list) list.push({ place, selector })
    else shapes.set(shape, [{ place, selector }])
  })
  const found = new Map<number, string[]>()
  for (const [shape, members] of shapes) {
    const [keys = '', scope = '', agent] = shape.split(' ')
    const where = keys.split(',').map((key) => conditions[key]!)
    if (scope === 'own' || scope === 'given') where.push('c.scraper_id::text = s.scope')
    where.push(
      agent === 'agent'
        ? `(s.agent = 'all' or c.agent_id in (select a.id from agents a where a.id::text = s.agent or a.name = s.agent))`
        : `c.agent_id = '${localAgent}'`,
    )
    for (const part of chunks(members, batch)) {
      const rows = await sql.query<{ place: number; id: string }>(
        `select s.place, c.id
           from json_to_recordset($1) as s (place integer, id text, external_id text, name text, namespace text, type text,
                agent text, scope text, labels jsonb)
           cross join lateral (select c.id from config_items c where c.deleted_at is null and ${where.join(' and ')} limit ${perSelector}) as c`,
        [
          JSON.stringify(
            part.map(({ place, selector }) => ({
              ...selector,
              place,
              scope: scope === 'own' ? scraperId : selector.scope,
            })),
          ),
        ],
      )
      for (const { place, id } of rows) {
        const list = found.get(place)
        if (list) list.push(id)
        else found.set(place, [id])
      }
    }
  }
  return found
}

/** `all`, one scraper, or the asking one; undefined when that is not stored yet, so has nothing. */
function scopeOf({ scope }: RelationSelector, scraperId: string | undefined): 'all' | 'given' | 'own' | undefined {
  if (scope === 'all') return 'all'
  if (scope) return 'given'
  return scraperId ? 'own' : undefined
}
