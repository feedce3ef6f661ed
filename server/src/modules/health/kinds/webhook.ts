import { WebhookCheck } from '@quarterdeck/contract/checks/webhook'
import type { CheckKind } from '../kind.ts'

/** Its results come in by calls (webhook.service.ts); there is nothing to run on a schedule. */
export const webhook: CheckKind<WebhookCheck> = {
  key: 'webhook',
  schema: WebhookCheck,
  templatable: true,
  onDemand: true,
  endpoint: (spec) => `/webhook/${spec.name}`,
  run: async () => ({ pass: true, duration: 0, message: 'waits for calls' }),
}
