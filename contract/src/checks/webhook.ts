import { z } from 'zod'
import { SecretText, common, templated } from './common.ts'

export const WebhookCheck = z.looseObject({
  ...common,
  ...templated,
  token: SecretText.optional().describe('What callers must present; without it the hook is open'),
})
export type WebhookCheck = z.infer<typeof WebhookCheck>
