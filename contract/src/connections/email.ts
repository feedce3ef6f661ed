import { host, query } from './address.ts'
import { insecureTls, password, port, property, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const email = {
  type: 'email',
  label: 'Email',
  category: 'notification',
  fields: [
    property('host', { required: true }),
    port(587),
    username(),
    password(),
    property('from', { required: true, hint: 'The test sends a mail to this address.' }),
    property('fromName', { label: 'From name' }),
    property('encryptionMethod', {
      label: 'Encryption',
      kind: 'choice',
      default: 'Auto',
      options: ['None', 'ExplicitTLS', 'ImplicitTLS', 'Auto'].map((value) => ({ value, label: value })),
    }),
    property('authMethod', {
      label: 'Authentication method',
      kind: 'choice',
      default: 'Unknown',
      options: ['None', 'Plain', 'CRAMMD5', 'Unknown', 'OAuth2'].map((value) => ({ value, label: value })),
    }),
    insecureTls,
  ],
  url: (values) => {
    const settings = query({
      UseStartTLS: values.insecure_tls === true,
      Encryption: values.encryptionMethod,
      Auth: values.authMethod,
    })
    return `smtp://$(username):$(password)@${host(values.host)}:${values.port ?? 587}/${settings}`
  },
  test: 'Sends a mail to the From address.',
} satisfies ConnectionKind
