import { queryOptions } from '@tanstack/react-query'
import { client } from '@/api/client.ts'
import { hasStatus, isRecord } from '@/api/errors.ts'
import { paths } from '@/app/paths.ts'

const identity = client('identity')

/** The token that ends this session; asked for when the user menu appears. Nobody signed in is no error. */
export const logoutQuery = queryOptions({
  queryKey: ['logout'],
  queryFn: async ({ signal }): Promise<string | null> => {
    try {
      const flow = await identity.get('/self-service/logout/browser', { signal })
      return isRecord(flow) && typeof flow.logout_token === 'string' ? flow.logout_token : null
    } catch (error) {
      if (hasStatus(error, 401)) return null
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
  meta: { quiet: true },
})

/** Ends the session and loads the sign-in page anew, so that nothing of this session stays in memory. A failure ends there too. */
export async function signOut(token: string | null | undefined) {
  const here = window.location.pathname + window.location.search
  const to = paths.loginFor({ return_to: here })
  try {
    if (token) await identity.get('/self-service/logout', { query: { token, return_to: to } })
  } catch {
    // The sign-in page finds out by itself whether the session is still there.
  } finally {
    window.location.assign(to)
  }
}
