import { z } from 'zod'
import { common, connected } from './common.ts'

export const RedisCheck = z.looseObject({
  ...common,
  ...connected,
  addr: z.string().optional().describe('Old name of url'),
  db: z.number().int().min(0).optional(),
})
export type RedisCheck = z.infer<typeof RedisCheck>
