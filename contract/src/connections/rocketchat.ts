import { host, part } from './address.ts'
import { password, port, property, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const rocketchat = {
  type: 'rocketchat',
  label: 'Rocketchat',
  category: 'notification',
  fields: [
    property('host', { required: true }),
    port(443),
    property('user', { label: 'User name', hint: 'Shown as the sender.' }),
    username({ label: 'Token A', kind: 'secret', required: true }),
    password({ label: 'Token B', required: true }),
    property('channel'),
  ],
  url: (values) => {
    const sender = values.user ? `${part(values.user)}@` : ''
    return `rocketchat://${sender}${host(values.host)}:${values.port ?? 443}/$(username)/$(password)/${part(values.channel)}`
  },
} satisfies ConnectionKind
