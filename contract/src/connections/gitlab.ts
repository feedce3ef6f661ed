import { password, url } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const gitlab = {
  type: 'gitlab',
  label: 'GitLab',
  category: 'code',
  icon: 'git',
  hidden: true,
  fields: [url({ placeholder: 'https://gitlab.com' }), password({ label: 'Personal access token', required: true })],
  test: 'Reads the user that the token belongs to.',
} satisfies ConnectionKind
