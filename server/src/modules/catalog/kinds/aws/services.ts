import { record, records, word } from '../../../../platform/kubernetes/object.ts'
import { type Found, type Raw, refOf, type Scan } from './scan.ts'

/** Services of the query protocol beside EC2. */

export async function* loadBalancers(scan: Scan): AsyncGenerator<Found> {
  const service = 'elasticloadbalancing'
  const newer = { service, action: 'DescribeLoadBalancers', version: '2015-12-01' }
  for await (const page of scan.pages(newer, 'NextMarker', 'Marker')) {
    for (const each of records(page.LoadBalancers)) {
      const arn = word(each.LoadBalancerArn)
      yield {
        type: 'AWS::ElasticLoadBalancingV2::LoadBalancer',
        id: arn,
        arn,
        name: word(each.LoadBalancerName),
        config: each,
        status: word(record(each.State).Code),
        created: each.CreatedTime,
        vpc: each.VpcId,
        related: texts(each.SecurityGroups).map((id) => ({
          to: refOf('AWS::EC2::SecurityGroup', id),
          relation: 'SecurityGroupLoadBalancer',
        })),
      }
    }
  }
  const classic = { service, action: 'DescribeLoadBalancers', version: '2012-06-01' }
  for await (const page of scan.pages(classic, 'NextMarker', 'Marker')) {
    for (const each of records(page.LoadBalancerDescriptions)) {
      const name = word(each.LoadBalancerName)
      const arn = scan.arn('elasticloadbalancing', `loadbalancer/${name}`)
      yield {
        type: 'AWS::ElasticLoadBalancing::LoadBalancer',
        id: arn,
        arn,
        name,
        config: each,
        created: each.CreatedTime,
        vpc: each.VPCId,
        related: records(each.Instances).map(({ InstanceId }) => ({
          to: refOf('AWS::EC2::Instance', InstanceId),
          relation: 'LoadBalancerInstance',
        })),
      }
    }
  }
}

const texts = (list: unknown): string[] => (Array.isArray(list) ? list.map(word).filter(Boolean) : [])

export async function* databases(scan: Scan): AsyncGenerator<Found> {
  const lists = ['DBInstance', 'Tag', 'VpcSecurityGroupMembership']
  const call = { service: 'rds', action: 'DescribeDBInstances', version: '2014-10-31', lists }
  for await (const page of scan.pages(call, 'Marker', 'Marker')) {
    for (const each of records(record(page.DBInstances).DBInstance)) {
      const arn = word(each.DBInstanceArn)
      const groups = records(record(each.VpcSecurityGroups).VpcSecurityGroupMembership)
      yield {
        type: 'AWS::RDS::DBInstance',
        id: arn,
        arn,
        name: word(each.DBInstanceIdentifier),
        config: each,
        status: word(each.DBInstanceStatus),
        tags: record(each.TagList).Tag,
        created: each.InstanceCreateTime,
        zone: each.AvailabilityZone,
        vpc: record(each.DBSubnetGroup).VpcId,
        related: groups.map(({ VpcSecurityGroupId }) => ({
          to: refOf('AWS::EC2::SecurityGroup', VpcSecurityGroupId),
          relation: 'SecurityGroupDBInstance',
        })),
      }
    }
  }
}

export async function* caches(scan: Scan): AsyncGenerator<Found> {
  const call = {
    service: 'elasticache',
    action: 'DescribeCacheClusters',
    version: '2015-02-02',
    lists: ['CacheCluster'],
  }
  for await (const page of scan.pages(call, 'Marker', 'Marker')) {
    for (const each of records(record(page.CacheClusters).CacheCluster)) {
      const id = word(each.CacheClusterId)
      const arn = word(each.ARN) || scan.arn('elasticache', `cluster:${id}`)
      const zone = word(each.PreferredAvailabilityZone)
      yield {
        type: 'AWS::ElastiCache::CacheCluster',
        id: arn,
        arn,
        name: id,
        config: each,
        status: word(each.CacheClusterStatus),
        created: each.CacheClusterCreateTime,
        zone: zone === 'Multiple' ? '' : zone,
      }
    }
  }
}

