import { triStateList } from '@quarterdeck/contract/tri-state'
import { queryOptions } from '@tanstack/react-query'
import { type DataQuery, from, where } from '@/api/data-api.ts'
import type { ConfigItem } from '@/entities/config/config.ts'
import { configKeys } from '@/entities/config/config.queries.ts'
import type { Sorting } from '@/lib/search-params.ts'
import type { CatalogFilters } from '../catalog.filters.ts'
import { type TagGroup, tagSelectorGroups } from './tag-groups.ts'

type ListFilters = Pick<CatalogFilters, 'configType' | 'labels' | 'search' | 'status' | 'health' | 'tags'>

/** The filters of the page that narrow the list. */
export const listFilters = ({ configType, labels, search, status, health, tags }: CatalogFilters): ListFilters => ({
  configType,
  labels,
  search,
  status,
  health,
  tags,
})

/** What the list is about: filters, order, and whether deleted items are in it. */
export interface ConfigList {
  filters: ListFilters
  sort: Sorting | undefined
  withDeleted: boolean
}

const columns =
  'id,type,config_class,status,health,labels,name,tags,created_at,updated_at,deleted_at,cost_per_minute,' +
  'cost_total_1d,cost_total_7d,cost_total_30d,changes,analysis,agent:agents(id,name)'

/** Rows asked for at once. */
export const pageSize = 500

/** Columns the server can sort by. */
const sortable = new Set([
  'name',
  'type',
  'health',
  'status',
  'cost_total_1d',
  'created_at',
  'updated_at',
  'deleted_at',
])

const json = (key: string, value: string) => JSON.stringify({ [key]: value })
// Quoted as a whole: inside `or` a comma or bracket would end the value.
const contains = (column: string, key: string, value: string) =>
  `${column}.cs."${json(key, value).replaceAll(/["\\]/g, '\\$&')}"`

function narrowed<Row>(
  query: DataQuery<Row>,
  { filters, withDeleted }: Pick<ConfigList, 'filters' | 'withDeleted'>,
): DataQuery<Row> {
  let narrow = query
    .when(filters.configType, (q, type) => q.eq('type', type))
    .triState('status', triStateList(filters.status))
    .triState('health', triStateList(filters.health))
    .when(filters.search.trim(), (q, text) =>
      q.anyOf(...['name', 'type', 'description', 'namespace'].map((column) => where.contains(column, text))),
    )
  // A summary by tags leads here by labels, so a pair may be either.
  for (const [key, value] of Object.entries(filters.labels))
    narrow = narrow.anyOf(contains('labels', key, value), contains('tags', key, value))
  for (const group of tagSelectorGroups(filters.tags)) narrow = withTags(narrow, group)
  return withDeleted ? narrow : narrow.isNull('deleted_at')
}

function withTags<Row>(query: DataQuery<Row>, { key, values, sign }: TagGroup): DataQuery<Row> {
  if (sign === 1) return query.anyOf(...values.map((value) => contains('tags', key, value)))
  // Without tags there is nothing to leave out.
  return values.reduce((q, value) => q.anyOf(where.isNull('tags'), contains('tags.not', key, value)), query)
}

/** Deleted items stand last however the list is sorted; the id keeps pages apart where everything else is equal. */
export function orderOf(sort: Sorting | undefined, withDeleted: boolean) {
  const way = sort?.desc ? 'desc' : 'asc'
  const chosen = sort && sortable.has(sort.id) ? sort.id : 'type'
  return [
    ...(withDeleted ? [`deleted_at.${chosen === 'deleted_at' ? way : 'desc'}.nullsfirst` as const] : []),
    ...(chosen === 'deleted_at' && withDeleted ? [] : [`${chosen}.${way}${nullsOf(chosen)}` as const]),
    ...(chosen === 'name' ? [] : (['name.asc'] as const)),
    'id.asc' as const,
  ]
}

const neverNull = new Set(['type', 'name', 'created_at'])
const nullsOf = (column: string) => (neverNull.has(column) ? '' : '.nullslast') as '' | '.nullslast'

const paged = <Row>(query: DataQuery<Row>, list: ConfigList, pageIndex: number) =>
  narrowed(query, list)
    .order(...orderOf(list.sort, list.withDeleted))
    .page({ pageIndex, pageSize })

const readPage = (list: ConfigList, pageIndex: number, signal: AbortSignal) =>
  paged(from<ConfigItem>('configs').select(columns), list, pageIndex).rows({ signal })

/** From this page on the rows before it cost more than the page itself. */
const deepFrom = 4

/** A page far down: first which items, which is cheap to count through, then these items whole. */
async function readDeep(list: ConfigList, pageIndex: number, signal: AbortSignal): Promise<ConfigItem[]> {
  const ids = await paged(from<{ id: string }>('configs').select('id'), list, pageIndex).rows({ signal })
  if (ids.length === 0) return []
  const rows = await Promise.all(
    chunks(
      ids.map(({ id }) => id),
      250,
    ).map((part) => from<ConfigItem>('configs').select(columns).oneOf('id', part).limit(part.length).rows({ signal })),
  )
  const byId = new Map(rows.flat().map((row) => [row.id, row]))
  return ids.flatMap(({ id }) => byId.get(id) ?? [])
}

// An address has a longest length, which 500 ids in one would come near to.
const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

const shared = { relations: ['config_items', 'config_changes', 'config_analysis'] } as const

/** How many items there are. */
export const configCountQuery = (list: Pick<ConfigList, 'filters' | 'withDeleted'>) =>
  queryOptions({
    queryKey: [...configKeys.all, 'count', list.filters, list.withDeleted],
    queryFn: async ({ signal }) => {
      const { totalEntries, data } = await narrowed(from<{ id: string }>('configs').select('id'), list)
        .limit(1)
        .paged({ signal })
      return totalEntries ?? data.length
    },
    staleTime: 300_000,
    gcTime: 0,
    meta: { relations: ['config_items'], quiet: true },
  })

/** One page of items. Kept while the list is on screen, gone when it is left. */
export const configPageQuery = (list: ConfigList, pageIndex: number) =>
  queryOptions({
    queryKey: [...configKeys.all, 'list', list, pageIndex],
    queryFn: ({ signal }) =>
      pageIndex < deepFrom ? readPage(list, pageIndex, signal) : readDeep(list, pageIndex, signal),
    staleTime: 300_000,
    gcTime: 0,
    meta: { ...shared, quiet: true },
  })
