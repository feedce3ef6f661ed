import { password, property, secretProperty, url } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const restic = {
  type: 'restic',
  label: 'Restic',
  category: 'files',
  fields: [
    url({ label: 'Repository URL', required: true, placeholder: 's3:https://s3.amazonaws.com/bucket' }),
    password({ required: true }),
    property('awsConnectionName', { label: 'AWS connection', kind: 'connection' }),
    property('accessKey', { label: 'Access key' }),
    secretProperty('secretKey', { label: 'Secret key' }),
  ],
  test: 'Opens the repository with the restic program.',
} satisfies ConnectionKind
