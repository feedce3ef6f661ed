import { z } from 'zod'

/** What a server offers beyond the shared API; a server that does not answer this offers nothing beyond it. */
export const Capabilities = z.object({
  version: z.string(),
  /** Who signs people in. */
  auth: z.enum(['builtin', 'kratos', 'clerk', 'plain', 'none']),
  /** What the console needs to show the hosted provider's own forms; there when `auth` is clerk. */
  hosted: z.object({ publishable_key: z.string() }).optional(),
  /** Anybody may make an account for themselves. */
  registration: z.boolean().optional(),
  /** `health` answers only the health-check part. */
  deployment: z.enum(['full', 'health']),
  /** Areas whose engine and screens this server has. */
  areas: z.array(z.string()),
  /** Changes are announced at /api/events. */
  live: z.boolean(),
  /** /api/v1/search answers the command palette. */
  search: z.boolean(),
  /** The operator allows the UI-snippet property to run script. */
  snippets: z.boolean(),
})
export type Capabilities = z.infer<typeof Capabilities>
