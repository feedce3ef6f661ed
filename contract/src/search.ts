import { z } from 'zod'

/** What the command palette can find, in the order it is shown. */
export const searchKinds = ['check', 'config', 'component', 'incident', 'playbook'] as const
export type SearchKind = (typeof searchKinds)[number]

/** `GET /api/v1/search?q={text}&limit={hits of each kind}`. */
export const SearchQuery = z.object({
  q: z.string().trim().min(1).max(200),
  limit: z.coerce.number().int().min(1).max(20).default(5),
})

export const SearchHit = z.object({
  kind: z.enum(searchKinds),
  id: z.string(),
  name: z.string(),
  /** What sort of thing it is: the check type, the config type, the incident's severity. */
  type: z.string().nullable(),
  /** Tells things of the same name apart: namespace, category, incident number. */
  detail: z.string().nullable(),
  /** Health or status, for the sign in front. */
  status: z.string().nullable(),
})
export type SearchHit = z.infer<typeof SearchHit>

/** The best hits of each kind the person may read, best first. */
export const SearchAnswer = z.object({ results: z.array(SearchHit) })
export type SearchAnswer = z.infer<typeof SearchAnswer>
