import { user } from './address.ts'
import { endpoint, password, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const telegram = {
  type: 'telegram',
  label: 'Telegram',
  category: 'notification',
  fields: [
    username({ label: 'Chats', required: true, hint: 'Ids or @names, separated by commas.' }),
    password({ label: 'Token', required: true }),
    endpoint('https://api.telegram.org'),
  ],
  url: (values) => `telegram://$(password)@telegram/?Chats=${user(values)}`,
  test: 'Asks Telegram which bot the token belongs to; nothing is sent.',
} satisfies ConnectionKind
