import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { from, rpc } from '@/api/data-api.ts'
import type { Insight, InsightConfig } from '@/entities/insight/insight.ts'
import type { Sorting } from '@/lib/search-params.ts'
import { narrowed, type Narrowing, pageOf, sorted } from './component-insights.ts'

export interface InsightList extends Narrowing {
  component?: string
  configId?: string
  pageIndex: number
  pageSize: number
  sort?: Sorting
}

/** Columns the server can sort by; an address may name any. */
export const insightSorts = ['first_observed', 'last_observed'] as const

const configColumns = 'id,name,config_class,type'
const columns = `id,config_id,analysis_type,analyzer,severity,status,message,first_observed,last_observed,config:configs(${configColumns})`

export const insightKeys = {
  all: ['catalog', 'insights'] as const,
  list: (list: InsightList) => [...insightKeys.all, 'list', list] as const,
  ofComponent: (id: string) => [...insightKeys.all, 'component', id] as const,
  analyzers: () => [...insightKeys.all, 'analyzers'] as const,
  types: () => [...insightKeys.all, 'types'] as const,
}

const orderOf = (sort: Sorting | undefined) => {
  const column = insightSorts.find((known) => known === sort?.id)
  return column && sort ? (`${column}.${sort.desc ? 'desc' : 'asc'}` as const) : 'first_observed.desc'
}

/** The question behind a page of insights, of the whole catalog or of one item. */
export const insightsRequest = (list: InsightList) =>
  from<Insight>('config_analysis_items')
    .select(columns)
    .page(list)
    .when(list.status, (query, status) => query.eq('status', status))
    .when(list.type, (query, type) => query.eq('analysis_type', type))
    .when(list.severity, (query, severity) => query.eq('severity', severity.toLowerCase()))
    .when(list.analyzer, (query, analyzer) => query.eq('analyzer', analyzer))
    .when(list.configId, (query, id) => query.eq('config_id', id))
    .when(list.configType, (query, type) => query.eq('config_type', type))
    .order(orderOf(list.sort))

export const insightsQuery = (list: InsightList) =>
  queryOptions({
    queryKey: insightKeys.list(list),
    queryFn: async ({ signal, client }) => {
      if (!list.component) return insightsRequest(list).paged({ signal })
      const all = await client.fetchQuery(componentInsightsQuery(list.component))
      return pageOf(sorted(narrowed(all, list), list.sort), list)
    },
    placeholderData: keepPreviousData,
    meta: { relations: ['config_analysis', 'config_component_relationships'] },
  })

const chunk = 200
const answerLimit = 2000

/** Everything found on the items of a component, joined with those items. */
export const componentInsightsQuery = (component: string) =>
  queryOptions({
    queryKey: insightKeys.ofComponent(component),
    queryFn: async ({ signal }): Promise<Insight[]> => {
      const found: Insight[] = []
      for (;;) {
        const part = await rpc<Insight>('lookup_analysis_by_component', { id: component })
          .order('first_observed.desc', 'id.asc')
          .limit(answerLimit)
          .param('offset', found.length)
          .rows({ signal })
        found.push(...part)
        if (part.length < answerLimit) break
      }
      const configs = await configsOf([...new Set(found.map((insight) => insight.config_id))], signal)
      return found.map((insight) => ({ ...insight, config: configs.get(insight.config_id) ?? null }))
    },
    // Filters and pages work on what was read a moment ago; a live change makes it stale before that.
    staleTime: 10_000,
    meta: { relations: ['config_analysis', 'config_component_relationships'], quiet: true },
  })

async function configsOf(ids: readonly string[], signal: AbortSignal): Promise<Map<string, InsightConfig>> {
  // Addresses must not grow with the number of items.
  const parts = Array.from({ length: Math.ceil(ids.length / chunk) }, (_, i) => ids.slice(i * chunk, (i + 1) * chunk))
  const read = await Promise.all(
    parts.map((part) => from<InsightConfig>('configs').oneOf('id', part).select(configColumns).rows({ signal })),
  )
  return new Map(read.flat().map((config) => [config.id, config]))
}

export const analyzersQuery = queryOptions({
  queryKey: insightKeys.analyzers(),
  queryFn: ({ signal }) =>
    from<{ analyzer: string }>('config_analysis_analyzers').order('analyzer.asc').rows({ signal }),
  // A new analyzer is rare, a new finding is not.
  meta: { relations: [] },
})

export const configTypesQuery = queryOptions({
  queryKey: insightKeys.types(),
  queryFn: ({ signal }) => from<{ type: string }>('config_types').rows({ signal }),
  meta: { relations: [] },
})
