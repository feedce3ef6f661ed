import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkSignature } from '../../../../testing/aws-signature.ts'
import { fakeServer, json } from '../../../health/kinds/testing.ts'
import { aws } from '../aws.ts'
import { aRun, type Collected, scrapeAll } from '../testing.ts'
import { classify } from './config-rules.ts'
import { healthOf, statusOf } from './health.ts'

vi.setConfig({ testTimeout: 30_000 })
const keys = { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
const account = '123456789012'
const arn = (service: string, rest: string, region = 'eu-west-1') => `arn:aws:${service}:${region}:${account}:${rest}`

/** Answers of the services, by region where it matters. */
const xml: Record<string, (form: URLSearchParams, region: string) => string> = {
  GetCallerIdentity: () =>
    `<GetCallerIdentityResult><Account>${account}</Account><Arn>${arn('iam', 'user/ada')}</Arn></GetCallerIdentityResult>`,
  AssumeRole: () =>
    '<AssumeRoleResult><Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>role-secret-key-1</SecretAccessKey><SessionToken>session-token-1</SessionToken></Credentials></AssumeRoleResult>',
  DescribeAvailabilityZones: (_, region) =>
    `<availabilityZoneInfo><item><zoneName>${region}a</zoneName><zoneState>available</zoneState><zoneId>euw1-az1</zoneId></item></availabilityZoneInfo>`,
  DescribeVpcs: () =>
    '<vpcSet><item><vpcId>vpc-1</vpcId><state>available</state><cidrBlock>10.0.0.0/16</cidrBlock><isDefault>true</isDefault><tagSet><item><key>Name</key><value>main</value></item></tagSet></item></vpcSet>',
  DescribeSubnets: () =>
    '<subnetSet><item><subnetId>subnet-1</subnetId><vpcId>vpc-1</vpcId><state>available</state><availabilityZone>eu-west-1a</availabilityZone></item></subnetSet>',
  DescribeInstances: (form) => {
    const instance = (id: string, state: string) =>
      `<item><instancesSet><item><instanceId>${id}</instanceId><imageId>ami-1</imageId><instanceState><code>16</code><name>${state}</name></instanceState><launchTime>2026-01-01T00:00:00.000Z</launchTime><placement><availabilityZone>eu-west-1a</availabilityZone></placement><subnetId>subnet-1</subnetId><vpcId>vpc-1</vpcId><groupSet><item><groupId>sg-1</groupId></item></groupSet><blockDeviceMapping><item><ebs><volumeId>vol-1</volumeId></ebs></item></blockDeviceMapping><tagSet><item><key>Name</key><value>web &amp; api</value></item></tagSet></item></instancesSet></item>`
    return form.get('NextToken') === 'two'
      ? `<reservationSet>${instance('i-2', 'stopped')}</reservationSet>`
      : `<reservationSet>${instance('i-1', 'running')}</reservationSet><nextToken>two</nextToken>`
  },
  DescribeVolumes: () =>
    '<volumeSet><item><volumeId>vol-1</volumeId><status>in-use</status><availabilityZone>eu-west-1a</availabilityZone></item></volumeSet>',
  DescribeSecurityGroups: () =>
    '<securityGroupInfo><item><groupId>sg-1</groupId><groupName>web</groupName><vpcId>vpc-1</vpcId></item></securityGroupInfo>',
  DescribeDBInstances: () =>
    `<DescribeDBInstancesResult><DBInstances><DBInstance><DBInstanceIdentifier>orders</DBInstanceIdentifier><DBInstanceArn>${arn('rds', 'db:orders')}</DBInstanceArn><DBInstanceStatus>storage-full</DBInstanceStatus><TagList><Tag><Key>team</Key><Value>blue</Value></Tag></TagList></DBInstance></DBInstances></DescribeDBInstancesResult>`,
  DescribeStacks: () =>
    `<DescribeStacksResult><Stacks><member><StackId>${arn('cloudformation', 'stack/net/1')}</StackId><StackName>net</StackName><StackStatus>UPDATE_ROLLBACK_COMPLETE</StackStatus><Parameters><member><ParameterKey>DbPassword</ParameterKey><ParameterValue>hunter2</ParameterValue></member></Parameters></member></Stacks></DescribeStacksResult>`,
  ListRoles: () =>
    `<ListRolesResult><Roles><member><RoleName>deploy</RoleName><Arn>${arn('iam', 'role/deploy', '')}</Arn><AssumeRolePolicyDocument>%7B%22Version%22%3A%222012-10-17%22%7D</AssumeRolePolicyDocument></member></Roles><IsTruncated>false</IsTruncated></ListRolesResult>`,
  ListAccountAliases: () =>
    '<ListAccountAliasesResult><AccountAliases><member>acme</member></AccountAliases></ListAccountAliasesResult>',
  ListQueues: (_, region) =>
    `<ListQueuesResult><QueueUrl>https://sqs.${region}.amazonaws.com/${account}/jobs</QueueUrl></ListQueuesResult>`,
  GetQueueAttributes: (_, region) =>
    `<GetQueueAttributesResult><Attribute><Name>QueueArn</Name><Value>${arn('sqs', 'jobs', region)}</Value></Attribute><Attribute><Name>ApproximateNumberOfMessages</Name><Value>7</Value></Attribute></GetQueueAttributesResult>`,
}
let startTimes: number[] = []
const targets: Record<string, (input: Record<string, unknown>, region: string) => object> = {
  ListClusters: () => ({ clusterArns: [arn('ecs', 'cluster/main')] }),
  DescribeClusters: () => ({
    clusters: [{ clusterArn: arn('ecs', 'cluster/main'), clusterName: 'main', status: 'ACTIVE', runningTasksCount: 3 }],
  }),
  ListServices: () => ({ serviceArns: [] }),
  ListTasks: () => ({ taskArns: [] }),
  ListTaskDefinitions: () => ({ taskDefinitionArns: [arn('ecs', 'task-definition/web:1')] }),
  DescribeTaskDefinition: () => ({
    taskDefinition: {
      family: 'web',
      revision: 1,
      containerDefinitions: [
        {
          environment: [
            { name: 'DB_PASSWORD', value: 'hunter2' },
            { name: 'MODE', value: 'live' },
          ],
        },
      ],
    },
  }),
  DescribeRepositories: () => ({ repositories: [] }),
  LookupEvents: ({ StartTime }) => {
    startTimes.push(StartTime as number)
    const event = (EventId: string, EventName: string, name: string, more = {}) => ({
      EventId,
      EventName,
      EventTime: 1_767_225_600,
      Username: 'ada',
      Resources: [{ ResourceType: 'AWS::EC2::Instance', ResourceName: name }],
      CloudTrailEvent: JSON.stringify({ awsRegion: 'eu-west-1', eventID: EventId }),
      ...more,
    })
    return {
      Events: [
        event('e1', 'StopInstances', 'i-2'),
        event('e2', 'AssumeRole', 'i-1'),
        event('e3', 'RunInstances', 'i-unknown'),
      ],
    }
  },
  DescribeComplianceByConfigRule: () => ({
    ComplianceByConfigRules: [{ ConfigRuleName: 'ec2-instance-no-public-ip' }],
  }),
  GetComplianceDetailsByConfigRule: () => ({
    EvaluationResults: [
      {
        Annotation: 'has 1.2.3.4',
        EvaluationResultIdentifier: {
          EvaluationResultQualifier: { ResourceId: 'i-1', ResourceType: 'AWS::EC2::Instance' },
        },
      },
    ],
  }),
  DescribeTrustedAdvisorChecks: () => ({
    checks: [{ id: 'c1', name: 'Low utilization', category: 'cost_optimizing', metadata: ['Region', 'Instance ID'] }],
  }),
  DescribeTrustedAdvisorCheckResult: () => ({
    result: {
      flaggedResources: [
        { status: 'warning', region: 'eu-west-1', metadata: ['eu-west-1a', 'i-2'] },
        { status: 'ok', metadata: ['x', 'i-1'] },
      ],
    },
  }),
  StartQueryExecution: () => ({ QueryExecutionId: 'q1' }),
  GetQueryExecution: () => ({ QueryExecution: { Status: { State: 'SUCCEEDED' } } }),
  GetQueryResults: () => {
    const row = (...cells: (string | number)[]) => ({ Data: cells.map((cell) => ({ VarCharValue: String(cell) })) })
    return {
      ResultSet: {
        Rows: [row('resource', 'h', 'd', 'w', 'm'), row('i-1', 6, 100, 700, 3000), row('AmazonS3', 0, 1, 7, 30)],
      },
    }
  },
}
const rest: Record<string, object | string> = {
  'GET /clusters': { clusters: ['prod'] },
  'GET /clusters/prod': {
    cluster: {
      name: 'prod',
      arn: arn('eks', 'cluster/prod'),
      status: 'ACTIVE',
      resourcesVpcConfig: { vpcId: 'vpc-1' },
      tags: { team: 'blue' },
    },
  },
  'GET /clusters/prod/fargate-profiles': { fargateProfileNames: [] },
  'GET /2015-03-31/functions/': {
    Functions: [
      {
        FunctionName: 'resize',
        FunctionArn: arn('lambda', 'function:resize'),
        State: 'Active',
        Environment: { Variables: { API_KEY: 'hunter2', MODE: 'live' } },
      },
    ],
  },
  'GET /2015-02-01/file-systems': { FileSystems: [] },
  'GET /2013-04-01/hostedzone':
    '<?xml version="1.0"?><ListHostedZonesResponse><HostedZones><HostedZone><Id>/hostedzone/Z1</Id><Name>example.com.</Name></HostedZone></HostedZones><IsTruncated>false</IsTruncated></ListHostedZonesResponse>',
  'GET /':
    '<?xml version="1.0"?><ListAllMyBucketsResult><Buckets><Bucket><Name>backups</Name><CreationDate>2025-01-01T00:00:00Z</CreationDate></Bucket></Buckets></ListAllMyBucketsResult>',
  'POST /findings/list': {
    findings: [
      {
        title: 'CVE-2026-1 - openssl',
        severity: 'HIGH',
        description: 'bad',
        packageVulnerabilityDetails: { vulnerabilityId: 'CVE-2026-1' },
        resources: [{ id: 'i-1', type: 'AWS_EC2_INSTANCE', region: 'eu-west-1' }],
      },
    ],
  },
}

let fake: Awaited<ReturnType<typeof fakeServer>>
let denied: string[] = []
let busy = 0
const seen: string[] = []

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  const isRole = request.headers['x-amz-security-token'] === 'session-token-1'
  const signed = checkSignature(request, body, isRole ? 'role-secret-key-1' : keys.secretKey)
  const refuse = (code: string, message: string, status = 403) =>
    void response
      .writeHead(status)
      .end(`<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`)
  if (typeof signed === 'string') return refuse('SignatureDoesNotMatch', signed)
  if (signed.accessKey !== (isRole ? 'ASIAROLE' : keys.accessKey)) return refuse('InvalidClientTokenId', 'who?')
  const { region, service } = signed
  const target = String(request.headers['x-amz-target'] ?? '')
    .split('.')
    .at(-1)!
  const form = new URLSearchParams(body)
  const action = target || form.get('Action') || `${request.method} ${request.url!.split('?')[0]}`
  seen.push(`${service} ${region} ${action}${form.get('Version') ? ` ${form.get('Version')}` : ''}`)
  if (busy > 0 && action === 'DescribeVpcs') {
    busy--
    return refuse('RequestLimitExceeded', 'Request limit exceeded.', 503)
  }
  if (denied.includes(action)) {
    if (target)
      return json(response, { __type: 'x#AccessDeniedException', message: `not authorized to perform ${action}` }, 400)
    return refuse('UnauthorizedOperation', `not authorized to perform ${action}`)
  }
  if (target) {
    const found = targets[target]?.(JSON.parse(body), region)
    return found ? json(response, found) : json(response, { __type: 'UnknownOperationException' }, 400)
  }
  if (form.get('Action')) {
    const name = form.get('Action')!
    return void response.end(
      `<?xml version="1.0"?><${name}Response>${xml[name]?.(form, region) ?? ''}</${name}Response>`,
    )
  }
  const found = rest[action]
  if (typeof found === 'string') return void response.end(found)
  return found ? json(response, found) : json(response, { message: `nothing at ${action}` }, 404)
}

