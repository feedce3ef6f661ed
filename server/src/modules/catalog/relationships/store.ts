import type { Sql } from '../../../platform/db/db.ts'
import { chunks } from '../ingest/references.ts'

export interface Edge {
  from: string
  to: string
  relation: string
}

const keyOf = (edge: Edge): string => `${edge.from}${edge.to}${edge.relation}`
const selectorOf = (scraperId: string): string => `scraper:${scraperId}`
const batch = 5000

interface Stored extends Edge {
  is_live: boolean
}

/**
 * Makes the relationships of a scraper agree with those it found. What it no longer finds goes only after a complete
 * scrape; `hard` ones follow the parents and are not touched here.
 */
export async function storeRelationships(
  sql: Sql,
  scraperId: string,
  found: readonly Edge[],
  { sweep }: { sweep: boolean },
): Promise<{ added: number; removed: number }> {
  const wanted = new Map(
    found.filter(({ from, to, relation }) => from !== to && relation !== 'hard').map((edge) => [keyOf(edge), edge]),
  )
  if (wanted.size === 0 && !sweep) return { added: 0, removed: 0 }
  const stored = await sql.query<Stored>(
    `select config_id as from, related_id as to, coalesce(relation, '') as relation, deleted_at is null as is_live
       from config_relationships where selector_id = $1`,
    [selectorOf(scraperId)],
  )
  const known = new Map(stored.map((edge) => [keyOf(edge), edge]))
  const missing = [...wanted].filter(([key]) => !known.get(key)?.is_live).map(([, edge]) => edge)
  for (const part of chunks(missing, batch)) {
    await sql.run(
      `insert into config_relationships (config_id, related_id, relation, selector_id)
       select edge.from_id, edge.to_id, edge.relation, $4
         from unnest($1::uuid[], $2::uuid[], $3::text[]) as edge (from_id, to_id, relation)
        where exists (select from config_items c where c.id = edge.from_id)
          and exists (select from config_items c where c.id = edge.to_id)
       on conflict (related_id, config_id, relation) do update set deleted_at = null
        where config_relationships.deleted_at is not null`,
      [
        part.map(({ from }) => from),
        part.map(({ to }) => to),
        part.map(({ relation }) => relation),
        selectorOf(scraperId),
      ],
    )
  }
  const gone = sweep ? stored.filter((edge) => edge.is_live && !wanted.has(keyOf(edge))) : []
  for (const part of chunks(gone, batch)) {
    await sql.run(
      `update config_relationships r set deleted_at = now()
         from unnest($1::uuid[], $2::uuid[], $3::text[]) as edge (from_id, to_id, relation)
        where r.config_id = edge.from_id and r.related_id = edge.to_id and coalesce(r.relation, '') = edge.relation
          and r.selector_id = $4 and r.deleted_at is null`,
      [
        part.map(({ from }) => from),
        part.map(({ to }) => to),
        part.map(({ relation }) => relation),
        selectorOf(scraperId),
      ],
    )
  }
  return { added: missing.length, removed: gone.length }
}
