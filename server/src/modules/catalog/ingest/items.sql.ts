import type { Sql } from '../../../platform/db/db.ts'
import type { Json } from './canonical.ts'
import type { CatalogItem } from './catalog-item.ts'

/** Items of this server, not of an agent that pushes to it. */
export const localAgent = '00000000-0000-0000-0000-000000000000'

/** What is stored of an item, as far as it decides whether something changed. */
export interface Known {
  id: string
  type: string
  agent_id: string
  scraper_id: string | null
  source: string | null
  deleted_at: Date | null
  parent_id: string | null
  path: string | null
  item_hash: Buffer | null
  config_hash: Buffer | null
}

const known = `select i.id, i.type, i.agent_id, i.scraper_id, i.source, i.deleted_at, i.parent_id, i.path, s.item_hash, s.config_hash
  from config_items i left join config_item_states s on s.config_id = i.id`

export const knownById = (sql: Sql, ids: readonly string[]): Promise<Known[]> =>
  sql.query<Known>(`${known} where i.id = any($1::uuid[])`, [ids])

/** By any of their ids in the source; live ones first. */
export const knownByExternalId = (
  sql: Sql,
  externalIds: readonly string[],
): Promise<(Known & { external_id: string[] })[]> =>
  sql.query(
    `${known.replace('select i.id', 'select i.external_id, i.id')}
      where i.external_id && $1::text[] and i.agent_id = '${localAgent}'
      order by i.deleted_at desc nulls first, i.id`,
    [externalIds],
  )

/**
 * The rows that are about to change, kept still until the transaction ends. Their state is read by a statement of its own:
 * one that had to wait for the lock would still see what was there before.
 */
export async function lockItems(
  sql: Sql,
  ids: readonly string[],
): Promise<{ id: string; config_hash: Buffer | null; steps: number | null; last_diff: string | null }[]> {
  await sql.query('select from config_items where id = any($1::uuid[]) order by id for update', [ids])
  return sql.query(
    `select i.id, s.config_hash, s.steps, s.last_diff
       from config_items i left join config_item_states s on s.config_id = i.id where i.id = any($1::uuid[])`,
    [ids],
  )
}

/** The live ones among these scrapers. */
export const liveScrapers = (sql: Sql, ids: readonly string[]): Promise<{ id: string; name: string }[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : sql.query('select id, name from config_scrapers where id = any($1::uuid[]) and deleted_at is null', [ids])

export async function configsOf(sql: Sql, ids: readonly string[]): Promise<Map<string, Json>> {
  if (ids.length === 0) return new Map()
  const rows = await sql.query<{ id: string; config: Json }>(
    'select id, config from config_items where id = any($1::uuid[])',
    [ids],
  )
  return new Map(rows.map(({ id, config }) => [id, config]))
}

const columns = `id uuid, scraper_id uuid, config_class text, type text, name text, external_id text[], description text,
  status text, health text, ready boolean, icon text, source text, labels jsonb, tags jsonb, properties jsonb,
  cost_per_minute numeric, cost_total_1d numeric, cost_total_7d numeric, cost_total_30d numeric, created_at timestamptz,
  deleted_at timestamptz, delete_reason text, config jsonb`

const rowOf = (item: CatalogItem, scraperId: string | null, withConfig: boolean) => ({
  id: item.id,
  scraper_id: item.isShared ? null : scraperId,
  config_class: item.configClass,
  type: item.type,
  name: item.name,
  external_id: item.externalIds,
  description: item.description,
  status: item.status,
  health: item.health,
  ready: item.ready,
  icon: item.icon,
  source: item.source,
  labels: item.labels,
  tags: item.tags,
  properties: item.properties,
  cost_per_minute: item.costs?.perMinute ?? null,
  cost_total_1d: item.costs?.total1d ?? null,
  cost_total_7d: item.costs?.total7d ?? null,
  cost_total_30d: item.costs?.total30d ?? null,
  created_at: item.createdAt,
  deleted_at: item.deletedAt,
  delete_reason: item.deleteReason,
  ...(withConfig && { config: item.config }),
})

/** New items; the ids of those that somebody else stored in the same moment are missing from the answer. */
export async function insertItems(
  sql: Sql,
  items: readonly CatalogItem[],
  scraperId: string | null,
  at: Date,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `insert into config_items (id, scraper_id, config_class, type, name, external_id, description, status, health, ready,
       icon, source, labels, tags, properties, cost_per_minute, cost_total_1d, cost_total_7d, cost_total_30d, created_at,
       updated_at, deleted_at, delete_reason, config, last_scraped_time)
     select id, scraper_id, config_class, type, name, external_id, description, status, health, ready, icon, source, labels,
       tags, properties, cost_per_minute, cost_total_1d, cost_total_7d, cost_total_30d, coalesce(created_at, $2), $2,
       deleted_at, delete_reason, config, $2
     -- In one order, so that two writers of the same items wait instead of deadlocking.
     from json_to_recordset($1) as item (${columns}) order by id
     on conflict (id) do nothing returning id`,
    [JSON.stringify(items.map((item) => rowOf(item, scraperId, true))), at],
  )
  return rows.map(({ id }) => id)
}

