import { ConnectionUsage } from '@quarterdeck/contract/connections/usage'
import { z } from 'zod'
import { notFound } from '../../platform/errors.ts'
import { read, type Route, route, write } from '../../platform/http/route.ts'
import { isUuid } from '../../platform/ids.ts'
import { connectionWithUse } from './connections.sql.ts'
import { testConnection } from './test.service.ts'
import { usesOf } from './usage.service.ts'

const Id = z.object({ id: z.string() })

export const connectionRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/connection/test/:id',
    access: write('connections'),
    summary: 'Tries a stored connection for real',
    params: Id,
    output: z.object({ message: z.literal('ok') }),
    async handle({ ctx, user, params }) {
      await testConnection(ctx, params.id, user)
      return { message: 'ok' }
    },
  }),
  route({
    method: 'GET',
    path: '/v1/connections/:id/usage',
    access: read('connections'),
    summary: 'What names a connection, and who used it last',
    params: Id,
    output: ConnectionUsage,
    async handle({ ctx, params }): Promise<ConnectionUsage> {
      const row = isUuid(params.id) ? await connectionWithUse(ctx.db, params.id) : undefined
      if (!row) throw notFound('connection')
      return {
        used_by: await usesOf(ctx.db, row),
        last_used_at: row.last_used_at?.toISOString() ?? null,
        last_used_by: row.last_used_by,
      }
    },
  }),
]
