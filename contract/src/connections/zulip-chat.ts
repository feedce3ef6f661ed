import { host, user } from './address.ts'
import { insecureTls, password, property, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const zulipChat = {
  type: 'zulip_chat',
  label: 'Zulip Chat',
  category: 'notification',
  fields: [
    username({ label: 'Bot e-mail', required: true }),
    password({ label: 'API key', required: true }),
    property('host', { required: true, placeholder: 'acme.zulipchat.com' }),
    insecureTls,
  ],
  url: (values) => `zulip://${user(values)}:$(password)@${host(values.host)}/`,
  test: 'Reads the user that the key belongs to.',
} satisfies ConnectionKind
