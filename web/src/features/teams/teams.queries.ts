import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { from } from '@/api/data-api.ts'
import type { Person } from '@/entities/people.ts'
import { toast } from '@/ui/toast.tsx'

export interface Team {
  id: string
  name: string
}

export const teamKeys = {
  all: ['teams'] as const,
  members: (id: string, pageIndex: number) => [...teamKeys.all, 'members', id, pageIndex] as const,
}

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
