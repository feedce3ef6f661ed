import type { CostWindow } from '@quarterdeck/contract/catalog-read'
import type { Sql } from '../../../platform/db/db.ts'
import { type Param, parameters } from './conditions.ts'
import type { Counts } from './window-counts.ts'

/** Which items are counted and how they are grouped. Words of a request are parameters, never text. */
export interface Grouping {
  /** Expressions over `i`, one per group key. */
  keys(param: Param): string[]
  /** Conditions over `i`. */
  where(param: Param): string[]
}

export interface ItemGroup {
  keys: (string | null)[]
  health: string | null
  count: number
  created_at: Date | null
  updated_at: Date | null
  cost: number | null
}

const columns = (keys: readonly string[]) => keys.map((key, index) => `${key} as k${index}`).join(', ')
const places = (keys: readonly string[]) => keys.map((_, index) => index + 1).join(', ')
const all = (conditions: readonly string[]) => (conditions.length > 0 ? conditions.join(' and ') : 'true')
const keysOf = (row: Record<string, unknown>, count: number) =>
  Array.from({ length: count }, (_, index) => row[`k${index}`] as string | null)
/** Keys of a group as one text; null and '' are different groups. */
export const groupId = (keys: readonly (string | null)[]): string => JSON.stringify(keys)

/**
 * Changes whenever a row of the catalog does: every write leaves a line among the live changes. Both figures, because
 * the number of a line is drawn before its transaction commits, so the newest alone would miss a late one.
 */
export async function markOfCatalog(sql: Sql): Promise<string> {
  const { mark } = await sql.one<{ mark: string }>(
    `select count(*) || ':' || coalesce(sum(id), 0) as mark from live_changes
     where relation in ('config_items', 'config_changes', 'config_analysis')`,
  )
  return mark
}

/** Items by group and health, in the order of the groups. */
export async function itemsByGroup(sql: Sql, grouping: Grouping, cost: CostWindow | undefined): Promise<ItemGroup[]> {
  const { values, param } = parameters()
  const keys = grouping.keys(param)
  const where = all(grouping.where(param))
  const rows = await sql.query<Record<string, unknown>>(
    `select ${columns(keys)}, i.health, count(*)::int as count, max(i.created_at) as created_at,
       max(i.updated_at) as updated_at, ${cost ? `sum(i.cost_total_${cost})::float8` : 'null::float8'} as cost
     from config_items i
     where ${where}
     group by ${places(keys)}, i.health
     order by ${places(keys)}, i.health`,
    values,
  )
  return rows.map((row) => ({ ...row, keys: keysOf(row, keys.length) }) as unknown as ItemGroup)
}

/** How many changes the items of each group had. First per item: that needs no look at the item for every change. */
export async function changesByGroup(sql: Sql, grouping: Grouping, from: Date, to: Date): Promise<Counts> {
  const { values, param } = parameters()
  const window = `c.created_at >= ${param(from)} and c.created_at < ${param(to)}`
  const keys = grouping.keys(param)
  const where = all(grouping.where(param))
  const rows = await sql.query<Record<string, unknown> & { count: number }>(
    `select ${columns(keys)}, sum(changed.count)::int as count
     from (select c.config_id, count(*) as count from config_changes c where ${window} group by c.config_id) as changed
     join config_items i on i.id = changed.config_id
     where ${where}
     group by ${places(keys)}`,
    values,
  )
  return new Map(rows.map((row) => [groupId(keysOf(row, keys.length)), row.count]))
}

/** Findings of each group by type, of whatever status, that were seen since. */
export async function findingsByGroup(
  sql: Sql,
  grouping: Grouping,
  since: Date,
): Promise<Map<string, Record<string, number>>> {
  const { values, param } = parameters()
  const seen = `a.last_observed >= ${param(since)}`
  const keys = grouping.keys(param)
  const where = all(grouping.where(param))
  const rows = await sql.query<Record<string, unknown> & { analysis_type: string; count: number }>(
    `select ${columns(keys)}, coalesce(nullif(a.analysis_type, ''), 'other') as analysis_type, count(*)::int as count
     from config_analysis a
     join config_items i on i.id = a.config_id
     where ${seen} and ${where}
     group by ${places([...keys, ''])}`,
    values,
  )
  const found = new Map<string, Record<string, number>>()
  for (const row of rows) {
    const id = groupId(keysOf(row, keys.length))
    const group = found.get(id) ?? {}
    group[row.analysis_type] = row.count
    found.set(id, group)
  }
  return found
}
