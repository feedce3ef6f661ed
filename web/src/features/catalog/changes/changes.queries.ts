import type { ChangeVersions } from '@quarterdeck/contract/catalog'
import type { ChangesAnswer } from '@quarterdeck/contract/catalog-read'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '@/api/client.ts'
import { from } from '@/api/data-api.ts'
import { configKeys } from '@/entities/config/config.queries.ts'
import type { searchBody } from './changes.filters.ts'

/** One page of changes; the previous one stays while the next loads. */
export const changesQuery = (body: ReturnType<typeof searchBody>) =>
  queryOptions({
    queryKey: [...configKeys.all, 'changes', body],
    queryFn: async ({ signal }) => {
      const answer = await client('catalog').post<ChangesAnswer | null>('/changes', body, { signal })
      return { changes: answer?.changes ?? [], total: answer?.total ?? 0 }
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    meta: { relations: ['config_changes'], quiet: true },
  })

/** One change with all that its source said. */
export interface ChangeDetail {
  id: string
  config_id: string
  change_type: string | null
  severity: string | null
  source: string | null
  summary: string | null
  created_at: string
  first_observed: string | null
  count: number
  created_by: string | null
  external_created_by: string | null
  /** Unified diff. */
  diff: string | null
  details: unknown
  patches: unknown
  config: { id: string; name: string; type: string; config_class: string } | null
}

const columns =
  'id,config_id,change_type,severity,summary,created_at,first_observed,count,external_created_by,source,diff,details,' +
  'patches,created_by,config:configs(id,name,type,config_class)'

/** A change by its id and, where it is known, the id of its item. */
export const changeQuery = (id: string, configId?: string) =>
  queryOptions({
    queryKey: [...configKeys.all, 'change', id],
    queryFn: ({ signal }) =>
      from<ChangeDetail>('config_changes')
        .select(columns)
        .when(configId, (query, config) => query.eq('config_id', config))
        .eq('id', id)
        .first({ signal }),
    meta: { relations: ['config_changes'], quiet: true },
  })

export type { ChangeVersions }

/** The item as it was before and after a change. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...configKeys.all, 'change-versions', id],
    queryFn: ({ signal }) =>
      client('root').get<ChangeVersions>(`/v1/catalog/changes/${encodeURIComponent(id)}/versions`, { signal }),
    retry: false,
    meta: { relations: ['config_changes'], quiet: true },
  })
