import { z } from 'zod'

/** Something that names a connection. */
export const ConnectionUse = z.object({
  /** What it is, in words: `health check`, `playbook`. */
  kind: z.string(),
  /** Its table, for links. */
  table: z.string(),
  id: z.string(),
  name: z.string(),
  namespace: z.string().nullable(),
})
export type ConnectionUse = z.infer<typeof ConnectionUse>

export const ConnectionUsage = z.object({
  used_by: z.array(ConnectionUse),
  last_used_at: z.string().nullable(),
  last_used_by: z.string().nullable(),
})
export type ConnectionUsage = z.infer<typeof ConnectionUsage>
