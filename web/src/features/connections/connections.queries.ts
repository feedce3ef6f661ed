import type { ConnectionColumns } from '@quarterdeck/contract/connections/kind'
import type { ConnectionUsage } from '@quarterdeck/contract/connections/usage'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useAccess } from '@/api/access.tsx'
import { client } from '@/api/client.ts'
import { from, where } from '@/api/data-api.ts'
import { updateOver } from '@/api/edit-conflict.ts'
import type { Person } from '@/entities/people.ts'
import type { Sorting } from '@/lib/search-params.ts'
import { toast } from '@/ui/toast.tsx'

export interface Connection extends ConnectionColumns {
  id: string
  name: string
  namespace: string
  type: string
  source: string | null
  created_by: Person | null
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** What a save writes. */
export interface ConnectionInput extends ConnectionColumns {
  name: string
  namespace: string
  type: string
}

export interface ConnectionList {
  search: string
  sort?: Sorting
  pageIndex: number
}

export const connectionKeys = {
  all: ['connections'] as const,
  list: (list: ConnectionList) => [...connectionKeys.all, 'list', list] as const,
  detail: (id: string) => [...connectionKeys.all, 'detail', id] as const,
  usage: (id: string) => [...connectionKeys.all, 'usage', id] as const,
}

export const listPageSize = 100
const sorts = ['name', 'namespace', 'type', 'created_at', 'updated_at'] as const
const everything = '*,created_by(id,name,avatar)'

function orderOf(sort: Sorting | undefined) {
  const column = sorts.find((known) => known === sort?.id)
  return column ? (`${column}.${sort!.desc ? 'desc' : 'asc'}` as const) : 'created_at.desc'
}

/** A page of the living ones; a failure is told in the server's words, and the table offers to try again. */
export const connectionsQuery = (list: ConnectionList) =>
  queryOptions({
    queryKey: connectionKeys.list(list),
    queryFn: ({ signal }) => {
      const { search, sort, pageIndex } = list
      const query = from<Connection>('connections')
        .select(everything)
        .isNull('deleted_at')
        .when(search.trim(), (rows, words) =>
          rows.anyOf(where.contains('name', words), where.contains('namespace', words), where.contains('type', words)),
        )
        .order(orderOf(sort))
      const page = pageIndex > 0 ? query.page({ pageIndex, pageSize: listPageSize }) : query.limit(listPageSize)
      return page.paged({ signal })
    },
    placeholderData: keepPreviousData,
    meta: { relations: ['connections'] },
  })

/** Read anew whenever it is edited; what somebody types is not replaced by what somebody else saves. */
export const connectionQuery = (id: string) =>
  queryOptions({
    queryKey: connectionKeys.detail(id),
    queryFn: ({ signal }) =>
      from<Connection>('connections').select(everything).eq('id', id).isNull('deleted_at').first({ signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: { relations: [], quiet: true },
  })

export const usageQuery = (id: string) =>
  queryOptions({
    queryKey: connectionKeys.usage(id),
    queryFn: ({ signal }) => client('root').get<ConnectionUsage>(`/v1/connections/${id}/usage`, { signal }),
    staleTime: 0,
    retry: false,
    meta: { quiet: true },
  })

const useRefresh = () => {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: connectionKeys.all })
}

/** A row that was read for a conflict names its creator by id alone. */
const creatorOf = ({ created_by: by }: { created_by: Person | string | null }) =>
  typeof by === 'string' ? by : (by?.id ?? null)

/** The form shows what the server refuses. */
export function useSaveConnection() {
  const { user } = useAccess()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async ({ values, over }: { values: ConnectionInput; over?: Connection }) => {
      const body = { ...values, created_by: over ? creatorOf(over) : user.id }
      if (!over) return (await from<Connection>('connections').insert(body))[0]
      return updateOver('connections', over, body, 'connection', { anyChange: true })
    },
    onSuccess: (_row, { over }) => {
      toast.success(over ? 'Connection updated successfully' : 'Connection added successfully')
      return refresh()
    },
    meta: { quiet: true },
  })
}

export function useDeleteConnection() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => from<Connection>('connections').eq('id', id).update({ deleted_at: 'now()' }),
    onSuccess: (_rows, id) => {
      toast.success('Connection deleted successfully')
      // Its own form is still open, and there is nothing to read for it any more.
      return queries.invalidateQueries({
        queryKey: connectionKeys.all,
        predicate: ({ queryKey }) => !queryKey.includes(id),
      })
    },
  })
}

/** Tries a stored connection; the dialog shows what came of it. */
export function useTestConnection() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (id: string) => client('root').post<{ message?: string; error?: string }>(`/connection/test/${id}`),
    onSuccess: refresh,
    meta: { quiet: true },
  })
}
