import { ChartDefinition, chartIds } from '@quarterdeck/contract/charts'
import { can } from '@quarterdeck/contract/permissions'
import { hidden, relations } from '@quarterdeck/contract/relations'
import { z } from 'zod'
import { forbidden, notFound } from '../../platform/errors.ts'
import { read, type Route, route, signedIn } from '../../platform/http/route.ts'
import { chartDefinition } from './chart.service.ts'
import { aboutResource } from './uses.service.ts'
import { isKnownTable } from './uses.sql.ts'

const Use = z.object({ what: z.string(), count: z.number(), names: z.array(z.string()), blocks: z.boolean() })

export const integrationRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/integrations/charts/:id',
    access: read('integrations'),
    summary: 'Name, version and schema of the values of a chart, from the registry of charts',
    params: z.object({ id: z.enum(chartIds) }),
    output: ChartDefinition,
    handle: ({ ctx, params }) => chartDefinition(ctx, params.id),
  }),
  route({
    method: 'GET',
    path: '/v1/resources/:table/:id/about',
    access: signedIn,
    summary: 'Which file keeps a definition, and what uses it',
    params: z.object({ table: z.string().max(63), id: z.string().min(1).max(500) }),
    output: z.object({ file: z.string().nullable(), uses: z.array(Use) }),
    handle({ ctx, user, params }) {
      const rule = relations[params.table]
      if (!isKnownTable(params.table) || rule === undefined || rule === hidden) throw notFound('The table')
      if (!can(user.roles, 'read', rule.read)) throw forbidden()
      return aboutResource(ctx, params.table, params.id)
    },
  }),
]
