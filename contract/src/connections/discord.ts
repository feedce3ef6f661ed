import { user } from './address.ts'
import { endpoint, password, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const discord = {
  type: 'discord',
  label: 'Discord',
  category: 'notification',
  fields: [
    username({ label: 'Webhook ID', required: true }),
    password({ label: 'Token', required: true }),
    endpoint('https://discord.com/api'),
  ],
  url: (values) => `discord://$(password)@${user(values)}`,
  test: 'Reads the webhook; nothing is posted.',
} satisfies ConnectionKind
