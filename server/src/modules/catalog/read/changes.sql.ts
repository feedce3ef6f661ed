import type { CatalogChange, Recursion } from '@quarterdeck/contract/catalog-read'
import type { Sql } from '../../../platform/db/db.ts'
import { type Param, parameters } from './conditions.ts'

/** Which changes are meant; conditions are over `c` (the change) and `i` (its item). */
export interface ChangeFilter {
  /** One item, with those around it. */
  around?: { id: string; recursive: Recursion; depth: number }
  includeDeleted: boolean
  change(param: Param): string[]
  item(param: Param): string[]
}

/** What a page is ordered by, by its name in a request. */
export const orderOf: Record<string, string> = {
  name: 'i.name',
  type: 'i.type',
  change_type: 'c.change_type',
  severity: `array_position(array['critical', 'high', 'medium', 'low', 'info'], lower(c.severity))`,
  summary: 'c.summary',
  source: 'c.source',
  created_at: 'c.created_at',
  first_observed: 'c.first_observed',
  count: 'c.count',
}

// Where nothing can be missing the plain order is the one the index has.
const nullable = new Set(['name', 'change_type', 'severity', 'summary', 'source'])

const directions = { upstream: 'incoming', downstream: 'outgoing', all: 'all' } as const

/** Conditions on the change alone: its time, whose it is, and what it is. */
function onChange(filter: ChangeFilter, from: Date, to: Date, param: Param): string[] {
  const conditions = [`c.created_at >= ${param(from)}`, `c.created_at < ${param(to)}`]
  if (filter.around) {
    const { id, recursive, depth } = filter.around
    const self = `${param(id)}::uuid`
    conditions.push(
      recursive === 'none'
        ? `c.config_id = ${self}`
        : // As one array the ids are looked up in the index on (config_id, created_at). The item itself is always in.
          `c.config_id = any(array(
             select ${self}
             union
             select related.id from related_config_ids_recursive(${self}, ${param(directions[recursive])}, ${param(depth)}::int) as related
             ${filter.includeDeleted ? '' : 'where not exists (select from config_items gone where gone.id = related.id and gone.deleted_at is not null)'}
           ))`,
    )
  }
  return [...conditions, ...filter.change(param)]
}

const hidesDeleted = (filter: ChangeFilter) => !filter.includeDeleted && !filter.around

export async function countChanges(sql: Sql, filter: ChangeFilter, from: Date, to: Date): Promise<number> {
  const { values, param } = parameters()
  const conditions = onChange(filter, from, to, param)
  const item = filter.item(param)
  if (item.length > 0) {
    if (hidesDeleted(filter)) item.push('i.deleted_at is null')
    conditions.push(`exists (select from config_items i where i.id = c.config_id and ${item.join(' and ')})`)
  } else if (hidesDeleted(filter)) {
    // Few items are deleted: leaving theirs out costs less than looking every change's item up.
    conditions.push('not exists (select from config_items i where i.id = c.config_id and i.deleted_at is not null)')
  }
  const { count } = await sql.one<{ count: number }>(
    `select count(*)::int as count from config_changes c where ${conditions.join(' and ')}`,
    values,
  )
  return count
}

export interface Page {
  from: Date
  to: Date
  order: { column: string; desc: boolean }
  limit: number
  offset: number
}

const columns = `c.id, c.config_id, i.name, i.type, i.tags, i.agent_id, c.change_type, c.severity, c.source, c.summary,
  c.created_by, c.external_created_by, c.external_change_id, c.created_at, c.first_observed, c.count`

/** By the wanted column, then by id, so that pages do not overlap. */
function orderBy({ order }: Page, place: string, id: string): string {
  const way = order.desc ? 'desc' : 'asc'
  return `order by ${place} ${way}${nullable.has(order.column) ? ' nulls last' : ''}, ${id} ${way}`
}

export async function pageOfChanges(sql: Sql, filter: ChangeFilter, page: Page): Promise<CatalogChange[]> {
  const { values, param } = parameters()
  const conditions = [...onChange(filter, page.from, page.to, param), ...filter.item(param)]
  if (hidesDeleted(filter)) conditions.push('i.deleted_at is null')
  return sql.query<CatalogChange>(
    `select ${columns}
     from config_changes c
     join config_items i on i.id = c.config_id
     where ${conditions.join(' and ')}
     ${orderBy(page, orderOf[page.order.column]!, 'c.id')}
     limit ${param(page.limit)}::int offset ${param(page.offset)}::bigint`,
    values,
  )
}

/**
 * The page around one item with its total: one walk finds all of them by the index alone, and only those of the page
 * are read whole.
 */
export async function pageAround(
  sql: Sql,
  filter: ChangeFilter,
  page: Page,
): Promise<{ changes: CatalogChange[]; total: number }> {
  const { values, param } = parameters()
  const conditions = onChange(filter, page.from, page.to, param)
  const item = filter.item(param)
  const place = orderOf[page.order.column]!
  const needsItem = item.length > 0 || place.startsWith('i.')
  const rows = await sql.query<CatalogChange & { total: number }>(
    `with found as materialized (
       select c.id, ${place} as place from config_changes c ${needsItem ? 'join config_items i on i.id = c.config_id' : ''}
       where ${[...conditions, ...item].join(' and ')}
     ), chosen as (
       select id, place from found ${orderBy(page, 'place', 'id')}
       limit ${param(page.limit)}::int offset ${param(page.offset)}::bigint
     )
     select ${columns}, (select count(*) from found)::int as total
     from chosen
     join config_changes c on c.id = chosen.id
     join config_items i on i.id = c.config_id
     ${orderBy(page, 'chosen.place', 'chosen.id')}`,
    values,
  )
  if (rows.length === 0 && page.offset > 0)
    return { changes: [], total: await countChanges(sql, filter, page.from, page.to) }
  return { changes: rows.map(({ total: _, ...change }) => change), total: rows[0]?.total ?? 0 }
}