/** Without the document unless it changed: it may be large, and naming it fires its triggers. */
export async function updateItems(
  sql: Sql,
  items: readonly CatalogItem[],
  scraperId: string | null,
  at: Date,
  { withConfig }: { withConfig: boolean },
): Promise<void> {
  if (items.length === 0) return
  await sql.run(
    `update config_items c set
       -- Whoever found an item first keeps it; one that lost its scraper gets the new one.
       scraper_id = case when item.scraper_id is null then c.scraper_id
         when exists (select from config_scrapers s where s.id = c.scraper_id and s.deleted_at is null) then c.scraper_id
         else item.scraper_id end,
       config_class = item.config_class, type = item.type, name = item.name, external_id = item.external_id,
       description = item.description, status = item.status, health = item.health, ready = item.ready, icon = item.icon,
       source = item.source, labels = item.labels, tags = item.tags, properties = item.properties,
       cost_per_minute = coalesce(item.cost_per_minute, c.cost_per_minute),
       cost_total_1d = coalesce(item.cost_total_1d, c.cost_total_1d),
       cost_total_7d = coalesce(item.cost_total_7d, c.cost_total_7d),
       cost_total_30d = coalesce(item.cost_total_30d, c.cost_total_30d),
       created_at = coalesce(item.created_at, c.created_at),
       deleted_at = item.deleted_at, delete_reason = item.delete_reason, last_scraped_time = $2
       ${withConfig ? ', config = item.config' : ''}
     from json_to_recordset($1) as item (${columns}) where c.id = item.id`,
    [JSON.stringify(items.map((item) => rowOf(item, scraperId, withConfig))), at],
  )
}

export interface StateRow {
  config_id: string
  item_hash: Buffer
  config_hash: Buffer
  steps: number
  last_diff: string | null
}

export async function writeStates(sql: Sql, states: readonly StateRow[]): Promise<void> {
  if (states.length === 0) return
  await sql.run(
    `insert into config_item_states (config_id, item_hash, config_hash, steps, last_diff)
     select * from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::integer[], $5::uuid[]) order by 1
     on conflict (config_id) do update set item_hash = excluded.item_hash, config_hash = excluded.config_hash,
       steps = excluded.steps, last_diff = excluded.last_diff`,
    [
      states.map((state) => state.config_id),
      states.map((state) => state.item_hash),
      states.map((state) => state.config_hash),
      states.map((state) => state.steps),
      states.map((state) => state.last_diff),
    ],
  )
}

export const touchItems = (sql: Sql, ids: readonly string[], at: Date): Promise<unknown> =>
  ids.length === 0 ? Promise.resolve() : sql.query('select touch_config_items($1::uuid[], $2)', [ids, at])

/** Parents and paths that differ from what is stored. */
export const writeParents = (
  sql: Sql,
  rows: readonly { id: string; parent_id: string | null; path: string | null }[],
): Promise<number> =>
  sql.run(
    `update config_items c set parent_id = item.parent_id, path = item.path
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as item (id, parent_id, path)
     where c.id = item.id and (c.parent_id, c.path) is distinct from (item.parent_id, item.path)`,
    [rows.map(({ id }) => id), rows.map(({ parent_id }) => parent_id), rows.map(({ path }) => path)],
  )

/** Items of a scraper that no scrape has seen since; soft-deleted, a batch at a time. */
export const sweepStale = (
  sql: Sql,
  scraperId: string,
  before: Date,
  at: Date,
  limit: number,
): Promise<{ id: string; type: string }[]> =>
  sql.query(
    `update config_items set deleted_at = $3, delete_reason = 'STALE'
     where deleted_at is null and id in (
       select i.id from config_items i left join config_item_scrapes s on s.config_id = i.id
        where i.scraper_id = $1 and i.deleted_at is null and i.agent_id = '${localAgent}'
          and coalesce(greatest(i.last_scraped_time, s.last_scraped_time), i.created_at) < $2 limit $4)
     returning id, type`,
    [scraperId, before, at, limit],
  )

export const markDeleted = (sql: Sql, rows: readonly { id: string; at: Date; reason: string }[]): Promise<number> =>
  rows.length === 0
    ? Promise.resolve(0)
    : sql.run(
        `update config_items c set deleted_at = gone.at, delete_reason = gone.reason
         from unnest($1::uuid[], $2::timestamptz[], $3::text[]) as gone (id, at, reason)
         where c.id = gone.id and c.deleted_at is null`,
        [rows.map(({ id }) => id), rows.map(({ at }) => at), rows.map(({ reason }) => reason)],
      )
