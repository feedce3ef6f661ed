import { z } from 'zod'
import { common, connected, templated } from './common.ts'

export const AlertmanagerCheck = z.looseObject({
  ...common,
  ...connected,
  ...templated,
  alerts: z.array(z.string()).optional().describe('Names of alerts (regular expressions); all when empty'),
  filters: z.record(z.string(), z.string()).optional().describe('Labels that must match'),
  exclude_filters: z.record(z.string(), z.string()).optional().describe('Labels that must not be equal'),
  ignore: z.array(z.string()).optional().describe('Names of alerts to leave out'),
})
export type AlertmanagerCheck = z.infer<typeof AlertmanagerCheck>