export async function* stacks(scan: Scan): AsyncGenerator<Found> {
  const call = { service: 'cloudformation', action: 'DescribeStacks', version: '2010-05-15' }
  for await (const page of scan.pages(call, 'NextToken', 'NextToken')) {
    for (const each of records(page.Stacks)) {
      const arn = word(each.StackId)
      yield {
        type: 'AWS::CloudFormation::Stack',
        id: arn,
        arn,
        name: word(each.StackName),
        config: withoutParameters(each),
        status: word(each.StackStatus),
        tags: each.Tags,
        created: each.CreationTime,
        parents: word(each.ParentId) ? [refOf('AWS::CloudFormation::Stack', each.ParentId)] : [],
      }
    }
  }
}

/** Parameters that a template does not mark as secret may hold one all the same; their names are enough. */
function withoutParameters(stack: Raw): Raw {
  const Parameters = records(stack.Parameters).map(({ ParameterKey }) => ({ ParameterKey }))
  return { ...stack, ...(Parameters.length > 0 ? { Parameters } : {}) }
}

export async function* topics(scan: Scan): AsyncGenerator<Found> {
  for await (const page of scan.pages(
    { service: 'sns', action: 'ListTopics', version: '2010-03-31' },
    'NextToken',
    'NextToken',
  )) {
    for (const { TopicArn } of records(page.Topics)) {
      const arn = word(TopicArn)
      yield { type: 'AWS::SNS::Topic', id: arn, arn, name: arn.split(':').at(-1), config: { TopicArn: arn } }
    }
  }
}

export async function* queues(scan: Scan): AsyncGenerator<Found> {
  const list = {
    service: 'sqs',
    action: 'ListQueues',
    version: '2012-11-05',
    lists: ['QueueUrl'],
    parameters: { MaxResults: '1000' },
  }
  for await (const page of scan.pages(list, 'NextToken', 'NextToken')) {
    for (const QueueUrl of texts(page.QueueUrl)) {
      const answer = await scan.xml({
        service: 'sqs',
        action: 'GetQueueAttributes',
        version: '2012-11-05',
        lists: ['Attribute'],
        parameters: { QueueUrl, 'AttributeName.1': 'All' },
      })
      const all = Object.fromEntries(records(answer.Attribute).map(({ Name, Value }) => [word(Name), Value]))
      // How many wait at this moment is no configuration.
      const Attributes = Object.fromEntries(
        Object.entries(all).filter(([name]) => !name.startsWith('ApproximateNumber')),
      )
      const name = QueueUrl.split('/').at(-1)!
      const arn = word(all.QueueArn) || scan.arn('sqs', name)
      yield { type: 'AWS::SQS::Queue', id: arn, arn, name, config: { QueueUrl, Attributes } }
    }
  }
}

async function* iam(scan: Scan, action: string, field: string): AsyncGenerator<Raw> {
  for await (const page of scan.pages({ service: 'iam', action, version: '2010-05-08' }, 'Marker', 'Marker'))
    yield* records(page[field])
}

const identity = (type: string, each: Raw, name: unknown, config: Raw): Found => ({
  type,
  id: word(each.Arn),
  arn: word(each.Arn),
  name: word(name),
  config,
  tags: each.Tags,
  created: each.CreateDate,
})

export async function* roles(scan: Scan): AsyncGenerator<Found> {
  for await (const each of iam(scan, 'ListRoles', 'Roles')) {
    const policy = word(each.AssumeRolePolicyDocument)
    const config = policy ? { ...each, AssumeRolePolicyDocument: policyOf(policy) } : each
    yield identity('AWS::IAM::Role', each, each.RoleName, config)
  }
}

/** Policies come percent-encoded. */
function policyOf(text: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(text))
  } catch {
    return text
  }
}

export async function* users(scan: Scan): AsyncGenerator<Found> {
  for await (const { PasswordLastUsed: _, ...each } of iam(scan, 'ListUsers', 'Users'))
    yield identity('AWS::IAM::User', each, each.UserName, each)
}

export async function* profiles(scan: Scan): AsyncGenerator<Found> {
  for await (const each of iam(scan, 'ListInstanceProfiles', 'InstanceProfiles')) {
    yield {
      ...identity('AWS::IAM::InstanceProfile', each, each.InstanceProfileName, each),
      related: records(each.Roles).map(({ Arn }) => ({
        to: refOf('AWS::IAM::Role', Arn),
        relation: 'InstanceProfileRole',
      })),
    }
  }
}
