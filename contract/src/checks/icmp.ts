import { z } from 'zod'
import { common, threshold } from './common.ts'

export const IcmpCheck = z.looseObject({
  ...common,
  endpoint: z.string().min(1).describe('Host or address to ping'),
  thresholdMillis: threshold,
  packetLossThreshold: z.number().min(0).max(100).optional().describe('Percent of packets that may be lost'),
  packetCount: z.number().int().min(1).max(100).default(5),
})
export type IcmpCheck = z.infer<typeof IcmpCheck>
