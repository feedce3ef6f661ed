import { z } from 'zod'
import { common, threshold } from './common.ts'

export const TcpCheck = z.looseObject({
  ...common,
  endpoint: z
    .string()
    .regex(/^(\[[^\]]+\]|[^:]+):\d{1,5}$/, 'must be host:port')
    .describe('host:port'),
  thresholdMillis: threshold,
})
export type TcpCheck = z.infer<typeof TcpCheck>
