import type { Action, Resource, Role } from '@quarterdeck/contract/permissions'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Principal } from '../auth/principal.ts'

/** Who may call a route. */
export type Access =
  | { kind: 'public' }
  | { kind: 'signed-in' }
  | { kind: 'resource'; action: Action; resource: Resource }
  | { kind: 'roles'; roles: readonly Role[] }
  | { kind: 'agent' }

export const open: Access = { kind: 'public' }
export const signedIn: Access = { kind: 'signed-in' }
export const read = (resource: Resource): Access => ({ kind: 'resource', action: 'read', resource })
export const write = (resource: Resource): Access => ({ kind: 'resource', action: 'write', resource })
export const anyOf = (...roles: Role[]): Access => ({ kind: 'roles', roles })
export const agents: Access = { kind: 'agent' }

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

export interface Call<P, Q, B> {
  ctx: Context
  /** Absent only on public routes. */
  user: Principal
  params: Parsed<P>
  query: Parsed<Q>
  body: Parsed<B>
  request: FastifyRequest
  reply: FastifyReply
}

/** One non-data route as data: who may, what comes in, what goes out. Paths have no /api prefix; the app adds it. */
export interface Route<
  P extends z.ZodType | undefined = z.ZodType | undefined,
  Q extends z.ZodType | undefined = z.ZodType | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  access: Access
  summary: string
  params?: P
  query?: Q
  body?: B
  /** Answer shape, for OpenAPI. */
  output?: z.ZodType
  /** Largest body in bytes, when it differs from the default. */
  bodyLimit?: number
  handle(call: Call<P, Q, B>): unknown
}

export function route<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(definition: Route<P, Q, B>): Route {
  return definition as unknown as Route
}
