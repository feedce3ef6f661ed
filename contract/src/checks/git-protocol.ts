import { z } from 'zod'
import { SecretText, common, templated } from './common.ts'

export const GitProtocolCheck = z.looseObject({
  ...common,
  ...templated,
  repository: z.string().min(1),
  username: SecretText.optional(),
  password: SecretText.optional(),
  filename: z.string().default('test.txt'),
})
export type GitProtocolCheck = z.infer<typeof GitProtocolCheck>
