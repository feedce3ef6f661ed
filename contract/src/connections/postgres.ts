import { common } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const postgres = {
  type: 'postgres',
  label: 'Postgres',
  category: 'database',
  fields: common({
    url: {
      placeholder: 'postgres://$(username):$(password)@host:5432/database',
      hint: '$(username) and $(password) stand for the fields below.',
    },
  }),
  test: 'Signs in and runs “select 1”.',
} satisfies ConnectionKind
