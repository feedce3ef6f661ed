import { endpoint, password, property } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const pushbullet = {
  type: 'pushbullet',
  label: 'Pushbullet',
  category: 'notification',
  fields: [
    password({ label: 'Access token', required: true }),
    property('targets', { required: true, hint: 'Devices, channels or e-mail addresses, separated by slashes.' }),
    endpoint('https://api.pushbullet.com'),
  ],
  url: ({ targets }) => `pushbullet://$(password)/${encodeURI(String(targets ?? ''))}`,
  test: 'Reads the user that the token belongs to.',
} satisfies ConnectionKind
