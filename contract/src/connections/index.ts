import { aws } from './aws.ts'
import { azureDevops } from './azure-devops.ts'
import { azure } from './azure.ts'
import { discord } from './discord.ts'
import { dynatrace } from './dynatrace.ts'
import { elasticsearch } from './elasticsearch.ts'
import { email } from './email.ts'
import { folder } from './folder.ts'
import { gcs } from './gcs.ts'
import { genericWebhook } from './generic-webhook.ts'
import { git } from './git.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { googleChat } from './google-chat.ts'
import { googleCloud } from './google-cloud.ts'
import { http } from './http.ts'
import { ifttt } from './ifttt.ts'
import { jmeter } from './jmeter.ts'
import { kubernetes } from './kubernetes.ts'
import { ldap } from './ldap.ts'
import { loki } from './loki.ts'
import { matrix } from './matrix.ts'
import { mattermost } from './mattermost.ts'
import { mongo } from './mongo.ts'
import { mysql } from './mysql.ts'
import { ntfy } from './ntfy.ts'
import { opensearch } from './opensearch.ts'
import { opsgenie } from './opsgenie.ts'
import { postgres } from './postgres.ts'
import { prometheus } from './prometheus.ts'
import { pushbullet } from './pushbullet.ts'
import { pushover } from './pushover.ts'
import { redis } from './redis.ts'
import { restic } from './restic.ts'
import { rocketchat } from './rocketchat.ts'
import { s3 } from './s3.ts'
import { sftp } from './sftp.ts'
import { slack } from './slack.ts'
import { slackwebhook } from './slackwebhook.ts'
import { smb } from './smb.ts'
import { sqlServer } from './sql-server.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'
import { windows } from './windows.ts'
import { zulipChat } from './zulip-chat.ts'
import type { ConnectionKind } from './kind.ts'

/** Every type there is; a new one is a file and a line here. */
export const connectionKinds: readonly ConnectionKind[] = [
  aws,
  azureDevops,
  azure,
  discord,
  dynatrace,
  elasticsearch,
  email,
  folder,
  gcs,
  genericWebhook,
  git,
  github,
  gitlab,
  googleChat,
  googleCloud,
  http,
  ifttt,
  jmeter,
  kubernetes,
  ldap,
  loki,
  matrix,
  mattermost,
  mongo,
  mysql,
  ntfy,
  opensearch,
  opsgenie,
  postgres,
  prometheus,
  pushbullet,
  pushover,
  redis,
  restic,
  rocketchat,
  s3,
  sftp,
  slack,
  slackwebhook,
  smb,
  sqlServer,
  teams,
  telegram,
  webhook,
  windows,
  zulipChat,
]

const byType = new Map(connectionKinds.map((kind) => [kind.type, kind]))

export const connectionKind = (type: string): ConnectionKind | undefined => byType.get(type)

/** What a person may choose for a new connection, by name. */
export const offeredKinds = connectionKinds
  .filter(({ hidden }) => !hidden)
  .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
