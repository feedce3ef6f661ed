import { ChangeVersions, ScrapeRunResult, TryScraper, TryScraperResult } from '@quarterdeck/contract/catalog'
import { z } from 'zod'
import { read, route, write } from '../../platform/http/route.ts'
import { runScraper } from './scrape/run-now.ts'
import { tryScraper } from './scrape/try.ts'
import { versionsOfChange } from './versions/versions.service.ts'

const ById = z.object({ id: z.uuid() })

export const catalogRoutes = [
  route({
    method: 'POST',
    path: '/config/run/:id',
    access: write('config_scrapers'),
    summary: 'Runs a scraper now',
    params: ById,
    output: ScrapeRunResult,
    handle: async ({ ctx, params, reply }) => reply.code(200).send(await runScraper(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/v1/scrapers/try',
    access: write('config_scrapers'),
    summary: 'Scrapes once without saving anything, and says what would be created, changed and deleted',
    body: TryScraper,
    output: TryScraperResult,
    handle: async ({ ctx, body, reply }) => reply.code(200).send(await tryScraper(ctx, body)),
  }),
  route({
    method: 'GET',
    path: '/v1/catalog/changes/:id/versions',
    access: read('database'),
    summary: 'An item before and after a change',
    params: ById,
    output: ChangeVersions,
    handle: ({ ctx, params }) => versionsOfChange(ctx, params.id),
  }),
]
