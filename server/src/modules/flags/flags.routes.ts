import { Property } from '@quarterdeck/contract/flags'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { tellPosition } from '../../platform/events/position-header.ts'
import { type Route, route, signedIn } from '../../platform/http/route.ts'
import { localProperties } from '../../platform/properties.ts'

/** The lines of the properties file, then the rows of the table that no line has; each says where it comes from. */
async function listProperties(ctx: Context): Promise<Property[]> {
  const local = localProperties(ctx.config)
  const rows = await ctx.db.query<{ name: string; value: string }>(
    'select name, value from properties where deleted_at is null order by name',
  )
  const property = (name: string, value: string, source: Property['source']): Property => ({
    name,
    value,
    source,
    type: '',
    description: '',
  })
  return [
    ...[...local].map(([name, value]) => property(name, value, 'local')),
    ...rows.filter(({ name }) => !local.has(name)).map(({ name, value }) => property(name, value, 'db')),
  ]
}

export const flagRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/properties',
    access: signedIn,
    summary: 'Lists properties, those of the local file over those of the database',
    output: z.array(Property),
    async handle({ ctx, reply }) {
      await tellPosition(ctx, reply)
      return listProperties(ctx)
    },
  }),
]
