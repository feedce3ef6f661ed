import { record, records, word } from '../../../../platform/kubernetes/object.ts'
import { byArn, type Found, listing, pagesOf, query, type Raw, refOf, type Scan, texts } from './scan.ts'

/** Services of the query protocol beside EC2. */

const related = (relation: string, type: string, ids: readonly unknown[]) =>
  ids.map((id) => ({ to: refOf(type, id), relation }))

const newerBalancers = listing({
  ask: query({ service: 'elasticloadbalancing', action: 'DescribeLoadBalancers', version: '2015-12-01' }),
  next: 'NextMarker',
  parameter: 'Marker',
  entries: (page) => page.LoadBalancers,
  found: (each) =>
    byArn('AWS::ElasticLoadBalancingV2::LoadBalancer', each.LoadBalancerArn, each, {
      name: word(each.LoadBalancerName),
      status: word(record(each.State).Code),
      created: each.CreatedTime,
      vpc: each.VpcId,
      related: related('SecurityGroupLoadBalancer', 'AWS::EC2::SecurityGroup', texts(each.SecurityGroups)),
    }),
})

const classicBalancers = listing({
  ask: query({ service: 'elasticloadbalancing', action: 'DescribeLoadBalancers', version: '2012-06-01' }),
  next: 'NextMarker',
  parameter: 'Marker',
  entries: (page) => page.LoadBalancerDescriptions,
  found: (each, scan) => {
    const name = word(each.LoadBalancerName)
    const instances = records(each.Instances).map(({ InstanceId }) => InstanceId)
    const arn = scan.arn('elasticloadbalancing', `loadbalancer/${name}`)
    return byArn('AWS::ElasticLoadBalancing::LoadBalancer', arn, each, {
      name,
      created: each.CreatedTime,
      vpc: each.VPCId,
      related: related('LoadBalancerInstance', 'AWS::EC2::Instance', instances),
    })
  },
})

export async function* loadBalancers(scan: Scan): AsyncGenerator<Found> {
  yield* newerBalancers(scan)
  yield* classicBalancers(scan)
}

export const databases = listing({
  ask: query({
    service: 'rds',
    action: 'DescribeDBInstances',
    version: '2014-10-31',
    lists: ['DBInstance', 'Tag', 'VpcSecurityGroupMembership'],
  }),
  next: 'Marker',
  entries: (page) => record(page.DBInstances).DBInstance,
  found: (each) => {
    const groups = records(record(each.VpcSecurityGroups).VpcSecurityGroupMembership)
    const ids = groups.map(({ VpcSecurityGroupId }) => VpcSecurityGroupId)
    return byArn('AWS::RDS::DBInstance', each.DBInstanceArn, each, {
      name: word(each.DBInstanceIdentifier),
      status: word(each.DBInstanceStatus),
      tags: record(each.TagList).Tag,
      created: each.InstanceCreateTime,
      zone: each.AvailabilityZone,
      vpc: record(each.DBSubnetGroup).VpcId,
      related: related('SecurityGroupDBInstance', 'AWS::EC2::SecurityGroup', ids),
    })
  },
})

export const caches = listing({
  ask: query({
    service: 'elasticache',
    action: 'DescribeCacheClusters',
    version: '2015-02-02',
    lists: ['CacheCluster'],
  }),
  next: 'Marker',
  entries: (page) => record(page.CacheClusters).CacheCluster,
  found: (each, scan) => {
    const id = word(each.CacheClusterId)
    const zone = word(each.PreferredAvailabilityZone)
    const arn = word(each.ARN) || scan.arn('elasticache', `cluster:${id}`)
    return byArn('AWS::ElastiCache::CacheCluster', arn, each, {
      name: id,
      status: word(each.CacheClusterStatus),
      created: each.CacheClusterCreateTime,
      zone: zone === 'Multiple' ? '' : zone,
    })
  },
})

export const stacks = listing({
  ask: query({ service: 'cloudformation', action: 'DescribeStacks', version: '2010-05-15' }),
  entries: (page) => page.Stacks,
  found: (each) =>
    byArn('AWS::CloudFormation::Stack', each.StackId, withoutParameters(each), {
      name: word(each.StackName),
      status: word(each.StackStatus),
      tags: each.Tags,
      created: each.CreationTime,
      parents: word(each.ParentId) ? [refOf('AWS::CloudFormation::Stack', each.ParentId)] : [],
    }),
})

/** Parameters that a template does not mark as secret may hold one all the same; their names are enough. */
function withoutParameters(stack: Raw): Raw {
  const Parameters = records(stack.Parameters).map(({ ParameterKey }) => ({ ParameterKey }))
  return { ...stack, ...(Parameters.length > 0 ? { Parameters } : {}) }
}

export const topics = listing({
  ask: query({ service: 'sns', action: 'ListTopics', version: '2010-03-31' }),
  entries: (page) => page.Topics,
  found: ({ TopicArn }) => byArn('AWS::SNS::Topic', TopicArn, { TopicArn }, { name: word(TopicArn).split(':').at(-1) }),
})

export async function* queues(scan: Scan): AsyncGenerator<Found> {
  const sqs = { service: 'sqs', version: '2012-11-05' }
  const ask = query({ ...sqs, action: 'ListQueues', lists: ['QueueUrl'], parameters: { MaxResults: '1000' } })
  for await (const page of pagesOf((token) => ask(scan, token))) {
    for (const QueueUrl of texts(page.QueueUrl)) {
      const parameters = { QueueUrl, 'AttributeName.1': 'All' }
      const answer = await scan.xml({ ...sqs, action: 'GetQueueAttributes', lists: ['Attribute'], parameters })
      const all = Object.fromEntries(records(answer.Attribute).map(({ Name, Value }) => [word(Name), Value]))
      // How many wait at this moment is no configuration.
      const Attributes = Object.fromEntries(
        Object.entries(all).filter(([name]) => !name.startsWith('ApproximateNumber')),
      )
      const name = QueueUrl.split('/').at(-1)!
      const arn = word(all.QueueArn) || scan.arn('sqs', name)
      yield byArn('AWS::SQS::Queue', arn, { QueueUrl, Attributes }, { name })
    }
  }
}

/** Lists of people and machines who may do something. */
const identities = (type: string, action: string, field: string, more: (each: Raw) => Partial<Found>) =>
  listing({
    ask: query({ service: 'iam', action, version: '2010-05-08' }),
    next: 'Marker',
    entries: (page) => page[field],
    found: (each) => byArn(type, each.Arn, each, { tags: each.Tags, created: each.CreateDate, ...more(each) }),
  })

export const roles = identities('AWS::IAM::Role', 'ListRoles', 'Roles', (each) => {
  const policy = word(each.AssumeRolePolicyDocument)
  return {
    name: word(each.RoleName),
    config: policy ? { ...each, AssumeRolePolicyDocument: policyOf(policy) } : each,
  }
})

/** Policies come percent-encoded. */
function policyOf(text: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(text))
  } catch {
    return text
  }
}

export const users = identities('AWS::IAM::User', 'ListUsers', 'Users', ({ PasswordLastUsed: _, ...config }) => ({
  name: word(config.UserName),
  config,
}))

export const profiles = identities('AWS::IAM::InstanceProfile', 'ListInstanceProfiles', 'InstanceProfiles', (each) => ({
  name: word(each.InstanceProfileName),
  related: related(
    'InstanceProfileRole',
    'AWS::IAM::Role',
    records(each.Roles).map(({ Arn }) => Arn),
  ),
}))
