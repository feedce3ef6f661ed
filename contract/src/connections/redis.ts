import { insecureTls, password, property, url, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const redis = {
  type: 'redis',
  label: 'Redis',
  category: 'database',
  fields: [
    url({ required: true, placeholder: 'host:6379' }),
    username(),
    password(),
    property('db', { label: 'Database', kind: 'number', default: 0, min: 0, max: 65_535 }),
    insecureTls,
  ],
  test: 'Signs in, chooses the database and sends PING.',
} satisfies ConnectionKind
