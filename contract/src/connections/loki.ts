import { common } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const loki = {
  type: 'loki',
  label: 'Loki',
  category: 'monitoring',
  icon: 'logs',
  hidden: true,
  fields: common({ url: { placeholder: 'http://loki:3100' } }),
  test: 'Asks for the names of labels.',
} satisfies ConnectionKind
