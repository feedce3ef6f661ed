import { password, port, property, url, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const smb = {
  type: 'smb',
  label: 'SMB',
  category: 'files',
  fields: [
    url({ key: 'server', label: 'Server', required: true }),
    port(445),
    property('share', { required: true, also: ['properties.sharename'] }),
    username({ required: true }),
    password({ required: true }),
    property('domain', { hint: 'WORKGROUP unless given.' }),
  ],
  test: 'Signs in and lists the share.',
} satisfies ConnectionKind
