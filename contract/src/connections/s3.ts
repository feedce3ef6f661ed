import { insecureTls, password, property, url, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const s3 = {
  type: 's3',
  label: 'AWS S3',
  category: 'cloud',
  fields: [
    property('region', { required: true, placeholder: 'us-east-1' }),
    property('profile'),
    username({ label: 'Access key', required: true }),
    password({ label: 'Secret key', required: true }),
    property('bucket', { required: true }),
    property('usePathStyle', {
      label: 'Bucket in the path',
      kind: 'switch',
      default: false,
      hint: 'For servers other than AWS.',
    }),
    url({
      label: 'Endpoint',
      placeholder: 'https://s3.example.com',
      hint: 'Only for services that speak the AWS protocols elsewhere.',
    }),
    { ...insecureTls, also: ['properties.insecureTLS'] },
  ],
  test: 'Asks for the head of the bucket.',
} satisfies ConnectionKind
