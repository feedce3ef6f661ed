import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '@/api/client.ts'
import { from } from '@/api/data-api.ts'
import { plural } from '@/lib/format.ts'
import { toast } from '@/ui/toast.tsx'

/** All waiting events of one name. */
export interface EventSummary {
  name: string
  pending: number
  failed: number
  average_attempts: number | null
  first_failure: string | null
  last_failure: string | null
  most_common_error: string | null
}

/** One event that failed. */
export interface FailedEvent {
  id: string
  name: string
  properties: Record<string, unknown> | null
  error: string | null
  attempts: number | null
  created_at: string
  last_attempt: string | null
  /** Its tries are used up: it waits for a person. */
  dead_letter?: boolean
}

export const eventQueueKeys = {
  all: ['event-queue'] as const,
  summary: () => [...eventQueueKeys.all, 'summary'] as const,
  failed: (name: string, pageIndex: number) => [...eventQueueKeys.all, 'failed', name, pageIndex] as const,
}

/** The queue moves all the time, so an answer of a moment ago is not worth showing. */
export const eventQueueQuery = queryOptions({
  queryKey: eventQueueKeys.summary(),
  queryFn: ({ signal }) => from<EventSummary>('event_queue_summary').order('last_failure.desc').rows({ signal }),
  // Names that were never tried come first in that order; what failed is what one comes to see.
  select: (rows) => rows.toSorted((a, b) => Number(b.failed > 0) - Number(a.failed > 0)),
  staleTime: 0,
  gcTime: 0,
  meta: { quiet: true },
})

export const failedPageSize = 25

export const failedEventsQuery = (name: string, pageIndex: number) =>
  queryOptions({
    queryKey: eventQueueKeys.failed(name, pageIndex),
    queryFn: ({ signal }) =>
      from<FailedEvent>('event_queue')
        .select('*')
        .eq('name', name)
        .notNull('error')
        .order('last_attempt.desc.nullslast')
        .page({ pageIndex, pageSize: failedPageSize })
        .paged({ signal }),
    staleTime: 0,
    gcTime: 0,
    meta: { quiet: true },
  })

/** Which events to act on: one, or all failed ones of a name. */
export type Target = { id: string; name: string } | { name: string }
const address = (target: Target) => ('id' in target ? `/v1/event-queue/${encodeURIComponent(target.id)}` : undefined)
const countOf = (answer: { count?: number }) => answer.count ?? 1

export function useRetryEvents() {
  const queries = useQueryClient()
  const api = client('root')
  return useMutation({
    mutationFn: (target: Target) => {
      const one = address(target)
      return api.post<{ count?: number }>(
        one ? `${one}/retry` : '/v1/event-queue/retry',
        one ? undefined : { name: target.name },
      )
    },
    onSuccess: (answer, { name }) => toast.success(`${plural(countOf(answer), 'event')} of ${name} queued again`),
    onSettled: () => queries.invalidateQueries({ queryKey: eventQueueKeys.all }),
  })
}

export function useDiscardEvents() {
  const queries = useQueryClient()
  const api = client('root')
  return useMutation({
    mutationFn: (target: Target) => {
      const one = address(target)
      return api.delete<{ count?: number }>(
        one ?? '/v1/event-queue',
        one ? undefined : { query: { name: target.name } },
      )
    },
    onSuccess: (answer, { name }) => toast.success(`${plural(countOf(answer), 'event')} of ${name} discarded`),
    onSettled: () => queries.invalidateQueries({ queryKey: eventQueueKeys.all }),
  })
}
