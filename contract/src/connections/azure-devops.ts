import { password, url, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const azureDevops = {
  type: 'azure_devops',
  label: 'Azure DevOps',
  category: 'code',
  fields: [
    url({ placeholder: 'https://dev.azure.com' }),
    username({ label: 'Organization', required: true }),
    password({ label: 'Personal access token', required: true }),
  ],
  test: 'Reads the profile that the token belongs to.',
} satisfies ConnectionKind
