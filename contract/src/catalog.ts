import { z } from 'zod'

/** Calls of the catalog beyond the data API. */

const Tried = z.object({
  /** Id the item has or would have. */
  id: z.uuid(),
  external_id: z.string(),
  type: z.string(),
  config_class: z.string(),
  name: z.string(),
  status: z.string().nullable(),
  health: z.string().nullable(),
  description: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  tags: z.record(z.string(), z.string()),
})

/** `POST /v1/scrapers/try`; with the id of a stored scraper the answer also says what it would delete. */
export const TryScraper = z.object({
  spec: z.record(z.string(), z.unknown()),
  id: z.uuid().optional(),
  name: z.string().max(253).optional(),
  namespace: z.string().max(253).optional(),
})
export type TryScraper = z.infer<typeof TryScraper>

export const TryScraperResult = z.object({
  created: z.array(
    Tried.extend({ config: z.unknown().describe('The document; left out when the answer would be too large') }),
  ),
  changed: z.array(
    Tried.extend({
      summary: z.string().describe('Changed places of the document, or changed columns'),
      diff: z.string().describe('Unified; empty when only columns beside the document changed'),
    }),
  ),
  deleted: z.array(Tried.pick({ id: true, external_id: true, type: true, name: true })),
  stale_after_ms: z
    .number()
    .optional()
    .describe('Items that are no longer found are deleted once they have been out of sight for so long'),
  unchanged: z.int(),
  changes: z.array(
    z.object({
      config_id: z.uuid().nullable(),
      external_id: z.string().nullable(),
      config_type: z.string().nullable(),
      change_type: z.string(),
      severity: z.string().nullable(),
      summary: z.string().nullable(),
      source: z.string().nullable(),
      created_at: z.string().nullable(),
    }),
  ),
  insights: z.array(
    z.object({
      config_id: z.uuid().nullable(),
      external_id: z.string().nullable(),
      config_type: z.string().nullable(),
      analyzer: z.string(),
      analysis_type: z.string(),
      severity: z.string(),
      summary: z.string().nullable(),
      message: z.string(),
    }),
  ),
  relationships: z.int(),
  errors: z.array(z.object({ item: z.string().optional(), message: z.string() })),
  /** How many there really were, where a list was cut. */
  totals: z.object({
    created: z.int(),
    changed: z.int(),
    deleted: z.int(),
    changes: z.int(),
    insights: z.int(),
    errors: z.int(),
  }),
  logs: z.array(z.string()).optional(),
  duration_ms: z.int(),
})
export type TryScraperResult = z.infer<typeof TryScraperResult>

/** `POST /config/run/:id` answers with the details of the run, as job_history has them. */
export const ScrapeRunResult = z.object({
  status: z.string(),
  success_count: z.int(),
  error_count: z.int(),
  details: z.object({
    errors: z.array(z.string()).optional(),
    scrape_summary: z
      .record(
        z.string(),
        z.object({
          added: z.int(),
          updated: z.int(),
          unchanged: z.int(),
          change: z
            .object({
              orphaned: z.record(z.string(), z.int()).optional(),
              ignored: z.record(z.string(), z.int()).optional(),
            })
            .optional(),
        }),
      )
      .optional(),
  }),
})
export type ScrapeRunResult = z.infer<typeof ScrapeRunResult>

/** `GET /v1/catalog/changes/:id/versions`: the item before and after a change. */
export const ChangeVersions = z.object({
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  complete: z.boolean().describe('Both sides are exactly what the item was'),
  reason: z.string().optional().describe('Why not'),
})
export type ChangeVersions = z.infer<typeof ChangeVersions>
