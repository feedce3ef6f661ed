import { common } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const http = {
  type: 'http',
  label: 'HTTP',
  category: 'web',
  fields: common({ url: { placeholder: 'https://example.com/health' } }),
  test: 'Sends GET to the address; any answer from 200 to 299 is good.',
} satisfies ConnectionKind
