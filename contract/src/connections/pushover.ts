import { user } from './address.ts'
import { endpoint, password, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const pushover = {
  type: 'pushover',
  label: 'Pushover',
  category: 'notification',
  fields: [
    username({ label: 'User key', required: true }),
    password({ label: 'API token', required: true }),
    endpoint('https://api.pushover.net'),
  ],
  url: (values) => `pushover://:$(password)@${user(values)}/`,
  test: 'Asks whether token and user key are valid.',
} satisfies ConnectionKind
