import { queryOptions } from '@tanstack/react-query'
import type { Capabilities } from '@quarterdeck/contract/capabilities'
import { client } from './client.ts'
import { ApiError, isAway, isRecord } from './errors.ts'

const authModes = ['builtin', 'kratos', 'clerk', 'plain', 'none'] as const satisfies readonly Capabilities['auth'][]
export type AuthMode = Capabilities['auth']

/** A server that does not know the question is one of the reference API: no extras, self-hosted identity. */
export const referenceServer: Capabilities = {
  version: '',
  areas: [],
  auth: 'kratos',
  deployment: 'full',
  live: false,
  search: false,
  snippets: false,
}

/** Reads the answer leniently: a field that is missing or strange means the extra is not there. */
export function readCapabilities(body: unknown): Capabilities {
  if (!isRecord(body)) return referenceServer
  const auth = authModes.find((mode) => mode === body.auth)
  return {
    version: typeof body.version === 'string' ? body.version : '',
    areas: Array.isArray(body.areas) ? body.areas.filter((area) => typeof area === 'string') : [],
    auth: auth ?? referenceServer.auth,
    ...(isRecord(body.hosted) && typeof body.hosted.publishable_key === 'string'
      ? { hosted: { publishable_key: body.hosted.publishable_key } }
      : {}),
    registration: body.registration === true,
    deployment: body.deployment === 'health' ? 'health' : 'full',
    live: body.live === true,
    search: body.search === true,
    snippets: body.snippets === true,
  }
}

export const capabilitiesQuery = queryOptions({
  queryKey: ['capabilities'],
  queryFn: async ({ signal }) => {
    try {
      return readCapabilities(await client('root').get('/v1/capabilities', { signal, keep401: true }))
    } catch (error) {
      // A proxy in front of a server that restarts knows nothing about what it offers.
      if (error instanceof ApiError && !isAway(error)) return referenceServer
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  meta: { quiet: true },
})
