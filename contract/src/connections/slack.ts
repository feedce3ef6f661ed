import { user } from './address.ts'
import { endpoint, password, property, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const slack = {
  type: 'slack',
  label: 'Slack',
  category: 'notification',
  fields: [
    username({ label: 'Channel', required: true }),
    password({ label: 'Bot token', required: true }),
    property('BotName', { label: 'Bot name' }),
    endpoint('https://slack.com/api'),
  ],
  url: (values) => `slack://$(password)@${user(values)}`,
  test: 'Asks Slack whose token it is (auth.test); nothing is posted.',
} satisfies ConnectionKind
