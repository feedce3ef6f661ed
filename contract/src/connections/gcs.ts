import { certificate, property } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const gcs = {
  type: 'gcs',
  label: 'Google Cloud Storage',
  category: 'cloud',
  icon: 'gcp',
  hidden: true,
  fields: [
    property('bucket', { required: true }),
    certificate({ hint: 'The JSON key of a service account.' }),
    property('endpoint', { placeholder: 'https://storage.googleapis.com' }),
  ],
  test: 'Reads the attributes of the bucket.',
} satisfies ConnectionKind
