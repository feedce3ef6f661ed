import { property } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const folder = {
  type: 'folder',
  label: 'Folder',
  category: 'files',
  fields: [
    property('path', { required: true, placeholder: '/var/backups', hint: 'On the machine this server runs on.' }),
  ],
  test: 'Looks whether the folder is there.',
} satisfies ConnectionKind
