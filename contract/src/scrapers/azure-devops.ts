import { z } from 'zod'
import { connected, extraction, SecretText } from './common.ts'

export const AzureDevopsScraper = z.looseObject({
  ...extraction,
  ...connected,
  id: z.string().optional().describe('CEL over project, pipeline and organization; project/pipeline unless given'),
  organization: z.string().optional().describe('That of the connection unless given'),
  personalAccessToken: SecretText.optional(),
  projects: z.array(z.string()).min(1).describe('Names of projects; * at the beginning or end stands for anything'),
  pipelines: z
    .array(z.string())
    .optional()
    .describe('Names of pipelines; * at the beginning or end stands for anything. All unless given'),
})
export type AzureDevopsScraper = z.infer<typeof AzureDevopsScraper>
