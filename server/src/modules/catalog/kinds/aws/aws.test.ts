import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { AwsApi, awsAccount, awsArn, awsKeys } from '../../../../testing/aws-api.ts'
import { aws } from '../aws.ts'
import { aRun, type Collected, scrapeAll } from '../testing.ts'
import { classify } from './config-rules.ts'
import { healthOf, statusOf } from './health.ts'

vi.setConfig({ testTimeout: 30_000 })
const keys = awsKeys
const account = awsAccount
const arn = awsArn

const api = new AwsApi()
const { seen } = api

beforeAll(() => api.start())
beforeEach(() => api.reset())
afterAll(() => api.close())
const spec = (more: object = {}) => ({ ...keys, endpoint: api.url, region: ['eu-west-1'], ...more })
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
    api.denied = ['DescribeInstances', 'ListClusters', 'GET /clusters']
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
    api.busy = 2
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
    expect((await scrapeAll(aws, { endpoint: api.url })).failure?.message).toContain(
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
    expect(api.startTimes).toEqual([started.getTime() / 1000 - 7 * 86_400, 1_767_225_600])
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
    api.denied = ['DescribeTrustedAdvisorChecks']
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
