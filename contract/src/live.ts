import { z } from 'zod'

export { familiesOfRelation, type QueryFamily, queryFamilies, staleFamilies } from './query-families.ts'

/** Address of the stream of changes (server-sent events). */
export const livePath = '/api/events'

/** One relation that changed. Never data: whoever wants it reads it again, with their own rights. */
export const LiveChange = z.object({
  /** Table that changed, for example `checks`. */
  relation: z.string(),
  /** Rows that changed; empty means any. */
  ids: z.array(z.string()),
})
export type LiveChange = z.infer<typeof LiveChange>

/**
 * What an event of the stream holds. Event `change`: what changed since the last one, at most four a second.
 * Event `refetch`: changes were missed, everything may be stale. Event `end`: the session is over, do not come back.
 * Event `beat`: nothing happened, the stream still stands; a reader that misses it sits on a dead connection.
 */
export const LiveEvent = z.object({ changes: z.array(LiveChange) })
export type LiveEvent = z.infer<typeof LiveEvent>
export const liveEventNames = ['change', 'refetch', 'end', 'beat'] as const
export type LiveEventName = (typeof liveEventNames)[number]
