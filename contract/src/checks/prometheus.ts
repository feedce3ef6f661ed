import { z } from 'zod'
import { SecretText, common, connected, templated } from './common.ts'

export const PrometheusCheck = z.looseObject({
  ...common,
  ...connected,
  ...templated,
  host: z.string().optional().describe('No longer used; set url'),
  query: z.string().min(1).describe('PromQL'),
  bearer: SecretText.optional(),
  oauth: z.looseObject({}).optional(),
  tls: z.looseObject({}).optional(),
  ntlm: z.boolean().optional(),
  digest: z.boolean().optional(),
})
export type PrometheusCheck = z.infer<typeof PrometheusCheck>
