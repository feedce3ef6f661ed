import type { Sql } from '../../db/db.ts'
import type { HostFunctions } from '../expressions.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Relations followed for each type of the path. */
const depth = 5
const mostSteps = 10
const mostFound = 1_000

/** The items of one type that lead to these, or that these lead to. */
const step = `
  select distinct item.id from unnest($1::uuid[]) as start (id)
  cross join lateral related_config_ids_recursive(start.id, $2, ${depth}) as related
  join config_items as item on item.id = related.id
  where item.type = $3 and item.deleted_at is null and item.id <> all($1::uuid[])
  limit ${mostFound}`

const records = `
  select id, agent_id, icon, scraper_id, config_class, status, health, ready, external_id, type, name, description, config,
         source, labels, tags, properties, parent_id, path, created_at, updated_at
  from config_items where id = any($1::uuid[]) order by name, id`

/** `catalog.traverse(id, "Type/Type", direction)`: follows relations from an item along the types, incoming unless told otherwise. */
export async function traverseCatalog(
  sql: Sql,
  id: unknown,
  path: unknown,
  direction: unknown = 'incoming',
): Promise<unknown[]> {
  if (typeof id !== 'string' || !uuid.test(id)) throw new Error('an id of a catalog item is expected first')
  if (typeof path !== 'string')
    throw new Error('types such as "Kubernetes::Node/Kubernetes::Cluster" are expected second')
  const way = direction === null || direction === '' ? 'incoming' : direction
  if (way !== 'incoming' && way !== 'outgoing') throw new Error('the direction is incoming or outgoing')
  const types = path
    .split('/')
    .map((type) => type.trim())
    .filter(Boolean)
  if (types.length > mostSteps) throw new Error(`no more than ${mostSteps} types can be followed`)
  let ids = [id]
  for (const type of types) {
    const found = await sql.query<{ id: string }>(step, [ids, way, type])
    ids = found.map((row) => row.id)
    if (ids.length === 0) return []
  }
  return types.length === 0 ? [] : sql.query(records, [ids])
}

/** For expressions that may look around in the catalog. */
export const catalogHost = (sql: Sql): HostFunctions => {
  const traverse = (id: unknown, path: unknown, direction?: unknown) => traverseCatalog(sql, id, path, direction)
  return { 'catalog.traverse': traverse, catalog_traverse: traverse }
}
