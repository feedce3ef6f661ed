import { queryOptions } from '@tanstack/react-query'
import { client } from '@/api/client.ts'
import { from } from '@/api/data-api.ts'
import type { CheckSummary } from './check.ts'

export const healthKeys = {
  all: ['health'] as const,
  summary: () => [...healthKeys.all, 'summary'] as const,
  check: (id: string) => [...healthKeys.all, 'check', id] as const,
}

/** Every check with its last hour, without what the list does not show; public/early.js asks for the same. Flips arrive by the live stream; runs that change no state do not wake it. */
export const summaryQuery = queryOptions({
  queryKey: healthKeys.summary(),
  queryFn: async ({ signal }) => {
    const answer = await client('canary').get<{ checks_summary?: CheckSummary[] }>('/api/summary?fields=list', {
      signal,
    })
    return answer?.checks_summary ?? []
  },
  meta: { relations: ['checks', 'canaries'], quiet: 'first' },
})

/** Names of agents, for tabs by agent. */
export const agentNamesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['agents', 'names', ...ids],
    queryFn: async ({ signal }) => {
      const rows = await from<{ id: string; name: string }>('agents')
        .select('id,name,description')
        .oneOf('id', ids)
        .rows({ signal })
      return Object.fromEntries(rows.map((agent) => [agent.id, agent.name]))
    },
    enabled: ids.length > 0,
  })
