import { url } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const slackwebhook = {
  type: 'slackwebhook',
  label: 'Slack webhook',
  category: 'notification',
  fields: [url({ kind: 'secret', required: true, placeholder: 'https://hooks.slack.com/services/…' })],
  test: 'Sends an empty message, which Slack refuses without posting it.',
} satisfies ConnectionKind
