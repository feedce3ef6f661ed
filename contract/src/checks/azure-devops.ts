import { z } from 'zod'
import { SecretText, common, templated, threshold } from './common.ts'

export const AzureDevopsCheck = z.looseObject({
  ...common,
  ...templated,
  connection: z.string().optional(),
  personalAccessToken: SecretText.optional(),
  organization: z.string().optional(),
  project: z.string().min(1),
  pipeline: z.string().min(1).describe('Regular expression on the name'),
  variables: z.record(z.string(), z.string()).optional(),
  branch: z.array(z.string()).optional(),
  thresholdMillis: threshold,
})
export type AzureDevopsCheck = z.infer<typeof AzureDevopsCheck>
