import { host, part } from './address.ts'
import { property } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const teams = {
  type: 'teams',
  label: 'Teams',
  category: 'notification',
  icon: 'message',
  fields: [
    property('group', { required: true }),
    property('tenant', { required: true }),
    property('altID', { label: 'Alt ID', required: true }),
    property('groupOwner', { label: 'Group owner', required: true }),
    property('host', { default: 'outlook.office.com', required: true }),
  ],
  url: ({ group, tenant, altID, groupOwner, host: server }) =>
    `teams://${part(group)}@${part(tenant)}/${part(altID)}/${part(groupOwner)}?host=${host(server)}`,
} satisfies ConnectionKind
