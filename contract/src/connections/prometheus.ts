import { common, secretProperty } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const prometheus = {
  type: 'prometheus',
  label: 'Prometheus',
  category: 'monitoring',
  fields: [
    ...common({ url: { placeholder: 'http://prometheus:9090' } }),
    secretProperty('bearer', { label: 'Bearer token' }),
  ],
  test: 'Reads the configuration of the server.',
} satisfies ConnectionKind
