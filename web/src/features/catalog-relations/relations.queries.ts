import { triStateList } from '@quarterdeck/contract/tri-state'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { from, rpc } from '@/api/data-api.ts'
import { edgeKey } from './neighbourhood.ts'
import type { RelatedConfig } from './related-config.ts'
import { type RelationFilters, typeFilterOf } from './relations.filters.ts'

/** How far the server follows relationships. */
export const maxDepth = 10
/** No answer has more rows than this. */
export const answerLimit = 2000

type Walk = Pick<RelationFilters, 'outgoing' | 'incoming' | 'soft'>
export type RelatedList = Walk & Pick<RelationFilters, 'hideDeleted' | 'configTypes' | 'status' | 'health'>

const keys = {
  related: (id: string, list: RelatedList) => ['catalog', 'related', id, list] as const,
  root: (id: string) => ['catalog', 'related-root', id] as const,
  edges: (id: string, walk: Walk) => ['catalog', 'related-edges', id, walk] as const,
  details: (ids: readonly string[]) => ['catalog', 'related-details', ids] as const,
}
const relations = ['config_relationships', 'config_items'] as const

/** The relation argument of each direction that is walked. */
function relationArguments({ outgoing, incoming, soft }: Walk) {
  const type_filter = typeFilterOf({ outgoing, incoming })
  const relation = soft ? 'both' : 'hard'
  return {
    type_filter,
    incoming_relation: type_filter === 'outgoing' ? undefined : relation,
    outgoing_relation: type_filter === 'incoming' ? undefined : relation,
  }
}

export const relatedRequest = (configId: string, list: RelatedList) =>
  rpc<RelatedConfig>('related_configs_recursive', {
    config_id: configId,
    include_deleted_configs: !list.hideDeleted,
    max_depth: maxDepth,
    ...relationArguments(list),
  })
    .triState('type', triStateList(list.configTypes))
    .triState('status', triStateList(list.status))
    .triState('health', triStateList(list.health))

export const relatedQuery = (configId: string, list: RelatedList) =>
  queryOptions({
    queryKey: keys.related(configId, list),
    queryFn: ({ signal }) => relatedRequest(configId, list).rows({ signal }),
    placeholderData: keepPreviousData,
    meta: { relations, quiet: true },
  })

/** The item in the middle; filters may leave it out of its own neighbourhood. */
export const rootQuery = (configId: string) =>
  queryOptions({
    queryKey: keys.root(configId),
    queryFn: async ({ signal }): Promise<RelatedConfig | null> => {
      const row = await from<Omit<RelatedConfig, 'related_ids'>>('configs')
        .eq('id', configId)
        .select(
          'id,name,type,tags,labels,changes,analysis,cost_total_30d,created_at,updated_at,deleted_at,health,status',
        )
        .first({ signal })
      return row && { ...row, related_ids: null }
    },
    meta: { relations: ['config_items'], ids: [configId], quiet: true },
  })

interface EdgeRow {
  id: string
  related_id: string
  relation_type: string | null
}

/** The kinds of relationship of every edge around an item, by `edgeKey`. */
export const edgesQuery = (configId: string, walk: Walk) =>
  queryOptions({
    queryKey: keys.edges(configId, walk),
    queryFn: async ({ signal }): Promise<Record<string, string[]>> => {
      const request = rpc<EdgeRow>('config_relationships_recursive', {
        config_id: configId,
        max_depth: maxDepth,
        ...relationArguments(walk),
      }).select('id,related_id,relation_type')
      const found: Record<string, string[]> = {}
      for (let offset = 0; ; offset += answerLimit) {
        const rows = await request.limit(answerLimit).param('offset', offset).rows({ signal })
        for (const { id, related_id: target, relation_type: kind } of rows) {
          const kinds = (found[edgeKey(id, target)] ??= [])
          if (kind && !kinds.includes(kind)) kinds.push(kind)
        }
        if (rows.length < answerLimit) return found
      }
    },
    placeholderData: keepPreviousData,
    meta: { relations: ['config_relationships'], quiet: true },
  })

type Details = Pick<RelatedConfig, 'id' | 'labels' | 'deleted_at'>
const chunk = 200

/** Labels and deletion of items, which the walk does not tell. */
export const detailsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: keys.details(ids),
    queryFn: async ({ signal }): Promise<Details[]> => {
      const parts = Array.from({ length: Math.ceil(ids.length / chunk) }, (_, i) =>
        ids.slice(i * chunk, (i + 1) * chunk),
      )
      const read = await Promise.all(
        parts.map((part) => from<Details>('configs').oneOf('id', part).select('id,labels,deleted_at').rows({ signal })),
      )
      return read.flat()
    },
    placeholderData: keepPreviousData,
    meta: { relations: ['config_items'], quiet: true },
  })

export const typesQuery = queryOptions({
  queryKey: ['catalog', 'related-types'],
  queryFn: ({ signal }) => from<{ type: string }>('config_types').rows({ signal }),
  meta: { relations: [] },
})

export const statusesQuery = queryOptions({
  queryKey: ['catalog', 'related-statuses'],
  queryFn: ({ signal }) => from<{ status: string }>('config_statuses').rows({ signal }),
  meta: { relations: [] },
})
