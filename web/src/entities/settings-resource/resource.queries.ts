import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useAccess } from '@/api/access.tsx'
import { client } from '@/api/client.ts'
import { from } from '@/api/data-api.ts'
import { EditConflict, updateOver } from '@/api/edit-conflict.ts'
import { hasStatus } from '@/api/errors.ts'
import type { Sorting } from '@/lib/search-params.ts'
import { toast } from '@/ui/toast.tsx'
import type { ResourceUse } from '../resource-uses.tsx'
import {
  keyOf,
  nameOf,
  type ResourceKind,
  type ResourceRow,
  type ResourceValues,
  type StoredResource,
} from './resource-kind.ts'

export interface ResourceList {
  search: string
  sort?: Sorting
  pageIndex: number
}
export const listPageSize = 100

export const resourceKeys = {
  all: (kind: ResourceKind) => [kind.family ?? 'resources', kind.table] as const,
  list: (kind: ResourceKind, list: ResourceList) => [...resourceKeys.all(kind), 'list', list] as const,
  detail: (kind: ResourceKind, id: string) => [...resourceKeys.all(kind), 'detail', id] as const,
  about: (kind: ResourceKind, id: string) => [...resourceKeys.all(kind), 'about', id] as const,
}

/** An address may name any column; only those of the list are sorted by. */
function orderOf(columns: readonly string[], sort: Sorting | undefined) {
  if (!sort || !columns.includes(sort.id)) return 'created_at.desc'
  const direction = sort.desc ? 'desc' : 'asc'
  return sort.id === 'created_at'
    ? (`created_at.${direction}` as const)
    : (`${sort.id}.${direction}.nullslast` as const)
}

/** A page of living definitions; `sortable` are the columns that may be sorted by. */
export const resourcesQuery = (kind: ResourceKind, list: ResourceList, sortable: readonly string[] = []) =>
  queryOptions({
    queryKey: resourceKeys.list(kind, list),
    queryFn: async ({ signal }) => {
      const { search, sort, pageIndex } = list
      const query = from<ResourceRow>(kind.list ?? kind.table)
        .select(kind.select ?? '*,created_by(id,name,avatar)')
        .isNull('deleted_at')
        .when(search.trim(), (rows, words) => rows.where(kind.nameColumn ?? 'name', 'ilike', `*${words}*`))
        .order(orderOf(sortable, sort))
      const paged = pageIndex > 0 ? query.page({ pageIndex, pageSize: listPageSize }) : query.limit(listPageSize)
      const page = await paged.paged({ signal })
      return { ...page, data: kind.list ? page.data : await withJobs(kind, page.data, signal) }
    },
    placeholderData: keepPreviousData,
    meta: { relations: [kind.table, ...(kind.jobType ? ['job_history'] : [])], quiet: true },
  })

/** What the list asks for as it opens, for prefetching. */
export const firstPageQuery = (kind: ResourceKind) =>
  resourcesQuery(kind, { search: '', sort: { id: 'created_at', desc: true }, pageIndex: 0 })

interface LatestJob {
  resource_id: string
  name: string | null
  status: string | null
  details: ResourceRow['job_details']
  time_start: string | null
}

/** Tables without a view of their own get the state of their jobs from the history. */
async function withJobs(kind: ResourceKind, rows: ResourceRow[], signal: AbortSignal): Promise<ResourceRow[]> {
  if (!kind.jobType || rows.length === 0) return rows
  const ids = rows.map(({ id }) => id)
  const [latest, failed] = await Promise.all([
    from<LatestJob>('job_history_latest_status')
      .select('resource_id,name,status,details,time_start')
      .oneOf('resource_id', ids)
      .eq('resource_type', kind.jobType)
      .rows({ signal }),
    from<Pick<LatestJob, 'resource_id' | 'time_start'>>('job_history')
      .select('resource_id,time_start:time_start.max()')
      .oneOf('resource_id', ids)
      .eq('resource_type', kind.jobType)
      .eq('status', 'FAILED')
      .rows({ signal }),
  ]).catch((error: unknown) => {
    // A server of the reference API may know neither; the list is worth showing without.
    if (hasStatus(error, 400, 403, 404)) return [[], []] as [LatestJob[], LatestJob[]]
    throw error
  })
  const jobs = new Map(latest.map((job) => [job.resource_id, job]))
  const failures = new Map(failed.map((job) => [job.resource_id, job.time_start]))
  return rows.map((row) => {
    const job = jobs.get(row.id)
    return {
      ...row,
      job_name: job?.name,
      job_status: job?.status,
      job_details: job?.details,
      job_time_start: job?.time_start,
      job_last_failed: failures.get(row.id),
    }
  })
}

