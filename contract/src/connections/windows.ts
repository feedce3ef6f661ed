import { insecureTls, password, property, url, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const windows = {
  type: 'windows',
  label: 'Windows',
  category: 'host',
  fields: [
    url({ label: 'Host', required: true, placeholder: 'host, or https://host:5986' }),
    username({ required: true }),
    password({ required: true }),
    property('domain'),
    insecureTls,
  ],
  test: 'Signs in to Windows Remote Management.',
} satisfies ConnectionKind
