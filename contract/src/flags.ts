import { z } from 'zod'

export { type Feature, features, flagName, isDisabled, parentOf } from './features.ts'

/** One row of `GET /api/properties`: the local file merged over the database. */
export const Property = z.object({
  name: z.string(),
  value: z.string(),
  source: z.enum(['local', 'db']),
  type: z.string(),
  description: z.string(),
})
export type Property = z.infer<typeof Property>