/** Read anew whenever it is edited. */
export const resourceQuery = (kind: ResourceKind, id: string) =>
  queryOptions({
    queryKey: resourceKeys.detail(kind, id),
    queryFn: ({ signal }) =>
      from<StoredResource>(kind.table)
        .eq(kind.key ?? 'id', id)
        .first({ signal }),
    staleTime: 0,
    gcTime: 0,
    // What somebody types must not be replaced by what somebody else saves.
    refetchOnWindowFocus: false,
    meta: { relations: [], quiet: true },
  })

/** Where a definition comes from and what uses it. */
export interface ResourceAbout {
  /** The file that keeps it. */
  file: string | null
  uses: ResourceUse[]
}

/** Asked of servers that can say it; others leave the question out. */
export const aboutQuery = (kind: ResourceKind, id: string) =>
  queryOptions({
    queryKey: resourceKeys.about(kind, id),
    queryFn: ({ signal }) =>
      client('root').get<ResourceAbout>(`/v1/resources/${kind.table}/${encodeURIComponent(id)}/about`, { signal }),
    staleTime: 0,
    meta: { relations: [], quiet: true },
  })

const useRefresh = (kind: ResourceKind) => {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: resourceKeys.all(kind) }),
      queries.invalidateQueries({ queryKey: ['integrations'] }),
    ])
}

/** The form shows what the server refuses. */
export function useSaveResource(kind: ResourceKind) {
  const { user } = useAccess()
  const refresh = useRefresh(kind)
  return useMutation({
    mutationFn: async ({ values, over }: { values: ResourceValues; over?: StoredResource }): Promise<unknown> => {
      const row = kind.toRow(values)
      if (!over)
        return from(kind.table).insert({
          ...row,
          ...(kind.without?.includes('source') || kind.key === 'name' ? {} : { source: 'UI' }),
          created_by: user.id,
        })
      if (kind.key === 'name') return updateByName(kind, over, row)
      return updateOver(kind.table, over, row, kind.noun)
    },
    onSuccess: (_saved, { values, over }) => {
      const name = nameOf(kind, { ...over, ...kind.toRow(values) })
      toast.success(over ? `${name} updated successfully` : `${name} added successfully`)
      return refresh()
    },
    meta: { quiet: true },
  })
}

/** The same as `updateOver`, for tables that have no id. */
async function updateByName(kind: ResourceKind, over: StoredResource, row: ResourceValues): Promise<unknown> {
  const one = () => from<StoredResource>(kind.table).eq('name', keyOf(kind, over))
  const version = over.updated_at ? one().eq('updated_at', over.updated_at) : one().isNull('updated_at')
  const { name: _, ...changes } = row
  const [saved] = await version.update(changes)
  if (saved) return saved
  const current = await one().first()
  if (!current || current.deleted_at) throw new Error(`This ${kind.noun} was deleted in the meantime`)
  throw new EditConflict(over, current, changes)
}

export function useDeleteResource(kind: ResourceKind) {
  const refresh = useRefresh(kind)
  return useMutation({
    mutationFn: (stored: StoredResource): Promise<unknown> => {
      const one = from(kind.table).eq(kind.key ?? 'id', keyOf(kind, stored))
      return kind.deletesRow ? one.remove() : one.update({ deleted_at: 'now()' })
    },
    onSuccess: (_rows, stored) => {
      toast.success(`${nameOf(kind, stored)} deleted successfully`)
      return refresh()
    },
  })
}
