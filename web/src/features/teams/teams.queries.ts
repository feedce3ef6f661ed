import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useAccess } from '@/api/access.tsx'
import { from } from '@/api/data-api.ts'
import type { Person } from '@/entities/people.ts'
import type { Sorting } from '@/lib/search-params.ts'
import { toast } from '@/ui/toast.tsx'

type Spec = Record<string, unknown>

/** A line of the list. */
export interface TeamRow {
  id: string
  name: string
  icon: string | null
  source: string | null
  created_by: Person | null
  created_at: string
  updated_at: string | null
  job_status: string | null
  job_details: { errors?: string[] | null } | null
  job_time_start: string | null
  job_last_failed: string | null
}

export interface Team {
  id: string
  name: string
  icon: string | null
  spec: Spec | null
  source: string | null
  updated_at: string
  deleted_at: string | null
}

export interface TeamValues {
  name: string
  icon?: string | null
  spec: Spec
}

export interface TeamList {
  search: string
  sort?: Sorting
  pageIndex: number
}

export const teamKeys = {
  all: ['teams'] as const,
  list: (list: TeamList) => [...teamKeys.all, 'list', list] as const,
  detail: (id: string) => [...teamKeys.all, 'detail', id] as const,
  members: (id: string, pageIndex: number) => [...teamKeys.all, 'members', id, pageIndex] as const,
}

export const listPageSize = 100
const sorts = ['name', 'source', 'job_status', 'job_time_start', 'job_last_failed', 'created_at', 'updated_at'] as const

function orderOf(sort: Sorting | undefined) {
  const column = sorts.find((known) => known === sort?.id)
  if (!sort || !column) return 'created_at.desc'
  const direction = sort.desc ? 'desc' : 'asc'
  return column === 'created_at' ? (`created_at.${direction}` as const) : (`${column}.${direction}.nullslast` as const)
}

export const teamsListQuery = (list: TeamList) =>
  queryOptions({
    queryKey: teamKeys.list(list),
    queryFn: ({ signal }) => {
      const { search, sort, pageIndex } = list
      const query = from<TeamRow>('teams_with_status')
        .select('*,created_by(id,name,avatar)')
        .isNull('deleted_at')
        .when(search.trim(), (rows, words) => rows.where('name', 'ilike', `*${words}*`))
        .order(orderOf(sort))
      const page = pageIndex > 0 ? query.page({ pageIndex, pageSize: listPageSize }) : query.limit(listPageSize)
      return page.paged({ signal })
    },
    placeholderData: keepPreviousData,
    meta: { relations: ['teams'], quiet: true },
  })

/** Read anew whenever it is edited. */
export const teamQuery = (id: string) =>
  queryOptions({
    queryKey: teamKeys.detail(id),
    queryFn: ({ signal }) => from<Team>('teams').eq('id', id).first({ signal }),
    staleTime: 0,
    gcTime: 0,
    // What somebody types must not be replaced by what somebody else saves.
    refetchOnWindowFocus: false,
    meta: { relations: [], quiet: true },
  })

export const memberPageSize = 100

/** The people of a team, a page of them. A failure is also told, because the list may be one tab of several. */
export const membersQuery = (id: string, pageIndex: number) =>
  queryOptions({
    queryKey: teamKeys.members(id, pageIndex),
    queryFn: async ({ signal }) => {
      const page = await from<{ person_id: Person | null }>('team_members')
        .eq('team_id', id)
        .select('*,person_id(*)')
        .page({ pageIndex, pageSize: memberPageSize })
        .paged({ signal })
      const people = page.data.flatMap(({ person_id: person }) => person ?? [])
      return { people, total: page.totalEntries ?? people.length }
    },
    meta: { relations: ['team_members', 'people'] },
  })

const useRefresh = () => {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: teamKeys.all })
}

export function useSaveTeam(stored?: Team) {
  const { user } = useAccess()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async (values: TeamValues) => {
      if (!stored) return from<Team>('teams').insert({ ...values, source: 'UI', created_by: user.id })
      const rows = await from<Team>('teams').eq('id', stored.id).eq('updated_at', stored.updated_at).update(values)
      if (rows.length > 0) return rows
      const now = await from<Team>('teams').eq('id', stored.id).isNull('deleted_at').first()
      throw new Error(
        now
          ? 'Somebody else changed this team in the meantime. Reload the page to see it, then change it again.'
          : 'This team was deleted in the meantime',
      )
    },
    onSuccess: (_rows, { name }) => {
      toast.success(stored ? `${name} updated successfully` : `${name} added successfully`)
      return refresh()
    },
    meta: { quiet: true },
  })
}

export function useDeleteTeam({ id, name }: Pick<Team, 'id' | 'name'>) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => from<Team>('teams').eq('id', id).update({ deleted_at: 'now()' }),
    onSuccess: () => {
      toast.success(`${name} deleted successfully`)
      return refresh()
    },
  })
}

export function useAddMembers(team: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (people: readonly Person[]) =>
      from('team_members').insert(people.map(({ id }) => ({ team_id: team, person_id: id }))),
    onSuccess: (_rows, people) =>
      toast.success(`${people.map(({ name }) => name).join(', ')} added to the team successfully`),
    onSettled: refresh,
  })
}

/** Takes somebody out of this team, and of no other. */
export function useRemoveMember(team: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id }: Person) => from('team_members').eq('team_id', team).eq('person_id', id).remove(),
    onSuccess: (_rows, { name }) => toast.success(`${name} removed from team successfully`),
    onSettled: refresh,
  })
}
