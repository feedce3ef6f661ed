import { z } from 'zod'
import { common, connected, templated } from './common.ts'

export const PostgresCheck = z.looseObject({
  ...common,
  ...connected,
  ...templated,
  query: z.string().default('SELECT 1').describe('Statement to run; templated'),
  results: z.number().int().min(0).optional().describe('Fewest rows that pass'),
})
export type PostgresCheck = z.infer<typeof PostgresCheck>
