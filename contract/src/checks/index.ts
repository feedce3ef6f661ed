import type { z } from 'zod'
import { AlertmanagerCheck } from './alertmanager.ts'
import { AwsConfigCheck } from './aws-config.ts'
import { AwsConfigRuleCheck } from './aws-config-rule.ts'
import { AzureDevopsCheck } from './azure-devops.ts'
import { CatalogCheck } from './catalog.ts'
import { CloudwatchCheck } from './cloudwatch.ts'
import { DatabaseBackupCheck } from './database-backup.ts'
import { DnsCheck } from './dns.ts'
import { DynatraceCheck } from './dynatrace.ts'
import { ElasticsearchCheck } from './elasticsearch.ts'
import { ExecCheck } from './exec.ts'
import { FolderCheck } from './folder.ts'
import { GitProtocolCheck } from './git-protocol.ts'
import { GithubCheck } from './github.ts'
import { HttpCheck } from './http.ts'
import { IcmpCheck } from './icmp.ts'
import { JmeterCheck } from './jmeter.ts'
import { JunitCheck } from './junit.ts'
import { KubernetesCheck } from './kubernetes.ts'
import { KubernetesResourceCheck } from './kubernetes-resource.ts'
import { LdapCheck } from './ldap.ts'
import { MongodbCheck } from './mongodb.ts'
import { MssqlCheck } from './mssql.ts'
import { MysqlCheck } from './mysql.ts'
import { NamespaceCheck } from './namespace.ts'
import { OpensearchCheck } from './opensearch.ts'
import { PodCheck } from './pod.ts'
import { PostgresCheck } from './postgres.ts'
import { PrometheusCheck } from './prometheus.ts'
import { RedisCheck } from './redis.ts'
import { ResticCheck } from './restic.ts'
import { S3Check } from './s3.ts'
import { TcpCheck } from './tcp.ts'
import { WebhookCheck } from './webhook.ts'

/** Every kind of check that runs, by its key in a canary spec, with what people call it. */
export const checkSchemas = {
  http: { label: 'HTTP', schema: HttpCheck },
  tcp: { label: 'TCP', schema: TcpCheck },
  icmp: { label: 'ICMP Ping', schema: IcmpCheck },
  dns: { label: 'DNS', schema: DnsCheck },
  ldap: { label: 'LDAP', schema: LdapCheck },
  redis: { label: 'Redis', schema: RedisCheck },
  mongodb: { label: 'Mongo DB', schema: MongodbCheck },
  postgres: { label: 'PostgreSQL', schema: PostgresCheck },
  mysql: { label: 'MySQL', schema: MysqlCheck },
  mssql: { label: 'SQL Server', schema: MssqlCheck },
  elasticsearch: { label: 'Elasticsearch', schema: ElasticsearchCheck },
  opensearch: { label: 'OpenSearch', schema: OpensearchCheck },
  prometheus: { label: 'Prometheus', schema: PrometheusCheck },
  alertmanager: { label: 'Alert Manager', schema: AlertmanagerCheck },
  catalog: { label: 'Mission Control Catalog', schema: CatalogCheck },
  webhook: { label: 'Webhook', schema: WebhookCheck },
  folder: { label: 'Folder', schema: FolderCheck },
  s3: { label: 'AWS S3', schema: S3Check },
  restic: { label: 'Restic', schema: ResticCheck },
  databaseBackup: { label: 'Database Backup', schema: DatabaseBackupCheck },
  exec: { label: 'Exec', schema: ExecCheck },
  junit: { label: 'JUnit', schema: JunitCheck },
  jmeter: { label: 'JMeter', schema: JmeterCheck },
  github: { label: 'GitHub', schema: GithubCheck },
  gitProtocol: { label: 'Git Protocol', schema: GitProtocolCheck },
  kubernetes: { label: 'Kubernetes', schema: KubernetesCheck },
  kubernetesResource: { label: 'Kubernetes Resource', schema: KubernetesResourceCheck },
  namespace: { label: 'Kubernetes Namespace', schema: NamespaceCheck },
  pod: { label: 'Pod', schema: PodCheck },
  cloudwatch: { label: 'Cloud Watch', schema: CloudwatchCheck },
  awsConfig: { label: 'AWS Config', schema: AwsConfigCheck },
  awsConfigRule: { label: 'AWS Config Rule', schema: AwsConfigRuleCheck },
  azureDevops: { label: 'Azure DevOps', schema: AzureDevopsCheck },
  dynatrace: { label: 'Dynatrace', schema: DynatraceCheck },
} as const satisfies Record<string, { label: string; schema: z.ZodType }>

export type CheckKindKey = keyof typeof checkSchemas
