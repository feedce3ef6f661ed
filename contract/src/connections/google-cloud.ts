import { certificate, url } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const googleCloud = {
  type: 'google_cloud',
  label: 'Google Cloud',
  category: 'cloud',
  fields: [
    url({ label: 'Endpoint', placeholder: 'https://cloudresourcemanager.googleapis.com' }),
    certificate({ required: true, hint: 'The JSON key of a service account.' }),
  ],
  test: 'Signs in as the service account and lists projects.',
} satisfies ConnectionKind
