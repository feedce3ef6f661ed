import { password, property, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const azure = {
  type: 'azure',
  label: 'Azure',
  category: 'cloud',
  fields: [
    username({ label: 'Client ID', required: true }),
    password({ label: 'Client secret', required: true }),
    property('tenant', { label: 'Tenant ID', required: true }),
  ],
  test: 'Asks for a token for the Microsoft Graph.',
} satisfies ConnectionKind
