import { hiddenValue, isReference, query } from './address.ts'
import { insecureTls, property, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const genericWebhook = {
  type: 'generic_webhook',
  label: 'Generic Webhook',
  category: 'notification',
  fields: [
    username({ key: 'webhook', label: 'Webhook URL', required: true, placeholder: 'https://example.com/hook' }),
    property('contentType', { label: 'Content type', default: 'application/json' }),
    property('requestMethod', {
      label: 'Method',
      kind: 'choice',
      default: 'POST',
      options: [
        { value: 'POST', label: 'POST' },
        { value: 'GET', label: 'GET' },
      ],
    }),
    property('key', { label: 'Message key', default: 'message' }),
    property('titleKey', { label: 'Title key', default: 'title' }),
    insecureTls,
  ],
  url: ({ webhook, insecure_tls: insecure, ...values }) => {
    const address = isReference(webhook) || webhook === hiddenValue ? '$(username)' : String(webhook ?? '')
    const settings = query({
      ContentType: values.contentType,
      MessageKey: values.key,
      TitleKey: values.titleKey,
      RequestMethod: values.requestMethod,
      DisableTLS: insecure === true || address.startsWith('http:'),
    })
    return `generic+${address}${address.includes('?') ? settings.replace('?', '&') : settings}`
  },
  test: 'Asks the address for its options; nothing is posted.',
} satisfies ConnectionKind
