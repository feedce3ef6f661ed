import { part, user } from './address.ts'
import { property, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const ifttt = {
  type: 'ifttt',
  label: 'IFTTT',
  category: 'notification',
  fields: [
    username({ label: 'Webhook ID', kind: 'secret', required: true }),
    property('events', { hint: 'Names of events, separated by commas.' }),
  ],
  url: (values) => `ifttt://${user(values)}${values.events ? `/?events=${part(values.events)}` : ''}`,
} satisfies ConnectionKind
