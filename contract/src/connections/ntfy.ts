import { host, part, query, user } from './address.ts'
import { insecureTls, password, property, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const ntfy = {
  type: 'ntfy',
  label: 'Ntfy',
  category: 'notification',
  fields: [
    property('host', { default: 'ntfy.sh', required: true }),
    property('topic', { required: true }),
    username(),
    password(),
    { ...insecureTls, label: 'Without TLS', hint: 'Uses http instead of https.' },
  ],
  url: (values) => {
    const who = values.username || values.password ? `${user(values)}:$(password)@` : ''
    const scheme = values.insecure_tls === true ? 'http' : 'https'
    return `ntfy://${who}${host(values.host)}/${part(values.topic)}${query({ Scheme: scheme })}`
  },
  test: 'Reads the topic; nothing is posted.',
} satisfies ConnectionKind
