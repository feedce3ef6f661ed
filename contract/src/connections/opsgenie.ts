import { host } from './address.ts'
import { password, port, property } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const opsgenie = {
  type: 'opsgenie',
  label: 'OpsGenie',
  category: 'notification',
  fields: [
    property('host', { default: 'api.opsgenie.com', required: true }),
    port(443),
    password({ label: 'API key', required: true }),
  ],
  url: (values) => `opsgenie://${host(values.host)}:${values.port ?? 443}/$(password)`,
  test: 'Asks for one alert; nothing is created.',
} satisfies ConnectionKind