beforeAll(async () => {
  fake = await fakeServer(answer)
})
beforeEach(() => {
  denied = []
  seen.length = 0
  startTimes = []
})
afterAll(() => fake.close())
const spec = (more: object = {}) => ({ ...keys, endpoint: fake.url, region: ['eu-west-1'], ...more })
const named = ({ items }: Collected, type: string) => items.filter((item) => item.type === type)
const parents = (all: Collected, type: string) =>
  named(all, type)[0]!.parents!.map((ref) => ('externalId' in ref ? ref.externalId : ref.id))

describe('an account', () => {
  test('resources of all services, with where they are, how they are and what belongs to them', async () => {
    const all = await scrapeAll(aws, spec())
    expect(all.failure).toBeUndefined()
    expect(all.errors).toEqual([])
    expect(all.items.map(({ type, name }) => `${type} ${name}`).sort()).toEqual([
      'AWS::::Account acme',
      'AWS::AvailabilityZone eu-west-1a',
      'AWS::CloudFormation::Stack net',
      'AWS::EC2::Instance web & api',
      'AWS::EC2::Instance web & api',
      'AWS::EC2::SecurityGroup web',
      'AWS::EC2::Subnet subnet-1',
      'AWS::EC2::VPC main',
      'AWS::EC2::Volume vol-1',
      'AWS::ECS::Cluster main',
      'AWS::EKS::Cluster prod',
      'AWS::IAM::Role deploy',
      'AWS::Lambda::Function resize',
      'AWS::RDS::DBInstance orders',
      'AWS::Region eu-west-1',
      'AWS::Route53::HostedZone example.com',
      'AWS::S3::Bucket backups',
      'AWS::SQS::Queue jobs',
    ])
    const [first, second] = named(all, 'AWS::EC2::Instance')
    expect(first).toMatchObject({
      id: 'i-1',
      aliases: [arn('ec2', 'instance/i-1')],
      configClass: 'Instance',
      status: 'Running',
      health: 'healthy',
      labels: { Name: 'web & api' },
      tags: { account, region: 'eu-west-1', zone: 'eu-west-1a' },
      createdAt: new Date('2026-01-01T00:00:00Z'),
    })
    expect(second).toMatchObject({ id: 'i-2', status: 'Stopped', health: 'unknown' })
    expect(parents(all, 'AWS::EC2::Instance')).toEqual([
      'subnet-1',
      'vpc-1',
      `${account}/eu-west-1a`,
      `${account}/eu-west-1`,
      account,
    ])
    expect(parents(all, 'AWS::IAM::Role')).toEqual([account])
    expect(first!.relationships!.map(({ to }) => 'externalId' in to && to.externalId)).toEqual([
      'sg-1',
      'vol-1',
      'ami-1',
    ])
    expect(named(all, 'AWS::Region')[0]).toMatchObject({ shared: true })
    expect(named(all, 'AWS::RDS::DBInstance')[0]).toMatchObject({
      health: 'unhealthy',
      status: 'Storage full',
      labels: { team: 'blue' },
    })
    expect(named(all, 'AWS::EC2::VPC')[0]!.config).toMatchObject({ IsDefault: true, CidrBlock: '10.0.0.0/16' })
    expect(named(all, 'AWS::IAM::Role')[0]!.config).toMatchObject({
      AssumeRolePolicyDocument: { Version: '2012-10-17' },
    })
    expect(JSON.stringify(all.results)).not.toContain('hunter2')
    expect(JSON.stringify(all.results)).toContain('"MODE":"live"')
    expect(JSON.stringify(all.results)).not.toContain('ApproximateNumber')
    // Services of one address are signed for the region they live in.
    expect(seen).toContain('iam us-east-1 ListRoles 2010-05-08')
    expect(seen).toContain('ec2 eu-west-1 DescribeInstances 2016-11-15')
  })
  test('only what is asked for; several regions; what has one place is asked once', async () => {
    const few = await scrapeAll(aws, spec({ include: ['ec2INSTANCE', 'ECSTaskDefinition'] }))
    expect(new Set(few.items.map(({ type }) => type))).toEqual(
      new Set(['AWS::Region', 'AWS::AvailabilityZone', 'AWS::EC2::Instance', 'AWS::ECS::TaskDefinition']),
    )
    expect(JSON.stringify(few.items)).not.toContain('hunter2')
    seen.length = 0
    const both = await scrapeAll(aws, spec({ region: ['eu-west-1', 'eu-north-1'], exclude: ['EC2instance'] }))
    expect(named(both, 'AWS::EC2::Instance')).toEqual([])
    expect(named(both, 'AWS::SQS::Queue').map(({ id }) => id)).toEqual([
      arn('sqs', 'jobs'),
      arn('sqs', 'jobs', 'eu-north-1'),
    ])
    expect(seen.filter((line) => line.includes('ListRoles'))).toHaveLength(1)
    expect((await scrapeAll(aws, spec({ include: ['Spaceships'] }))).failure?.message).toContain(
      'there is no "Spaceships"',
    )
  })
  test('a service that refuses is told, the others are read', async () => {
    denied = ['DescribeInstances', 'ListClusters', 'GET /clusters']
    const all = await scrapeAll(aws, spec())
    expect(all.errors.map(({ item, partial }) => [item, partial])).toEqual([
      ['EC2instance in eu-west-1', undefined],
      ['EKS in eu-west-1', undefined],
      ['FargateProfile in eu-west-1', undefined],
      ['ecs in eu-west-1', undefined],
      ['ECSService in eu-west-1', undefined],
      ['ECSTask in eu-west-1', undefined],
    ])
    expect(all.errors[0]!.message).toBe(
      'DescribeInstances: code 403, UnauthorizedOperation, not authorized to perform DescribeInstances',
    )
    expect(named(all, 'AWS::EC2::VPC')).toHaveLength(1)
  })
  test('a service that is asked too often is asked again', async () => {
    busy = 2
    const all = await scrapeAll(aws, spec({ include: ['VPC'] }))
    expect(all.errors).toEqual([])
    expect(named(all, 'AWS::EC2::VPC')).toHaveLength(1)
    expect(seen.filter((line) => line.includes('DescribeVpcs'))).toHaveLength(3)
  })
  test('wrong keys, no keys, a role', async () => {
    const run = aRun()
    const wrong = await scrapeAll(aws, spec({ secretKey: 'not-the-secret-key' }), run)
    expect(wrong.failure?.message).toContain('SignatureDoesNotMatch')
    expect(run.secrets).toContain('not-the-secret-key')
    expect((await scrapeAll(aws, { endpoint: fake.url })).failure?.message).toContain(
      'accessKey and secretKey are needed',
    )
    const role = await scrapeAll(aws, spec({ assumeRole: arn('iam', 'role/read', ''), include: ['VPC'] }))
    expect(role.failure).toBeUndefined()
    expect(named(role, 'AWS::EC2::VPC')).toHaveLength(1)
  })
})

