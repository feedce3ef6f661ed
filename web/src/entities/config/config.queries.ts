import { queryOptions } from '@tanstack/react-query'
import { from } from '@/api/data-api.ts'
import type { ConfigDetail } from './config.ts'

export const configKeys = {
  all: ['catalog'] as const,
  detail: (id: string) => [...configKeys.all, 'detail', id] as const,
  options: (what: string) => [...configKeys.all, 'options', what] as const,
}

/** One item with its document and counts; null when there is none. */
export const configDetailQuery = (id: string) =>
  queryOptions({
    queryKey: configKeys.detail(id),
    queryFn: ({ signal }) =>
      from<ConfigDetail>('config_detail').select('*,config_scrapers(id,name)').eq('id', id).first({ signal }),
    meta: {
      relations: [
        'config_items',
        'config_changes',
        'config_analysis',
        'config_relationships',
        'check_config_relationships',
      ],
      ids: [id],
      quiet: true,
    },
  })

interface Pair {
  key: string
  value: string
}

const optionsOf = <Row>(view: string, relation: string) =>
  queryOptions({
    queryKey: configKeys.options(view),
    queryFn: ({ signal }) => from<Row>(view).rows({ signal }),
    meta: { relations: [relation] },
  })

/** What the filters of the catalog offer. */
export const configTypesQuery = optionsOf<{ type: string }>('config_types', 'config_items')
export const configStatusesQuery = optionsOf<{ status: string }>('config_statuses', 'config_items')
export const configTagsQuery = optionsOf<Pair>('config_tags', 'config_items')
export const configLabelsQuery = optionsOf<Pair>('config_labels', 'config_items')
export const changeTypesQuery = optionsOf<{ change_type: string }>('change_types', 'config_changes')
