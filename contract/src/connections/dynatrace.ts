import { password, property, url } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const dynatrace = {
  type: 'dynatrace',
  label: 'Dynatrace',
  category: 'monitoring',
  fields: [
    url({ key: 'host', label: 'Host', required: true, placeholder: 'abc12345.live.dynatrace.com' }),
    password({ label: 'API key', required: true }),
    property('scheme', {
      kind: 'choice',
      default: 'https',
      options: [
        { value: 'https', label: 'https' },
        { value: 'http', label: 'http' },
      ],
    }),
  ],
  test: 'Asks for one problem; the key needs the scope problems.read.',
} satisfies ConnectionKind