describe('what happened, what is wrong, what it costs', () => {
  test('CloudTrail events are changes of what they name, from where the last scrape ended', async () => {
    const kept = { value: undefined as unknown }
    const started = new Date('2026-01-03T00:00:00Z')
    const all = await scrapeAll(
      aws,
      spec({ include: ['EC2instance'], cloudtrail: {} }),
      aRun({ startedAt: started }, kept),
    )
    expect(all.changes).toEqual([
      expect.objectContaining({
        item: { externalId: 'i-2', type: 'AWS::EC2::Instance' },
        changeType: 'StopInstances',
        externalChangeId: 'e1',
        createdBy: 'ada',
        createdAt: new Date(1_767_225_600_000),
      }),
    ])
    await scrapeAll(
      aws,
      spec({ include: ['EC2instance'], cloudtrail: { exclude: [] } }),
      aRun({ startedAt: started }, kept),
    )
    expect(startTimes).toEqual([started.getTime() / 1000 - 7 * 86_400, 1_767_225_600])
  })
  test('rules of AWS Config, Inspector and Trusted Advisor are insights', async () => {
    const all = await scrapeAll(aws, spec({ compliance: true, inspector: true, trustedAdvisor: true }))
    expect(all.errors).toEqual([])
    expect(all.analyses).toMatchObject([
      {
        item: { externalId: 'i-1' },
        analyzer: 'ec2-instance-no-public-ip',
        analysisType: 'security',
        severity: 'critical',
        message: 'has 1.2.3.4',
      },
      { item: { externalId: 'i-1' }, analyzer: 'CVE-2026-1', severity: 'high' },
      {
        item: { externalId: 'i-2' },
        analyzer: 'Low utilization',
        analysisType: 'cost',
        severity: 'medium',
        message: 'Region: eu-west-1a<br>Instance ID: i-2',
      },
    ])
    denied = ['DescribeTrustedAdvisorChecks']
    expect((await scrapeAll(aws, spec({ trustedAdvisor: true }))).errors).toMatchObject([
      { item: 'Trusted Advisor in eu-west-1' },
    ])
  })
  test('costs go to their resource, the rest to the account', async () => {
    const costReporting = { table: 'cur', database: 'billing', s3BucketPath: 's3://answers/', region: 'us-east-1' }
    const all = await scrapeAll(aws, spec({ costReporting, include: ['EC2instance', 'Account'] }))
    expect(named(all, 'AWS::EC2::Instance')[0]!.costs).toEqual({
      perMinute: 0.1,
      total1d: 100,
      total7d: 700,
      total30d: 3000,
    })
    expect(named(all, 'AWS::EC2::Instance')[1]!.costs).toBeUndefined()
    expect(named(all, 'AWS::::Account')[0]!.costs).toEqual({ perMinute: 0, total1d: 1, total7d: 7, total30d: 30 })
    const wrong = await scrapeAll(aws, spec({ costReporting: { ...costReporting, table: 'cur"; drop' } }))
    expect(wrong.failure?.message).toContain('costReporting.table')
  })
})

