import { url } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const webhook = {
  type: 'webhook',
  label: 'Webhook',
  category: 'notification',
  fields: [url({ kind: 'secret', required: true })],
  test: 'Asks the address for its options; nothing is posted.',
} satisfies ConnectionKind
