import { certificate, password, port, property, url, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const sftp = {
  type: 'sftp',
  label: 'SFTP',
  category: 'files',
  fields: [
    url({ key: 'host', label: 'Host', required: true }),
    port(22),
    username({ required: true }),
    password(),
    certificate({ label: 'SSH key', hint: 'Instead of a password.' }),
    property('path', { hint: 'A folder that must be there.' }),
  ],
  test: 'Signs in and lists the folder.',
} satisfies ConnectionKind
