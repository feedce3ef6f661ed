import { text } from '@/ui/form/declare.ts'
import { type CheckKind, details, name, startWith, threshold } from './kind.ts'

export const tcp: CheckKind = {
  key: 'tcp',
  label: 'TCP',
  icon: 'tcp',
  fields: [
    name,
    text('endpoint', {
      label: 'URL',
      required: true,
      placeholder: 'host:port',
      pattern: /^(\[[^\]]+\]|[^:]+):\d{1,5}$/,
      patternMessage: 'Enter host:port',
    }),
    threshold,
    details,
  ],
  start: startWith('tcp', { endpoint: '' }),
}
