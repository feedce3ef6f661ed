import { common } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const mongo = {
  type: 'mongo',
  label: 'Mongo',
  category: 'database',
  fields: common({ url: { placeholder: 'mongodb://$(username):$(password)@host:27017/?authSource=admin' } }),
  test: 'Signs in and pings the primary.',
} satisfies ConnectionKind
