import type { AccessExplanation, Invited } from '@quarterdeck/contract/identity'
import type { Role } from '@quarterdeck/contract/permissions'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '@/api/client.ts'
import { from, where } from '@/api/data-api.ts'
import type { Sorting } from '@/lib/search-params.ts'
import { toast } from '@/ui/toast.tsx'

interface Identity {
  id: string
  traits: { email?: string; name?: { first?: string; last?: string } | null } | null
  state: string | null
  created_at: string
}

/** Somebody who can sign in. */
export interface User {
  id: string
  name: string
  email: string
  roles: string[]
  state: string | null
  created_at: string
}

export interface UserList {
  search: string
  pageIndex: number
  pageSize: number
  sort?: Sorting
}

export const userKeys = {
  all: ['people'] as const,
  list: (list: UserList) => [...userKeys.all, 'users', list] as const,
  access: (id: string) => [...userKeys.all, 'access', id] as const,
}

/** `First Last`, or the address of somebody without a name. */
export function nameOf({ traits }: Pick<Identity, 'traits'>): string {
  const name = [traits?.name?.first, traits?.name?.last].filter(Boolean).join(' ').trim()
  return name || (traits?.email ?? '')
}

/** Joins accounts with their roles; who has no role has no row. */
export function toUsers(
  identities: readonly Identity[],
  roles: readonly { id: string; roles: (string | null)[] | null }[],
): User[] {
  const byId = new Map(roles.map((row) => [row.id, row.roles]))
  return identities.map((identity) => ({
    id: identity.id,
    name: nameOf(identity),
    email: identity.traits?.email ?? '',
    // A server of the shared API may list a role twice, and empty ones.
    roles: [
      ...new Set((byId.get(identity.id) ?? []).filter((role) => role !== null && role !== 'everyone')),
    ] as string[],
    state: identity.state,
    created_at: identity.created_at,
  }))
}

const columns: Record<string, string> = {
  name: 'traits->name->>first',
  email: 'traits->>email',
  state: 'state',
  created_at: 'created_at',
}

export function usersRequest({ search, pageIndex, pageSize, sort }: UserList) {
  const column = sort && Object.hasOwn(columns, sort.id) ? columns[sort.id]! : undefined
  return from<Identity>('identities')
    .when(search.trim(), (query, words) =>
      query.anyOf(
        where.contains('traits->>email', words),
        where.contains('traits->name->>first', words),
        where.contains('traits->name->>last', words),
      ),
    )
    .order(column ? `${column}.${sort!.desc ? 'desc' : 'asc'}` : 'created_at.desc', 'id.asc')
    .page({ pageIndex, pageSize })
}

export const usersQuery = (list: UserList) =>
  queryOptions({
    queryKey: userKeys.list(list),
    queryFn: async ({ signal }) => {
      const page = await usersRequest(list).paged({ signal })
      const ids = page.data.map(({ id }) => id)
      const roles =
        ids.length === 0
          ? []
          : await from<{ id: string; roles: (string | null)[] | null }>('people_roles')
              .oneOf('id', ids)
              .rows({ signal })
      return { users: toUsers(page.data, roles), total: page.totalEntries ?? page.data.length }
    },
    placeholderData: keepPreviousData,
    meta: { relations: ['identities', 'people', 'casbin_rule'], quiet: true },
  })

/** What somebody may do, and why. */
export const accessQuery = (id: string) =>
  queryOptions({
    queryKey: userKeys.access(id),
    queryFn: ({ signal }) => client('root').get<AccessExplanation>(`/v1/access/${encodeURIComponent(id)}`, { signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

const useRefresh = () => {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: userKeys.all })
}

const setRole = (id: string, roles: readonly string[]) =>
  client('rbac').post(`/${encodeURIComponent(id)}/update_role`, { roles })

export interface Invitation {
  firstName: string
  lastName: string
  email: string
  role: Role
}

/** Invites, then gives the role: the call that invites knows none. */
export function useInvite() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async ({ role, ...person }: Invitation): Promise<{ link?: string }> => {
      const answer = await client('auth').post<Partial<Invited> | null>('/invite_user', person)
      const id = answer?.id ?? (await from<Identity>('identities').eq('traits->>email', person.email).first())?.id
      const words = (why: string) => `${person.firstName} was invited, but is not ${role} yet: ${why}`
      if (!id) throw new Error(words('the account was not found'))
      await setRole(id, [role]).catch((error: unknown) => {
        throw new Error(words(error instanceof Error ? error.message : 'the role was refused'), { cause: error })
      })
      return answer?.mailed === false ? { link: answer.link } : {}
    },
    onSuccess: (_answer, { firstName, lastName }) => toast.success(`${firstName} ${lastName} invited successfully`),
    onSettled: refresh,
    meta: { quiet: true },
  })
}

export function useSetRoles() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id, roles }: { id: string; name: string; roles: readonly string[] }) => setRole(id, roles),
    onSuccess: (_answer, { name }) => toast.success(`${name} role updated successfully`),
    onSettled: refresh,
    meta: { quiet: true },
  })
}

export function useDeleteUser() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async (id: string) => {
      const rows = await from<Identity>('identities').eq('id', id).remove()
      if (rows?.length === 0) throw new Error('This user was deleted in the meantime')
    },
    onSuccess: () => toast.success('user deleted successfully'),
    onSettled: refresh,
  })
}

export function useSetState() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ user, state }: { user: User; state: 'active' | 'inactive' }) =>
      client('auth').post(`/${encodeURIComponent(user.id)}/update_state`, { id: user.id, state }),
    onSuccess: (_answer, { user, state }) =>
      toast.success(`${user.name} ${state === 'active' ? 'activated' : 'deactivated'} successfully`),
    onSettled: refresh,
  })
}

/** A new link for somebody who lost theirs; mailed when there is a mail server. */
export function useRenewLink() {
  return useMutation({
    mutationFn: (id: string) => client('root').post<Invited>(`/v1/people/${encodeURIComponent(id)}/link`),
  })
}
