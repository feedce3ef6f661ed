import { z } from 'zod'

/** The two questions of the catalog that the data API cannot answer: the summary by groups and the search of changes. */

const text = z.string().max(8_000).nullish()
const window = z.object({ since: z.string().max(40).nullish() }).nullish()

/** Body of POST /catalog/summary. */
export const SummaryRequest = z.object({
  /** `type` and `config_class` are columns, any other word is a tag. */
  groupBy: z.array(z.string().min(1).max(200)).max(8).nullish(),
  /** More tags to group by. */
  tags: z.array(z.string().min(1).max(200)).max(8).nullish(),
  /** Labels the items must have. */
  filter: z.record(z.string().max(400), z.string().max(2_000)).nullish(),
  /** Lists such as `Running,!Failed`. */
  status: text,
  health: text,
  /** Ours: tags the items must have, as a selector: `region in (eu,us),env!=dev`. */
  tag_selector: text,
  deleted: z.boolean().nullish(),
  changes: window,
  analysis: window,
  cost: z.string().max(10).nullish(),
})
export type SummaryRequest = z.infer<typeof SummaryRequest>

export const costWindows = ['1d', '7d', '30d'] as const
export type CostWindow = (typeof costWindows)[number]

/** One group; beside these every word of groupBy is a key with the group's value. */
export const SummaryRow = z.looseObject({
  type: z.string().nullish(),
  count: z.number(),
  health: z.record(z.string(), z.number()).nullish(),
  changes: z.number().nullish(),
  analysis: z.record(z.string(), z.number()).nullish(),
  cost_total_30d: z.number().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
})
export type SummaryRow = z.infer<typeof SummaryRow>

export const recursions = ['none', 'upstream', 'downstream', 'all'] as const
export type Recursion = (typeof recursions)[number]

/** Columns that changes can be sorted by; a leading `-` turns the order round. */
export const changeSortColumns = [
  'name',
  'type',
  'change_type',
  'severity',
  'summary',
  'source',
  'created_at',
  'first_observed',
  'count',
] as const

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')]).nullish()

/** Body of POST /catalog/changes, and parameters of the GET that older clients use. */
export const ChangesRequest = z.object({
  /** One item with those around it, or a list of items. */
  id: text,
  config_type: text,
  type: text,
  /** The least severity; with a leading `!` severities to leave out. */
  severity: text,
  summary: text,
  source: text,
  created_by: text,
  tags: text,
  agent_id: text,
  from: z.string().max(80).nullish(),
  to: z.string().max(80).nullish(),
  page: z.coerce.number().int().min(1).max(1_000_000).nullish(),
  page_size: z.coerce.number().int().min(1).max(2_000).nullish(),
  sort_by: z.string().max(80).nullish(),
  recursive: z.string().max(20).nullish(),
  depth: z.coerce.number().int().min(1).max(20).nullish(),
  include_deleted_configs: flag,
})
export type ChangesRequest = z.infer<typeof ChangesRequest>

export const CatalogChange = z.object({
  id: z.string(),
  config_id: z.string(),
  name: z.string().nullish(),
  type: z.string().nullish(),
  tags: z.record(z.string(), z.unknown()).nullish(),
  agent_id: z.string().nullish(),
  change_type: z.string().nullish(),
  severity: z.string().nullish(),
  source: z.string().nullish(),
  summary: z.string().nullish(),
  created_by: z.string().nullish(),
  external_created_by: z.string().nullish(),
  external_change_id: z.string().nullish(),
  created_at: z.string(),
  first_observed: z.string().nullish(),
  count: z.number(),
})
export type CatalogChange = z.infer<typeof CatalogChange>

/** Keys without anything to say are left out; nothing found is `{}`. */
export const ChangesAnswer = z.object({
  /** How many of each type are on this page. */
  summary: z.record(z.string(), z.number()).optional(),
  total: z.number().optional(),
  changes: z.array(CatalogChange).optional(),
})
export type ChangesAnswer = z.infer<typeof ChangesAnswer>
