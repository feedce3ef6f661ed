import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { edgeKey, neighbourhood, withoutLoose } from './neighbourhood.ts'
import type { RelatedConfig } from './related-config.ts'
import type { RelationFilters } from './relations.filters.ts'
import { answerLimit, detailsQuery, edgesQuery, relatedQuery, rootQuery } from './relations.queries.ts'

/** The labels an item is found by: its tags count too. */
export const labelsOf = ({ tags, labels }: Pick<RelatedConfig, 'tags' | 'labels'>): Record<string, string> => ({
  ...tags,
  ...labels,
})

/** A relation that holds things together; the path of parents counts as one. */
const isHard = (kind: string) => kind === 'hard' || kind === 'parent'

/** The neighbourhood of an item as the filters want it. */
export function useRelations(
  configId: string,
  filters: RelationFilters,
  wants: { labels: boolean; relationships: boolean },
) {
  const { outgoing, incoming, soft, hideDeleted, configTypes, status, health, labels, relationship } = filters
  const walk = { outgoing, incoming, soft }
  const root = useQuery(rootQuery(configId))
  const related = useQuery(relatedQuery(configId, { ...walk, hideDeleted, configTypes, status, health }))
  const isByRelation = Object.keys(relationship).length > 0
  const edges = useQuery({
    ...edgesQuery(configId, walk),
    enabled: soft || isByRelation || wants.relationships,
  })
  const isByLabel = Object.keys(labels).length > 0
  const ids = useMemo(() => (related.data ?? []).map((row) => row.id).toSorted(), [related.data])
  const details = useQuery({
    ...detailsQuery(ids),
    enabled: ids.length > 0 && (isByLabel || !hideDeleted || wants.labels),
  })

  const rows = useMemo(() => {
    const known = new Map(details.data?.map((each) => [each.id, each]))
    const all = (related.data ?? []).map((row): RelatedConfig => ({ ...row, ...known.get(row.id) }))
    if (!isByLabel) return all
    return all.filter((row) => Object.entries(labels).every(([key, value]) => labelsOf(row)[key] === value))
  }, [related.data, details.data, labels, isByLabel])

  const kinds = edges.data
  const kindsOf = useCallback((source: string, target: string) => kinds?.[edgeKey(source, target)] ?? ['hard'], [kinds])
  const isSoft = useCallback((source: string, target: string) => !kindsOf(source, target).some(isHard), [kindsOf])

  const around = useMemo(() => {
    if (!root.data || !related.data) return undefined
    const wanted = Object.entries(relationship)
    const included = wanted.filter(([, sign]) => sign === 1).map(([kind]) => kind)
    const keepsEdge = (source: string, target: string) => {
      const have = kindsOf(source, target)
      if (included.length > 0) return have.some((kind) => included.includes(kind))
      return have.some((kind) => relationship[kind] !== -1)
    }
    const looseSide = filters.incoming && !filters.outgoing ? 'incoming' : 'outgoing'
    const found = neighbourhood(root.data, rows, isByRelation ? { keepsEdge, looseSide } : { looseSide })
    return isByRelation ? withoutLoose(found) : found
  }, [root.data, related.data, rows, relationship, isByRelation, kindsOf, filters.incoming, filters.outgoing])

  const labelOptions = useMemo(() => {
    if (!details.data) return undefined
    const pairs = new Set(
      rows.flatMap((row) => Object.entries(labelsOf(row)).map(([key, value]) => `${key}: ${value}`)),
    )
    return [...pairs].toSorted((a, b) => a.localeCompare(b))
  }, [details.data, rows])
  const relationOptions = useMemo(
    () => kinds && [...new Set(['hard', ...Object.values(kinds).flat()])].toSorted((a, b) => a.localeCompare(b)),
    [kinds],
  )

  return {
    around,
    isSoft,
    labelOptions,
    relationOptions,
    isMissing: root.data === null,
    error: related.error ?? root.error,
    isFetching: related.isFetching || details.isFetching || edges.isFetching,
    isCut: (related.data?.length ?? 0) >= answerLimit,
    refetch: () => Promise.all([root.refetch(), related.refetch()]),
  }
}
