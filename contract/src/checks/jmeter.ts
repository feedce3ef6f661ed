import { z } from 'zod'
import { EnvVar, common } from './common.ts'

export const JmeterCheck = z.looseObject({
  ...common,
  jmx: EnvVar.describe('The test plan'),
  host: z.string().optional(),
  port: z.number().int().optional(),
  properties: z.array(z.string()).optional(),
  systemProperties: z.array(z.string()).optional(),
  responseDuration: z.string().optional().describe('Longest time all samples together may take'),
})
export type JmeterCheck = z.infer<typeof JmeterCheck>
