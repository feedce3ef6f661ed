import { port, url } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const jmeter = {
  type: 'jmeter',
  label: 'JMeter',
  category: 'monitoring',
  hidden: true,
  fields: [url({ key: 'host', label: 'Host', required: true }), port(1099)],
} satisfies ConnectionKind
