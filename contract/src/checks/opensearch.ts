import { z } from 'zod'
import { common, connected, templated } from './common.ts'

export const OpensearchCheck = z.looseObject({
  ...common,
  ...connected,
  ...templated,
  index: z.string().optional(),
  query: z.string().optional().describe('Search body as JSON'),
  results: z.number().int().min(0).default(0).describe('Hits that must be found, exactly'),
})
export type OpensearchCheck = z.infer<typeof OpensearchCheck>
