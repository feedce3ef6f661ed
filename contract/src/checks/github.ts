import { z } from 'zod'
import { SecretText, common, templated } from './common.ts'

export const GithubCheck = z.looseObject({
  ...common,
  ...templated,
  connection: z.string().optional(),
  githubToken: SecretText.optional(),
  query: z.string().min(1),
})
export type GithubCheck = z.infer<typeof GithubCheck>
