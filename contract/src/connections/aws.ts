import { insecureTls, password, property, url, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const aws = {
  type: 'aws',
  label: 'AWS',
  category: 'cloud',
  fields: [
    property('region', { required: true, placeholder: 'us-east-1' }),
    property('profile'),
    username({ label: 'Access key', required: true }),
    password({ label: 'Secret key', required: true }),
    url({
      label: 'Endpoint',
      placeholder: 'https://sts.us-east-1.amazonaws.com',
      hint: 'Only for services that speak the AWS protocols elsewhere.',
    }),
    { ...insecureTls, also: ['properties.insecureTLS'] },
  ],
  test: 'Asks AWS who these keys belong to (STS caller identity).',
} satisfies ConnectionKind
