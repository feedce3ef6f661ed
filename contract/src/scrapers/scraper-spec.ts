import { z } from 'zod'
import { DurationText, ScheduleText } from '../documents.ts'
import { scraperSchemas } from './index.ts'

/** Kinds that are kept in a spec even where nothing runs them here. */
const known = [
  'aws',
  'azure',
  'azureDevops',
  'gcp',
  'githubActions',
  'kubernetes',
  'kubernetesFile',
  'slack',
  'terraform',
  'trivy',
] as const
const idle = known.filter((key) => !(key in scraperSchemas))
const idleList = z.array(z.looseObject({})).optional().describe('Kept, but not run by this server')

const lists = Object.fromEntries(
  Object.entries(scraperSchemas).map(([key, { label, schema }]) => [
    key,
    z
      .array(schema as z.ZodType)
      .optional()
      .describe(`${label} scrapers`),
  ]),
)

const ChangeRetention = z
  .strictObject({
    name: z.string().min(1).describe('Change type'),
    age: DurationText.optional().describe('Older ones go'),
    count: z.int().min(0).optional().describe('So many of each item stay'),
  })
  .refine((rule) => rule.age !== undefined || rule.count !== undefined, 'age or count is needed')

export const ScraperRetention = z.strictObject({
  changes: z.array(ChangeRetention).optional(),
  types: z
    .array(
      z.strictObject({
        name: z.string().optional(),
        createdAge: DurationText.optional(),
        updatedAge: DurationText.optional(),
        deletedAge: DurationText.optional(),
      }),
    )
    .optional()
    .describe('Kept, but not applied'),
  staleItemAge: z
    .union([z.literal('keep'), DurationText])
    .optional()
    .describe('Items not seen for so long are deleted, 24h unless given; keep never deletes'),
})
export type ScraperRetention = z.infer<typeof ScraperRetention>

/** What a scraper holds: a schedule, retention, and lists of sources, one list per kind. Unknown keys are refused. */
export const ScraperSpec = z.strictObject({
  schedule: z
    .union([z.literal(''), ScheduleText])
    .optional()
    .describe('When it runs: @every 1h, @daily, or five cron fields; @every 60m unless given'),
  logLevel: z.string().optional(),
  full: z.boolean().optional().describe('Documents are {config, changes}: an item together with its changes'),
  crdSync: z
    .boolean()
    .optional()
    .describe('Canaries, topologies, playbooks and other documents of this product found in the cluster become rows'),
  retention: ScraperRetention.optional(),
  icon: z.string().optional(),
  ...lists,
  ...Object.fromEntries(idle.map((key) => [key, idleList])),
})
export type ScraperSpec = z.infer<typeof ScraperSpec>

export const defaultScraperSchedule = '@every 60m'
