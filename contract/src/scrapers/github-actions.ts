import { z } from 'zod'
import { connected, extraction, SecretText } from './common.ts'

export const GithubActionsScraper = z.looseObject({
  ...extraction,
  ...connected,
  owner: z.string().min(1).describe('User or organisation'),
  repository: z.string().min(1),
  personalAccessToken: SecretText.optional(),
  workflows: z
    .array(z.string())
    .optional()
    .describe('Names of workflows; * at the beginning or end stands for anything. All unless given'),
})
export type GithubActionsScraper = z.infer<typeof GithubActionsScraper>
