import { common } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const sqlServer = {
  type: 'sql_server',
  label: 'SQL Server',
  category: 'database',
  fields: common({
    url: {
      placeholder: 'sqlserver://$(username):$(password)@host:1433?database=name',
      hint: '$(username) and $(password) stand for the fields below.',
    },
  }),
  test: 'Signs in and runs “select 1”.',
} satisfies ConnectionKind
