import { host, query, user } from './address.ts'
import { insecureTls, password, property, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const matrix = {
  type: 'matrix',
  label: 'Matrix',
  category: 'notification',
  fields: [
    property('host', { required: true, placeholder: 'matrix.org' }),
    username({ required: true }),
    password({ required: true }),
    insecureTls,
  ],
  url: (values) =>
    `matrix://${user(values)}:$(password)@${host(values.host)}/${query({ DisableTLS: values.insecure_tls === true })}`,
  test: 'Signs in and out again.',
} satisfies ConnectionKind
