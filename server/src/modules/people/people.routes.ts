import { hostname } from 'node:os'
import { Readable } from 'node:stream'
import {
  AccessExplanation,
  AuditPage,
  CreatedToken,
  InviteUser,
  Invited,
  NewToken,
  OwnToken,
  Policy,
  UpdateRole,
  UpdateState,
  WhoAmI,
} from '@quarterdeck/contract/identity'
import { can, effectiveRoles } from '@quarterdeck/contract/permissions'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { publicOrigin } from '../../platform/auth/origin.ts'
import type { Principal } from '../../platform/auth/principal.ts'
import { badRequest, forbidden, notFound, notImplemented } from '../../platform/errors.ts'
import { tellPosition } from '../../platform/events/position-header.ts'
import { anyOf, open, read, type Route, route, signedIn, write } from '../../platform/http/route.ts'
import { allPolicies, explainAccess, policiesOf } from './access.ts'
import { auditCsv, auditPage, AuditQuery } from './audit-log.ts'
import { invitePerson, renewLink } from './invites.service.ts'
import { kubeconfig, tenantOf } from './kubeconfig.ts'
import { setRoles, setState } from './people.service.ts'
import { personById, reachOf } from './people.sql.ts'
import { createToken, listTokens, revokeToken } from './tokens.service.ts'

const id = z.object({ id: z.uuid() })
const act = (user: Principal, request: FastifyRequest) => ({ by: user, request })

/** Where the API answers for this caller: `https://host/api`, or the root of the second listener. */
function apiBase(ctx: Context, request: FastifyRequest): string {
  return publicOrigin(ctx, request) + (request.url.startsWith('/api/') ? '/api' : '')
}
const identityBase = (ctx: Context, request: FastifyRequest) =>
  publicOrigin(ctx, request) + (request.url.startsWith('/api/') ? '/api/.ory' : '/kratos')

async function whoami(ctx: Context, user: Principal): Promise<WhoAmI> {
  const person = await personById(ctx.db, user.id)
  if (!person) throw notFound('The signed-in person')
  // A token may do less than its person.
  const roles = user.viaToken ? user.roles : person.roles
  const { email, avatar, type, external_id, properties } = person
  const optional = Object.fromEntries(
    Object.entries({ email, avatar, type, external_id }).filter(([, value]) => value !== null),
  )
  return {
    message: 'success',
    payload: {
      user: { id: person.id, name: person.name || (email ?? ''), ...optional, properties: properties ?? {} },
      roles: [...new Set(roles)],
      permissions: policiesOf(effectiveRoles(roles)),
      hostname: hostname(),
    },
  }
}

async function explain(ctx: Context, user: Principal, personId: string): Promise<AccessExplanation> {
  if (user.id !== personId && !can(user.roles, 'read', 'rbac')) throw forbidden()
  const person = await personById(ctx.db, personId)
  if (!person) throw notFound('The person')
  const reach = await reachOf(ctx.db, personId, ctx.clock.now())
  const { id: key, name, email, state, roles: stored } = person
  return explainAccess({ person: { id: key, name, email, state }, stored, reach })
}

/** Whoever finds a token must not make it into more, nor take the others away. */
function refuseTokens(user: Principal): void {
  if (user.viaToken) throw forbidden('An access token cannot make or revoke access tokens')
}

