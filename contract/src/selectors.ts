import { z } from 'zod'

const text = z.string().max(4_000).nullish()
const texts = z.array(z.string().max(1_000)).max(1_000).nullish()

/** Says which catalog items, checks or components are meant. An empty one means none. */
export const ResourceSelector = z.object({
  id: text,
  name: text,
  namespace: text,
  /** Empty: this server's own; `all`: any; otherwise an agent's id or name. */
  agent: text,
  /** The scraper, canary or topology they come from, by id or `namespace/name`. */
  scope: text,
  /** `no-cache`, `no-store` or `max-age=<duration>`. */
  cache: text,
  /** Beginning of the name, of a tag or of a label value. */
  search: text,
  includeDeleted: z.boolean().nullish(),
  types: texts,
  statuses: texts,
  tagSelector: text,
  labelSelector: text,
  fieldSelector: text,
})
export type ResourceSelector = z.infer<typeof ResourceSelector>

export const resourceKinds = ['configs', 'checks', 'components'] as const
export type ResourceKind = (typeof resourceKinds)[number]

const selectors = z.array(ResourceSelector).max(100).nullish()

/** Body of POST /resources/search. */
export const ResourceSearch = z.object({ configs: selectors, checks: selectors, components: selectors })

export const FoundResource = z.object({
  id: z.string(),
  /** The agent's id. */
  agent: z.string(),
  name: z.string(),
  namespace: z.string(),
  type: z.string(),
  icon: z.string().optional(),
  tags: z.record(z.string(), z.string()).optional(),
})
export type FoundResource = z.infer<typeof FoundResource>

const found = z.array(FoundResource).optional()
export const ResourceSearchAnswer = z.object({ configs: found, checks: found, components: found })
