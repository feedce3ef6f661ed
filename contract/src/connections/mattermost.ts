import { host, part, user } from './address.ts'
import { password, property, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const mattermost = {
  type: 'mattermost',
  label: 'Mattermost',
  category: 'notification',
  fields: [
    property('host', { required: true }),
    username({ label: 'User name', hint: 'Shown as the sender.' }),
    password({ label: 'Token', required: true, hint: 'The part of the webhook address after /hooks/.' }),
    property('channel'),
  ],
  url: (values) =>
    `mattermost://${values.username ? `${user(values)}@` : ''}${host(values.host)}/$(password)/${part(values.channel)}`,
} satisfies ConnectionKind
