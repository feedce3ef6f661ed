import { awsAccess } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const aws = {
  type: 'aws',
  label: 'AWS',
  category: 'cloud',
  fields: awsAccess('https://sts.us-east-1.amazonaws.com'),
  test: 'Asks AWS who these keys belong to (STS caller identity).',
} satisfies ConnectionKind
