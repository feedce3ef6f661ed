import { common } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const mysql = {
  type: 'mysql',
  label: 'MySQL',
  category: 'database',
  fields: common({
    url: {
      placeholder: 'mysql://$(username):$(password)@host:3306/database',
      hint: '$(username) and $(password) stand for the fields below.',
    },
  }),
  test: 'Signs in and runs “select 1”.',
} satisfies ConnectionKind
