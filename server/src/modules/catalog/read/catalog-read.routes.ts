import { ChangesAnswer, ChangesRequest, SummaryRequest, SummaryRow } from '@quarterdeck/contract/catalog-read'
import { z } from 'zod'
import { read, type Route, route } from '../../../platform/http/route.ts'
import { changeSearch } from './changes.service.ts'
import { catalogSummary } from './summary.service.ts'

/** The catalog's front page and the search of changes; everything else of the catalog is read through the data API. */
export function catalogReadRoutes(): Route[] {
  const summary = catalogSummary()
  const search = changeSearch()
  return [
    route({
      method: 'POST',
      path: '/catalog/summary',
      access: read('database'),
      summary: 'Catalog items by type or tag: how many, how healthy, how much they changed and cost',
      body: SummaryRequest,
      output: z.array(SummaryRow).nullable(),
      handle: async ({ ctx, body, reply }) =>
        // Nothing found is the JSON word null, which must not be taken for "no answer".
        reply
          .code(200)
          .type('application/json; charset=utf-8')
          .send(JSON.stringify(await summary(ctx, body))),
    }),
    route({
      method: 'POST',
      path: '/catalog/changes',
      access: read('database'),
      summary: 'Changes of catalog items and of the items around one, filtered and by pages',
      body: ChangesRequest,
      output: ChangesAnswer,
      handle: async ({ ctx, body, reply }) => reply.code(200).send(await search(ctx, body)),
    }),
    route({
      method: 'GET',
      path: '/catalog/changes',
      access: read('database'),
      summary: 'The same with parameters in the address, for older clients',
      query: ChangesRequest,
      output: ChangesAnswer,
      handle: async ({ ctx, query, reply }) => reply.code(200).send(await search(ctx, query)),
    }),
  ]
}
