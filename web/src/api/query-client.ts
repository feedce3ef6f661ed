import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './errors.ts'
import { report } from './report.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Relations the answer is made of; a live message about one of them makes it stale. */
      relations?: readonly string[]
      /** Only changes of these rows matter; absent means any row. */
      ids?: readonly string[]
      /** The screen shows the failure itself, so no toast; `first`: only while it has nothing else to show. */
      quiet?: boolean | 'first'
    }
    mutationMeta: {
      /** The form shows the failure itself, so no toast. */
      quiet?: boolean
      /** Says the failure in the area's own words instead of the server's. */
      failure?: (error: Error) => string
    }
  }
}

/** Data younger than this is not fetched again on mount, focus or reconnect, unless a screen says otherwise. */
export const defaultStaleTime = 300_000
const mostRetries = 3

/** Another try is worth it only when no answer came; an error status will be the same next time. */
export const shouldRetry = (failures: number, error: Error) =>
  failures < mostRetries && error instanceof ApiError && error.isTransient

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const isShown = query.meta?.quiet === 'first' ? query.state.data === undefined : query.meta?.quiet
        if (!isShown) report(error)
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (!mutation.meta?.quiet) report(error, mutation.meta?.failure?.(error))
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: defaultStaleTime,
        retry: shouldRetry,
        // Without a network the browser's own "offline" is often wrong (VPNs, containers): ask and see.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
