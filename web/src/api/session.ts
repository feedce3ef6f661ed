import { queryOptions } from '@tanstack/react-query'
import { effectiveRoles, type Role } from '@quarterdeck/contract/permissions'
import { client } from './client.ts'
import { from } from './data-api.ts'
import { ApiError, isRecord } from './errors.ts'

export interface User {
  id: string
  name: string
  email?: string
  avatar?: string
}
/** The signed-in person. */
export interface Me {
  user: User
  roles: Role[]
}
export interface FlagProperty {
  name: string
  value: string
  source: string
  description: string
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Reads whoami's payload; older servers of the hosted mode put the user there directly. */
export function readUser(body: unknown): User {
  const payload = isRecord(body) && isRecord(body.payload) ? body.payload : {}
  const user = isRecord(payload.user) ? payload.user : payload
  const id = text(user.id)
  if (id === undefined) throw new Error('The server did not say who is signed in')
  const email = text(user.email)
  return { id, name: text(user.name) ?? email ?? 'there', email, avatar: text(user.avatar) }
}

function storedRoles(body: unknown): (string | null)[] | undefined {
  const payload = isRecord(body) && isRecord(body.payload) ? body.payload : {}
  return Array.isArray(payload.roles) ? (payload.roles as (string | null)[]) : undefined
}

const always = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY } as const
const once = { ...always, refetchOnWindowFocus: false, refetchOnReconnect: false } as const

/** Whether there is a session at all. Only its presence and the status of a failure matter. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => client('identity').get('/sessions/whoami', { signal }),
  ...once,
  meta: { quiet: true },
})

/** Who is signed in and with which roles; asked once at the start. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }): Promise<Me> => {
    const body = await client('auth').get('/whoami', { signal, keep401: true })
    const user = readUser(body)
    const roles = storedRoles(body) ?? (await rolesOf(user.id))
    return { user, roles: effectiveRoles(roles) }
  },
  ...once,
  meta: { quiet: true },
})

async function rolesOf(person: string): Promise<string[]> {
  const row = await from<{ roles: string[] | null }>('people_roles').oneOf('id', [person]).first({ keep401: true })
  return row?.roles ?? []
}

/** The properties of the server, which include the feature flags. Without an answer nothing is switched off. */
export const propertiesQuery = queryOptions({
  queryKey: ['flags', 'properties'],
  queryFn: async ({ signal }): Promise<FlagProperty[]> => {
    try {
      const rows = await client('root').get('/properties', { signal, keep401: true })
      return Array.isArray(rows) ? (rows as FlagProperty[]) : []
    } catch (error) {
      if (error instanceof ApiError && !error.isTransient) return []
      throw error
    }
  },
  staleTime: 300_000,
  gcTime: Number.POSITIVE_INFINITY,
  meta: { quiet: true, relations: ['properties'] },
})

/** Version of the backend for the user menu; a server that cannot say shows NA. */
export const aboutQuery = queryOptions({
  queryKey: ['about'],
  queryFn: async ({ signal }) => {
    const body = await client('canary').get('/about', { signal })
    return (isRecord(body) && text(body.Version)) || 'NA'
  },
  ...always,
  meta: { quiet: true },
})
