import type { CheckKind } from '../kind.ts'
import { alertmanager } from './alertmanager.ts'
import { awsConfig, awsConfigRule, cloudwatch } from './aws-kinds.ts'
import { azureDevops } from './azure-devops.ts'
import { catalog } from './catalog.ts'
import { databaseBackup } from './database-backup.ts'
import { dns } from './dns.ts'
import { dynatrace } from './dynatrace.ts'
import { elasticsearch, opensearch } from './elasticsearch.ts'
import { exec } from './exec.ts'
import { folder } from './folder.ts'
import { gitProtocol } from './git-protocol.ts'
import { github } from './github.ts'
import { http } from './http.ts'
import { icmp } from './icmp.ts'
import { jmeter } from './jmeter.ts'
import { junit } from './junit.ts'
import { kubernetes } from './kubernetes.ts'
import { kubernetesResource } from './kubernetes-resource.ts'
import { ldap } from './ldap.ts'
import { mongodb } from './mongodb.ts'
import { mssql } from './mssql.ts'
import { mysql } from './mysql.ts'
import { namespace } from './namespace.ts'
import { pod } from './pod.ts'
import { postgres } from './postgres.ts'
import { prometheus } from './prometheus.ts'
import { redis } from './redis.ts'
import { restic } from './restic.ts'
import { s3 } from './s3.ts'
import { tcp } from './tcp.ts'
import { webhook } from './webhook.ts'

/** Every kind that runs. A new kind is a file here, its schema in the contract, and a line below. */
export const checkKinds = [
  alertmanager,
  awsConfig,
  awsConfigRule,
  azureDevops,
  catalog,
  cloudwatch,
  databaseBackup,
  dns,
  dynatrace,
  elasticsearch,
  exec,
  folder,
  gitProtocol,
  github,
  http,
  icmp,
  jmeter,
  junit,
  kubernetes,
  kubernetesResource,
  ldap,
  mongodb,
  mssql,
  mysql,
  namespace,
  opensearch,
  pod,
  postgres,
  prometheus,
  redis,
  restic,
  s3,
  tcp,
  webhook,
] as unknown as CheckKind[]
