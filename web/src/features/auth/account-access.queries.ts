import { queryOptions } from '@tanstack/react-query'
import { CreatedToken, OwnToken } from '@quarterdeck/contract/identity'
import { z } from 'zod'
import { client } from '@/api/client.ts'

/** Sessions and access tokens of the signed-in person. */
const Session = z.looseObject({
  id: z.string(),
  authenticated_at: z.string(),
  expires_at: z.string(),
  authenticator_assurance_level: z.string(),
  devices: z.array(z.looseObject({ ip_address: z.string(), user_agent: z.string() })).default([]),
})
export type OtherSession = z.infer<typeof Session>

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => client('identity').get('/sessions', { signal }, z.array(Session)),
  meta: { quiet: true },
})
export const thisSessionQuery = queryOptions({
  queryKey: ['account', 'this-session'],
  queryFn: ({ signal }) => client('identity').get('/sessions/whoami', { signal }, Session),
  meta: { quiet: true },
})
export const endSession = (id: string) => client('identity').delete(`/sessions/${id}`)
export const endOtherSessions = () => client('identity').delete('/sessions')

export const tokensQuery = queryOptions({
  queryKey: ['account', 'tokens'],
  queryFn: ({ signal }) => client('root').get('/v1/tokens', { signal }, z.array(OwnToken)),
  meta: { quiet: true },
})
export const makeToken = (token: { name: string; days: number; roles?: string[] }) =>
  client('root').post('/v1/tokens', token, {}, CreatedToken)
export const revokeToken = (id: string) => client('root').delete(`/v1/tokens/${id}`)

/** `Chrome on Linux`: what a person recognises a browser by. */
export function browserName(agent: string): string {
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrom(e|ium)\//.test(agent)
        ? 'Chrome'
        : /Safari\//.test(agent)
          ? 'Safari'
          : 'Another client'
  const system = /Windows/.test(agent)
    ? 'Windows'
    : /iPhone|iPad/.test(agent)
      ? 'iOS'
      : /Mac OS X/.test(agent)
        ? 'macOS'
        : /Android/.test(agent)
          ? 'Android'
          : /Linux/.test(agent)
            ? 'Linux'
            : undefined
  return system ? `${browser} on ${system}` : browser
}
