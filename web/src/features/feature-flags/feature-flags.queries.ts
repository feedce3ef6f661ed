import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useAccess } from '@/api/access.tsx'
import { client } from '@/api/client.ts'
import { from } from '@/api/data-api.ts'
import { ApiError } from '@/api/errors.ts'
import { toast } from '@/ui/toast.tsx'

export interface Person {
  id: string
  name: string
  avatar?: string | null
}

/** A row of the properties table. */
export interface StoredFlag {
  name: string
  value: string
  created_by: Person | null
  created_at: string | null
  updated_at: string | null
}

/** A property of the server: from its own file (`local`, read-only) or from the database. */
export interface Flag extends StoredFlag {
  source: 'local' | 'db'
  description: string
}

export const flagKeys = {
  all: ['flags'] as const,
  list: () => [...flagKeys.all, 'list'] as const,
  detail: (name: string, value: string) => [...flagKeys.all, 'detail', name, value] as const,
}

interface Merged {
  name: string
  value: string
  source: string
  description: string
}
const columns = '*,created_by(id,name,avatar)'

/** Joins what is in force with who stored it. A local property hides a stored one of the same name. */
export function mergeFlags(inForce: readonly Merged[], stored: readonly StoredFlag[]): Flag[] {
  const byName = new Map(stored.map((flag) => [flag.name, flag]))
  return inForce
    .map(({ name, value, source, description }): Flag => {
      const row = source === 'local' ? undefined : byName.get(name)
      return {
        name,
        value,
        source: source === 'local' ? 'local' : 'db',
        description,
        created_by: row?.created_by ?? null,
        created_at: row?.created_at ?? null,
        updated_at: row?.updated_at ?? null,
      }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}

/** Every property; read anew whenever the page opens. */
export const flagsQuery = queryOptions({
  queryKey: flagKeys.list(),
  queryFn: async ({ signal }) => {
    const [inForce, stored] = await Promise.all([
      client('root').get<Merged[]>('/properties', { signal }),
      // Who stored a flag is good to know but not needed; some servers tell administrators only.
      from<StoredFlag>('properties')
        .select(columns)
        .rows({ signal })
        .catch((error: unknown) => {
          if (error instanceof ApiError) return []
          throw error
        }),
    ])
    return mergeFlags(inForce, stored)
  },
  staleTime: 0,
  meta: { quiet: true },
})

/** The stored row behind a flag, or null when there is none. */
export const storedFlagQuery = (name: string, value: string) =>
  queryOptions({
    queryKey: flagKeys.detail(name, value),
    queryFn: ({ signal }) =>
      from<StoredFlag>('properties').select(columns).eq('name', name).eq('value', value).first({ signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** Creates a flag that has never been stored, changes one that has. */
export function useSaveFlag() {
  const queries = useQueryClient()
  const { user } = useAccess()
  return useMutation({
    mutationFn: async ({ name, value, stored }: { name: string; value: string; stored: StoredFlag | null }) => {
      if (!stored?.created_at) return from<StoredFlag>('properties').insert({ name, value, created_by: user.id })
      const rows = await from<StoredFlag>('properties')
        .eq('name', stored.name)
        .update({ name: stored.name, value, created_by: user.id })
      if (rows.length === 0) throw new Error('This feature flag was removed in the meantime')
      return rows
    },
    onSuccess: (_rows, { stored }) =>
      toast.success(stored?.created_at ? 'Feature flag updated successfully' : 'Feature flag added successfully'),
    onSettled: () => queries.invalidateQueries({ queryKey: flagKeys.all }),
  })
}

export function useRemoveFlag() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => from<StoredFlag>('properties').eq('name', name).remove(),
    onSuccess: () => toast.success('Feature flag removed successfully'),
    onSettled: () => queries.invalidateQueries({ queryKey: flagKeys.all }),
  })
}
