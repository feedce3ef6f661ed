import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ChartDefinition, ChartId } from '@quarterdeck/contract/charts'
import { client } from '@/api/client.ts'
import { from } from '@/api/data-api.ts'
import type { Integration } from './integration.ts'

export interface IntegrationList {
  pageIndex: number
  pageSize: number
  search: string
  type: string
}

export const integrationKeys = {
  all: ['integrations'] as const,
  list: (list: IntegrationList) => [...integrationKeys.all, 'list', list] as const,
  chart: (id: ChartId) => [...integrationKeys.all, 'chart', id] as const,
}

/** A page of scrapers, topologies and log backends, newest first. */
export const integrationsQuery = (list: IntegrationList) =>
  queryOptions({
    queryKey: integrationKeys.list(list),
    queryFn: ({ signal }) =>
      from<Integration>('integrations_with_status')
        .order('created_at.desc')
        .select('*')
        .isNull('deleted_at')
        .when(list.search.trim(), (query, words) => query.where('name', 'ilike', `*${words}*`))
        .when(list.type, (query, type) =>
          type === 'logging_backends'
            ? query.oneOf('integration_type', [type, 'logging'])
            : query.eq('integration_type', type),
        )
        .page(list)
        .paged({ signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { relations: ['config_scrapers', 'topologies', 'logging_backends', 'job_history'], quiet: true },
  })

/** What the registry says about a chart; the server asks it. */
export const chartQuery = (id: ChartId) =>
  queryOptions({
    queryKey: integrationKeys.chart(id),
    queryFn: ({ signal }) => client('root').get<ChartDefinition>(`/v1/integrations/charts/${id}`, { signal }),
    meta: { relations: [], quiet: true },
  })
