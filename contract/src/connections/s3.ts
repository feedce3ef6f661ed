import { awsAccess, property } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const s3 = {
  type: 's3',
  label: 'AWS S3',
  category: 'cloud',
  fields: awsAccess('https://s3.example.com', [
    property('bucket', { required: true }),
    property('usePathStyle', {
      label: 'Bucket in the path',
      kind: 'switch',
      default: false,
      hint: 'For servers other than AWS.',
    }),
  ]),
  test: 'Asks for the head of the bucket.',
} satisfies ConnectionKind
