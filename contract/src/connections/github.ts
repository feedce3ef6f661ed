import { password, url } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const github = {
  type: 'github',
  label: 'GitHub',
  category: 'code',
  fields: [
    url({ placeholder: 'https://api.github.com', hint: 'Only for GitHub Enterprise.' }),
    password({ label: 'Personal access token', required: true }),
  ],
  test: 'Reads the user that the token belongs to.',
} satisfies ConnectionKind
