import { certificate, password, property, url, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

const basic = { key: 'authentication', is: ['basic'] } as const

export const git = {
  type: 'git',
  label: 'Git',
  category: 'code',
  fields: [
    url({ required: true, placeholder: 'https://github.com/acme/shop.git' }),
    {
      key: 'authentication',
      label: 'Authentication',
      to: 'certificate',
      kind: 'choice',
      default: 'none',
      options: [
        { value: 'none', label: 'None' },
        { value: 'basic', label: 'Basic' },
        { value: 'ssh', label: 'SSH' },
      ],
      derived: ({ username, password, certificate }) => (certificate ? 'ssh' : username || password ? 'basic' : 'none'),
    },
    username({ required: true, when: basic }),
    password({ label: 'Password or token', required: true, when: basic }),
    certificate({ label: 'SSH key', required: true, when: { key: 'authentication', is: ['ssh'] } }),
    property('ref', { default: 'main', hint: 'A branch or tag.' }),
  ],
  test: 'Asks the repository for the branch or tag.',
} satisfies ConnectionKind
