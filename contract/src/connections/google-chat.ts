import { part } from './address.ts'
import { password, property, username } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const googleChat = {
  type: 'google_chat',
  label: 'Google Chat',
  category: 'notification',
  fields: [
    property('webhook', { label: 'Space', required: true, hint: 'The part of the webhook address after /spaces/.' }),
    username({ label: 'Key', kind: 'secret', required: true }),
    password({ label: 'Token', required: true }),
  ],
  url: ({ webhook }) =>
    `googlechat://chat.googleapis.com/v1/spaces/${part(webhook)}/messages?key=$(username)&token=$(password)`,
} satisfies ConnectionKind
