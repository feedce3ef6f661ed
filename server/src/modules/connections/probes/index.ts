import { aws } from './aws.ts'
import { azure } from './azure.ts'
import { azureDevops } from './azure-devops.ts'
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
import { googleCloud } from './google-cloud.ts'
import { http } from './http.ts'
import { kubernetes } from './kubernetes.ts'
import { ldap } from './ldap.ts'
import { loki } from './loki.ts'
import { matrix } from './matrix.ts'
import { mongo } from './mongo.ts'
import { mysql } from './mysql.ts'
import { ntfy } from './ntfy.ts'
import { opsgenie } from './opsgenie.ts'
import { postgres } from './postgres.ts'
import { prometheus } from './prometheus.ts'
import { pushbullet } from './pushbullet.ts'
import { pushover } from './pushover.ts'
import { redis } from './redis.ts'
import { restic } from './restic.ts'
import { s3 } from './s3.ts'
import { sftp } from './sftp.ts'
import { slack } from './slack.ts'
import { slackwebhook } from './slackwebhook.ts'
import { smb } from './smb.ts'
import { sqlServer } from './sql-server.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'
import { windows } from './windows.ts'
import { zulipChat } from './zulip-chat.ts'
import type { Probe } from './probe.ts'

/** How each type is tried. A type that is not here can only be tried by using it. */
export const probes: Readonly<Record<string, Probe>> = {
  aws,
  azure,
  azure_devops: azureDevops,
  discord,
  dynatrace,
  elasticsearch,
  opensearch: elasticsearch,
  email,
  folder,
  gcs,
  generic_webhook: genericWebhook,
  git,
  github,
  gitlab,
  google_cloud: googleCloud,
  http,
  kubernetes,
  ldap,
  loki,
  matrix,
  mongo,
  mysql,
  ntfy,
  opsgenie,
  postgres,
  prometheus,
  pushbullet,
  pushover,
  redis,
  restic,
  s3,
  sftp,
  slack,
  slackwebhook,
  smb,
  sql_server: sqlServer,
  telegram,
  webhook,
  windows,
  zulip_chat: zulipChat,
}