test('states mean what they mean for their kind', () => {
  const is = (type: string, state: string) => healthOf(type, state)
  expect(is('AWS::RDS::DBInstance', 'available')).toBe('healthy')
  expect(is('AWS::RDS::DBInstance', 'backing-up')).toBe('healthy')
  expect(is('AWS::RDS::DBInstance', 'creating')).toBe('unknown')
  expect(is('AWS::RDS::DBInstance', 'incompatible-network')).toBe('unhealthy')
  expect(is('AWS::RDS::DBInstance', 'inaccessible-encryption-credentials-recoverable')).toBe('warning')
  expect(is('AWS::CloudFormation::Stack', 'CREATE_COMPLETE')).toBe('healthy')
  expect(is('AWS::CloudFormation::Stack', 'UPDATE_ROLLBACK_COMPLETE')).toBe('warning')
  expect(is('AWS::CloudFormation::Stack', 'UPDATE_ROLLBACK_FAILED')).toBe('unhealthy')
  expect(is('AWS::CloudFormation::Stack', 'CREATE_IN_PROGRESS')).toBe('unknown')
  expect(is('AWS::ElasticLoadBalancingV2::LoadBalancer', 'active_impaired')).toBe('warning')
  expect(is('AWS::Unheard::Of', 'fine')).toBe('unknown')
  expect(statusOf('in-use')).toBe('In use')
  expect(classify('s3-bucket-public-read-prohibited')).toEqual({ analysisType: 'security', severity: 'critical' })
  expect(classify('something-else')).toEqual({ analysisType: 'other', severity: 'info' })
})
