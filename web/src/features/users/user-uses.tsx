import { useQuery } from '@tanstack/react-query'
import { type ResourceUse, Uses } from '@/entities/resource-uses.tsx'
import { client } from '@/api/client.ts'
import { userKeys } from './users.queries.ts'

/** What would notice if somebody went: teams, notifications, incidents. */
export function UserUses({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: [...userKeys.all, 'uses', id],
    queryFn: ({ signal }) =>
      client('root').get<{ uses: ResourceUse[] }>(`/v1/resources/identities/${encodeURIComponent(id)}/about`, {
        signal,
      }),
    staleTime: 0,
    meta: { relations: [], quiet: true },
  })
  return data ? <Uses uses={data.uses} title="These rely on this person:" /> : null
}
