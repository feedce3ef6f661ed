import type { SummaryRow } from '@quarterdeck/contract/catalog-read'
import { tagSelector, triStateList } from '@quarterdeck/contract/tri-state'
import { queryOptions } from '@tanstack/react-query'
import { client } from '@/api/client.ts'
import { configKeys } from '@/entities/config/config.queries.ts'
import { type CatalogFilters, tagOf } from './catalog.filters.ts'

type SummaryFilters = Pick<CatalogFilters, 'groupBy' | 'status' | 'health' | 'tags'>

/** The body of the summary call. Provider groups are made here, so only type and tags are sent. */
export function summaryBody(filters: SummaryFilters, withDeleted: boolean) {
  const groupBy = filters.groupBy.filter((group) => group !== 'config_class').map((group) => tagOf(group) ?? group)
  return {
    groupBy: groupBy.length > 0 ? groupBy : ['type'],
    deleted: withDeleted,
    health: triStateList(filters.health) || undefined,
    status: triStateList(filters.status) || undefined,
    tag_selector: tagSelector(filters.tags) || undefined,
    changes: { since: '30d' },
    analysis: { since: '30d' },
    cost: '30d',
  }
}

/** Groups of the catalog with their figures. */
export const summaryQuery = (filters: SummaryFilters, withDeleted: boolean) => {
  const body = summaryBody(filters, withDeleted)
  return queryOptions({
    queryKey: [...configKeys.all, 'summary', body],
    queryFn: async ({ signal }) =>
      (await client('catalog').post<SummaryRow[] | null>('/summary', body, { signal })) ?? [],
    staleTime: 300_000,
    meta: { relations: ['config_items', 'config_changes', 'config_analysis'], quiet: true },
  })
}
