import { type TimeRange, toInstants } from '@quarterdeck/contract/time-range'
import { type TriState, triStateList } from '@quarterdeck/contract/tri-state'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { from, where } from '@/api/data-api.ts'
import type { Sorting } from '@/lib/search-params.ts'
import { type Job, jobSorts } from './job.ts'

export interface JobList {
  pageIndex: number
  pageSize: number
  sort?: Sorting
  name?: TriState
  status?: TriState
  resourceType?: TriState
  /** Runs about this one thing. */
  resourceId?: string
  /** Runs that took at least this many milliseconds. */
  atLeast?: number
  range?: TimeRange
}

export const jobKeys = {
  all: ['jobs'] as const,
  list: (list: JobList) => [...jobKeys.all, 'list', list] as const,
  rows: (list: JobList) => [...jobKeys.all, 'rows', list] as const,
  names: () => [...jobKeys.all, 'names'] as const,
}

/** An address may name any column; the server sorts by those of the table. */
const orderOf = (sort: Sorting | undefined) => {
  const column = jobSorts.find((known) => known === sort?.id)
  return column && sort ? (`${column}.${sort.desc ? 'desc' : 'asc'}` as const) : 'created_at.desc'
}

/** The question behind a list of runs. */
export function jobsRequest(list: JobList, now = new Date()) {
  const bounds = list.range && toInstants(list.range, now)
  return from<Job>('job_histories')
    .select('*')
    .page(list)
    .order(orderOf(list.sort))
    .triState('resource_type', triStateList(list.resourceType ?? {}))
    .triState('name', triStateList(list.name ?? {}))
    .triState('status', triStateList(list.status ?? {}))
    .when(list.resourceId, (query, id) => query.eq('resource_id', id))
    .when(list.atLeast, (query, ms) => query.where('duration_millis', 'gte', ms))
    .when(bounds, (query, { from: start, to: end }) =>
      query.allOf(where.is('created_at', 'gt', start), where.is('created_at', 'lt', end)),
    )
}

export const jobsQuery = (list: JobList) =>
  queryOptions({
    queryKey: jobKeys.list(list),
    queryFn: ({ signal }) => jobsRequest(list).paged({ signal }),
    placeholderData: keepPreviousData,
    meta: { relations: ['job_history'], quiet: true },
  })

/** The same without the total: counting a million runs takes longer than finding the first fifty. */
export const jobRowsQuery = (list: JobList) =>
  queryOptions({
    queryKey: jobKeys.rows(list),
    queryFn: ({ signal }) => jobsRequest(list).rows({ signal }),
    staleTime: 0,
    gcTime: 0,
    meta: { relations: [], quiet: true },
  })

export const jobNamesQuery = queryOptions({
  queryKey: jobKeys.names(),
  queryFn: ({ signal }) => from<{ name: string }>('job_history_names').order('name.asc').rows({ signal }),
  // A new name is rare; reading them again with every run would be a second list query.
  meta: { relations: [] },
})
