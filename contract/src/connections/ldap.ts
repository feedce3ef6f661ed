import { common } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const ldap = {
  type: 'ldap',
  label: 'LDAP',
  category: 'host',
  fields: common({ url: { placeholder: 'ldaps://directory.example.com' } }),
  test: 'Binds with the username, which is a distinguished name.',
} satisfies ConnectionKind