export const peopleRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/auth/whoami',
    access: signedIn,
    summary: 'Answers the signed-in person with roles and rights',
    output: WhoAmI,
    async handle({ ctx, user, reply }) {
      await tellPosition(ctx, reply)
      return whoami(ctx, user)
    },
  }),
  route({
    method: 'POST',
    path: '/auth/invite_user',
    access: write('identities'),
    summary: 'Invites a person by mail, or answers the link to hand over',
    body: InviteUser,
    output: Invited,
    handle: ({ ctx, user, body, request }) => invitePerson(ctx, act(user, request), body, identityBase(ctx, request)),
  }),
  route({
    method: 'POST',
    path: '/v1/people/:id/link',
    access: write('identities'),
    summary: 'Makes a new link that lets a person set a password',
    params: id,
    output: Invited,
    handle: ({ ctx, user, params, request }) =>
      renewLink(ctx, act(user, request), params.id, identityBase(ctx, request)),
  }),
  route({
    method: 'POST',
    path: '/auth/:id/update_state',
    access: write('identities'),
    summary: 'Activates or deactivates an account',
    params: id,
    body: UpdateState,
    handle: async ({ ctx, user, params, body, request }) => {
      if (body.id !== undefined && body.id !== params.id)
        throw badRequest('The id in the body is not the one of the address')
      await setState(ctx, act(user, request), params.id, body.state)
      return { message: 'success' }
    },
  }),
  route({
    method: 'POST',
    path: '/auth/:id/properties',
    access: signedIn,
    summary: 'Merges properties into a person',
    params: id,
    body: z.record(z.string().max(200), z.json()),
    bodyLimit: 64 * 1024,
    handle: async ({ ctx, user, params, body }) => {
      if (user.id !== params.id && !can(user.roles, 'write', 'identities')) throw forbidden()
      const updated = await ctx.db.run(
        `update people set properties = coalesce(properties, '{}') || $2 where id = $1 and deleted_at is null`,
        [params.id, JSON.stringify(body)],
      )
      if (updated === 0) throw notFound('The person')
      return { message: 'success' }
    },
  }),
  route({
    method: 'POST',
    path: '/rbac/:id/update_role',
    access: write('rbac'),
    summary: 'Gives a person exactly these roles',
    params: id,
    body: UpdateRole,
    handle: async ({ ctx, user, params, body, request }) => {
      await setRoles(ctx, act(user, request), params.id, body.roles)
      return { message: 'Role updated successfully' }
    },
  }),
  route({
    method: 'GET',
    path: '/rbac/dump',
    access: read('rbac'),
    summary: 'Lists every policy',
    output: z.array(Policy),
    handle: () => allPolicies(),
  }),
  route({
    method: 'GET',
    path: '/v1/access/:id',
    access: signedIn,
    summary: 'Explains what a person may do, and why',
    params: id,
    output: AccessExplanation,
    handle: ({ ctx, user, params }) => explain(ctx, user, params.id),
  }),
  route({
    method: 'GET',
    path: '/v1/audit',
    access: anyOf('admin'),
    summary: 'Lists the audit log, or exports it as CSV',
    query: AuditQuery,
    output: AuditPage,
    handle: ({ ctx, query, request, reply }) => {
      const wantsCsv = query.format === 'csv' || (!query.format && request.headers.accept?.startsWith('text/csv'))
      if (!wantsCsv) return auditPage(ctx.db, query)
      void reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="audit-log.csv"')
      return reply.send(Readable.from(auditCsv(ctx.db, query)))
    },
  }),
  route({
    method: 'GET',
    path: '/v1/tokens',
    access: signedIn,
    summary: 'Lists the access tokens of the signed-in person',
    output: z.array(OwnToken),
    handle: async ({ ctx, user }) =>
      (await listTokens(ctx, user.id)).map(({ id: key, name, created_at, expires_at, roles }) => ({
        id: key,
        name,
        created_at: created_at.toISOString(),
        expires_at: expires_at?.toISOString() ?? null,
        roles,
      })),
  }),
  route({
    method: 'POST',
    path: '/v1/tokens',
    access: signedIn,
    summary: 'Makes an access token of the signed-in person, shown once',
    body: NewToken,
    output: CreatedToken,
    handle: ({ ctx, user, body, request }) => {
      refuseTokens(user)
      const expiresAt = new Date(ctx.clock.now().getTime() + body.days * 24 * 3_600_000)
      const { name, roles } = body
      return createToken(ctx, act(user, request), { person: user.id, name, expiresAt, roles })
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/tokens/:id',
    access: signedIn,
    summary: 'Revokes an access token of the signed-in person',
    params: id,
    handle: async ({ ctx, user, params, request, reply }) => {
      refuseTokens(user)
      await revokeToken(ctx, act(user, request), params.id, user.id)
      return reply.code(204).send()
    },
  }),
  route({
    method: 'GET',
    path: '/kubeconfig',
    access: anyOf('admin', 'editor'),
    summary: 'Downloads a kubeconfig with a fresh access token',
    handle: async ({ ctx, user, request, reply }) => {
      // The one it makes has no end and no bounds.
      refuseTokens(user)
      if (request.headers['sec-fetch-site'] === 'cross-site')
        throw forbidden('Open this from the console: a link on another site must not make a token')
      const api = apiBase(ctx, request)
      const file = `attachment; filename=${tenantOf(api)}-kubeconfig.yaml`
      void reply
        .type('text/yaml; charset=utf-8')
        .header('content-disposition', file)
        .header('cache-control', 'no-store')
      // A look at the headers makes no token.
      if (request.method === 'HEAD') return reply.send()
      const name = `kubeconfig-${ctx.clock.now().toISOString()}`
      const { token } = await createToken(ctx, act(user, request), { person: user.id, name, expiresAt: null })
      return reply.send(kubeconfig({ api, token }))
    },
  }),
  ...(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
    route({
      method,
      path: '/kubeproxy/*',
      access: open,
      summary: 'Says that the Kubernetes proxy is not there',
      handle: () => {
        throw notImplemented('This server does not forward to Kubernetes clusters')
      },
    }),
  ),
]
