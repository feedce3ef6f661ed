import { type CheckKind, everyMinute, startWith } from './kind.ts'

const every = (schedule: string, key: string, check: Record<string, unknown>) => ({
  ...startWith(key, check),
  schedule,
})
const awsConnection = 'connection://default/aws'

/** Kinds without a form: each starts with a spec that shows what is needed. */
export const rawKinds: CheckKind[] = [
  {
    key: 'awsConfigRule',
    label: 'AWS Config Rule',
    icon: 'aws',
    start: every('@every 30m', 'awsConfigRule', { connection: awsConnection, complianceTypes: ['NON_COMPLIANT'] }),
  },
  {
    key: 'awsConfig',
    label: 'AWS Config',
    icon: 'aws',
    start: every('@every 30m', 'awsConfig', {
      connection: awsConnection,
      query: "SELECT resourceId, resourceType WHERE resourceType = 'AWS::S3::Bucket'",
    }),
  },
  {
    key: 'github',
    label: 'GitHub',
    icon: 'github',
    start: every('@every 30m', 'github', { connection: 'connection://default/github', query: '' }),
  },
  {
    key: 'awsConfig',
    label: 'EC2',
    icon: 'aws',
    // A kind of its own it is no longer: the instances are asked for through AWS Config.
    start: every('@every 30m', 'awsConfig', {
      connection: awsConnection,
      query:
        "SELECT resourceId, configuration.state.name WHERE resourceType = 'AWS::EC2::Instance' AND configuration.state.name <> 'running'",
      test: { expr: 'size(results) == 0' },
    }),
  },
  {
    key: 'ldap',
    label: 'LDAP',
    icon: 'ldap',
    start: startWith('ldap', { url: 'ldap://localhost:389', bindDN: 'dc=example,dc=org', userSearch: '(uid=*)' }),
  },
  {
    key: 'pod',
    label: 'Pod',
    icon: 'pod',
    start: every('@every 5m', 'pod', {
      spec: { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'app', image: 'nginx' }] } },
    }),
  },
  {
    key: 'cloudwatch',
    label: 'Cloud Watch',
    icon: 'cloudwatch',
    start: every('@every 5m', 'cloudwatch', { connection: awsConnection }),
  },
  {
    key: 'dns',
    label: 'DNS',
    icon: 'dns',
    start: startWith('dns', { query: 'example.com', querytype: 'A', minrecords: 1 }),
  },
  {
    key: 'folder',
    label: 'GCS',
    icon: 'gcs',
    start: every('@every 5m', 'folder', {
      path: 'gcs://bucket/folder',
      gcpConnection: { connection: 'connection://default/gcp' },
      minCount: 1,
    }),
  },
  {
    key: 's3',
    label: 'AWS S3',
    icon: 's3',
    start: every('@every 5m', 's3', { connection: awsConnection, bucketName: '' }),
  },
  {
    key: 'folder',
    label: 'SMB',
    icon: 'smb',
    start: every('@every 5m', 'folder', {
      path: 'smb://server/share/folder',
      smbConnection: { connection: 'connection://default/smb' },
      minCount: 1,
    }),
  },
  {
    key: 'folder',
    label: 'SFTP',
    icon: 'sftp',
    start: every('@every 5m', 'folder', {
      path: '/folder',
      sftpConnection: { connection: 'connection://default/sftp' },
      minCount: 1,
    }),
  },
  {
    key: 'prometheus',
    label: 'Prometheus',
    icon: 'prometheus',
    start: startWith('prometheus', {
      url: 'http://prometheus:9090',
      query: 'up == 0',
      test: { expr: 'size(results) == 0' },
    }),
  },
  {
    key: 'kubernetes',
    label: 'Kubernetes',
    icon: 'kubernetes',
    start: every('@every 5m', 'kubernetes', { kind: 'Pod', namespaceSelector: { name: 'default' }, healthy: true }),
  },
  {
    key: 'postgres',
    label: 'SQL Query',
    icon: 'postgres',
    start: startWith('postgres', { connection: 'connection://default/postgres', query: 'select 1', results: 1 }),
  },
  {
    key: 'catalog',
    label: 'Mission Control Catalog',
    icon: 'blocks',
    start: every('@every 5m', 'catalog', { selector: [{ types: ['Kubernetes::Pod'] }] }),
  },
  {
    key: 'azureDevops',
    label: 'Azure DevOps',
    icon: 'azure_devops',
    start: every('@every 5m', 'azureDevops', {
      connection: 'connection://default/azure-devops',
      project: '',
      pipeline: '.*',
    }),
  },
  {
    key: 'jmeter',
    label: 'JMeter',
    icon: 'jmeter',
    start: every('@every 30m', 'jmeter', { jmx: { valueFrom: { configMapKeyRef: { name: 'jmeter', key: 'plan' } } } }),
  },
  {
    key: 'junit',
    label: 'JUnit',
    icon: 'junit',
    start: every('@every 30m', 'junit', {
      testResults: '/tmp/junit-results',
      spec: { containers: [{ name: 'tests', image: '' }] },
    }),
  },
  {
    key: 'dynatrace',
    label: 'Dynatrace',
    icon: 'dynatrace',
    start: every('@every 5m', 'dynatrace', { connection: 'connection://default/dynatrace' }),
  },
  {
    key: 'namespace',
    label: 'Kubernetes Namespace',
    icon: 'namespace',
    start: every('@every 30m', 'namespace', {
      namespaceNamePrefix: 'check-',
      podSpec: { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'app', image: 'nginx' }] } },
    }),
  },
  { label: 'Custom', icon: 'check', start: { schedule: everyMinute } },
]
