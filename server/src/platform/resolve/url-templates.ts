/** How the address of a connection is put together when only its parts are stored. */

interface Parts {
  insecure: boolean
  properties: Record<string, string>
}
type Template = (parts: Parts) => string

const user = '$(username):$(password)'
const database =
  (scheme: string, disabled: string): Template =>
  ({ insecure }) =>
    `${scheme}://${user}@$(properties.host)/$(properties.database)${insecure ? `?${disabled}` : ''}`

const templates: Record<string, Template> = {
  postgres: database('postgres', 'sslmode=disable'),
  mysql: database('mysql', 'sslMode=disabled'),
  sql_server: ({ properties }) =>
    `sqlserver://${user}@$(properties.host)?database=$(properties.database)${properties.trust_server_certificate ? '&TrustServerCertificate=$(properties.trust_server_certificate)' : ''}`,
  mongo: ({ insecure, properties }) => {
    const replicas = properties.replica_set ? '&replicaSet=$(properties.replica_set)' : ''
    return `mongodb://${user}@$(properties.host)/$(properties.database)?tls=${insecure ? 'false' : 'true'}${replicas}`
  },
  email: ({ properties }) => `smtp://${user}@$(properties.host):${properties.port || '25'}/`,
  discord: () => 'discord://$(password)@$(username)',
  ntfy: () => `ntfy://${user}@$(properties.host)/$(properties.topic)`,
  pushbullet: () => 'pushbullet://$(password)/$(properties.targets)',
  pushover: () => 'pushover://:$(password)@$(username)',
  slack: () => 'slack://$(password)@$(username)',
  telegram: () => 'telegram://$(password)@telegram/?Chats=$(username)',
  ifttt: () => 'ifttt://$(username)',
  opsgenie: ({ properties }) => `opsgenie://${properties.host ? '$(properties.host)' : 'api.opsgenie.com'}/$(password)`,
}

const needs: Record<string, string[]> = {
  postgres: ['host'],
  mysql: ['host'],
  sql_server: ['host'],
  mongo: ['host'],
  email: ['host'],
  ntfy: ['host', 'topic'],
  pushbullet: ['targets'],
}

/** The template for a connection that stores no address; undefined when its type has none or a part is missing. */
export function urlTemplateOf(type: string, parts: Parts): string | undefined {
  if ((needs[type] ?? []).some((name) => !parts.properties[name])) return undefined
  return templates[type]?.(parts)
}
