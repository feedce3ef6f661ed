import { record, records, word } from '../../../../platform/kubernetes/object.ts'
import { blank, isTelling } from '../telling.ts'
import { byArn, type Found, listing, pagesOf, type Raw, refOf, rest, type Scan, texts, withToken } from './scan.ts'

/** Services that speak JSON: containers, functions, files, zones, buckets. */

const seconds = (value: unknown): unknown => (typeof value === 'number' ? new Date(value * 1000).toISOString() : value)

const ecs = (scan: Scan, action: string, input: object) =>
  scan.json('ecs', `AmazonEC2ContainerServiceV20141113.${action}`, input)

async function ecsList(scan: Scan, action: string, field: string, input: object = {}): Promise<string[]> {
  const found: string[] = []
  const ask = (token: object) => ecs(scan, action, { ...input, ...token })
  for await (const page of pagesOf(ask, 'nextToken')) found.push(...texts(page[field]))
  return found
}

function* parts(list: readonly string[], size: number): Iterable<string[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}

export async function* ecsClusters(scan: Scan): AsyncGenerator<Found> {
  for (const clusters of parts(await ecsList(scan, 'ListClusters', 'clusterArns'), 100)) {
    const page = await ecs(scan, 'DescribeClusters', { clusters, include: ['TAGS', 'SETTINGS'] })
    for (const each of records(page.clusters)) {
      // How much runs at this moment is no configuration.
      const { runningTasksCount: _, pendingTasksCount: __, statistics: ___, ...config } = each
      const { clusterArn, clusterName, status, tags } = each
      yield byArn('AWS::ECS::Cluster', clusterArn, config, { name: word(clusterName), status: word(status), tags })
    }
  }
}

export async function* ecsServices(scan: Scan): AsyncGenerator<Found> {
  for (const cluster of await ecsList(scan, 'ListClusters', 'clusterArns')) {
    for (const services of parts(await ecsList(scan, 'ListServices', 'serviceArns', { cluster }), 10)) {
      const page = await ecs(scan, 'DescribeServices', { cluster, services, include: ['TAGS'] })
      for (const { events: _, ...each } of records(page.services)) {
        yield byArn('AWS::ECS::Service', each.serviceArn, each, {
          name: word(each.serviceName),
          status: word(each.status),
          tags: each.tags,
          created: seconds(each.createdAt),
          parents: [refOf('AWS::ECS::Cluster', cluster)],
          related: [{ to: refOf('AWS::ECS::TaskDefinition', each.taskDefinition), relation: 'ServiceTaskDefinition' }],
        })
      }
    }
  }
}

export async function* ecsTasks(scan: Scan): AsyncGenerator<Found> {
  for (const cluster of await ecsList(scan, 'ListClusters', 'clusterArns')) {
    for (const tasks of parts(await ecsList(scan, 'ListTasks', 'taskArns', { cluster }), 100)) {
      const page = await ecs(scan, 'DescribeTasks', { cluster, tasks, include: ['TAGS'] })
      for (const each of records(page.tasks)) {
        yield byArn('AWS::ECS::Task', each.taskArn, masked(each), {
          name: word(each.taskArn).split('/').at(-1),
          status: word(each.lastStatus),
          tags: each.tags,
          created: seconds(each.createdAt),
          zone: each.availabilityZone,
          parents: [refOf('AWS::ECS::Cluster', cluster)],
          related: [{ to: refOf('AWS::ECS::TaskDefinition', each.taskDefinitionArn), relation: 'TaskTaskDefinition' }],
        })
      }
    }
  }
}

export async function* taskDefinitions(scan: Scan): AsyncGenerator<Found> {
  for (const taskDefinition of await ecsList(scan, 'ListTaskDefinitions', 'taskDefinitionArns', { status: 'ACTIVE' })) {
    const answer = await ecs(scan, 'DescribeTaskDefinition', { taskDefinition, include: ['TAGS'] })
    const each = record(answer.taskDefinition)
    yield byArn('AWS::ECS::TaskDefinition', taskDefinition, masked(each), {
      name: `${word(each.family)}:${String(each.revision as number)}`,
      tags: answer.tags,
      created: seconds(each.registeredAt),
    })
  }
}

/** Passwords are sometimes written into the environment of a container. */
function masked(definition: Raw): Raw {
  const lists = [
    ...records(definition.containerDefinitions).map(({ environment }) => environment),
    ...records(record(definition.overrides).containerOverrides).map(({ environment }) => environment),
  ]
  for (const variable of lists.flatMap(records)) if (isTelling(word(variable.name))) variable.value = blank
  return definition
}

export const repositories = listing({
  ask: (scan, token) =>
    scan.json('ecr', 'AmazonEC2ContainerRegistry_V20150921.DescribeRepositories', { maxResults: 1000, ...token }),
  next: 'nextToken',
  entries: (page) => page.repositories,
  found: (each) =>
    byArn('AWS::ECR::Repository', each.repositoryArn, each, {
      name: word(each.repositoryName),
      created: seconds(each.createdAt),
    }),
})

async function eksList(scan: Scan, path: string, field: string): Promise<string[]> {
  const found: string[] = []
  const ask = rest('eks', path)
  for await (const page of pagesOf((token) => ask(scan, token), 'nextToken')) found.push(...texts(page[field]))
  return found
}
const clusterNames = (scan: Scan) => eksList(scan, '/clusters?maxResults=100', 'clusters')

export async function* eksClusters(scan: Scan): AsyncGenerator<Found> {
  for (const name of await clusterNames(scan)) {
    const each = record((await scan.rest({ service: 'eks', path: `/clusters/${encodeURIComponent(name)}` })).cluster)
    const network = record(each.resourcesVpcConfig)
    yield byArn('AWS::EKS::Cluster', each.arn, each, {
      name,
      status: word(each.status),
      tags: each.tags,
      created: seconds(each.createdAt),
      vpc: network.vpcId,
      related: [
        ...texts(network.subnetIds).map((id) => ({ to: refOf('AWS::EC2::Subnet', id), relation: 'ClusterSubnet' })),
        { to: refOf('AWS::IAM::Role', each.roleArn), relation: 'ClusterRole' },
      ],
    })
  }
}

export async function* fargateProfiles(scan: Scan): AsyncGenerator<Found> {
  for (const cluster of await clusterNames(scan)) {
    const path = `/clusters/${encodeURIComponent(cluster)}/fargate-profiles`
    for (const name of await eksList(scan, path, 'fargateProfileNames')) {
      const answer = await scan.rest({ service: 'eks', path: `${path}/${encodeURIComponent(name)}` })
      const each = record(answer.fargateProfile)
      yield byArn('AWS::EKS::FargateProfile', each.fargateProfileArn, each, {
        name,
        status: word(each.status),
        tags: each.tags,
        created: seconds(each.createdAt),
        parents: [refOf('AWS::EKS::Cluster', scan.arn('eks', `cluster/${cluster}`))],
      })
    }
  }
}

export const functions = listing({
  ask: rest('lambda', '/2015-03-31/functions/?MaxItems=50'),
  next: 'NextMarker',
  parameter: 'Marker',
  entries: (page) => page.Functions,
  found: (each) => {
    const variables = record(record(each.Environment).Variables)
    for (const name of Object.keys(variables)) if (isTelling(name)) variables[name] = blank
    const network = record(each.VpcConfig)
    return byArn('AWS::Lambda::Function', each.FunctionArn, each, {
      name: word(each.FunctionName),
      // Functions that were not used for a while say nothing.
      status: word(each.State) || 'Active',
      vpc: network.VpcId,
      related: [
        { to: refOf('AWS::IAM::Role', each.Role), relation: 'FunctionRole' },
        ...texts(network.SecurityGroupIds).map((id) => ({
          to: refOf('AWS::EC2::SecurityGroup', id),
          relation: 'SecurityGroupFunction',
        })),
      ],
    })
  },
})

export const fileSystems = listing({
  ask: rest('elasticfilesystem', '/2015-02-01/file-systems?MaxItems=100'),
  next: 'NextMarker',
  parameter: 'Marker',
  entries: (page) => page.FileSystems,
  found: ({ SizeInBytes: _, ...each }, scan) => {
    const id = word(each.FileSystemId)
    return {
      type: 'AWS::EFS::FileSystem',
      id,
      arn: word(each.FileSystemArn) || scan.arn('elasticfilesystem', `file-system/${id}`),
      name: word(each.Name) || id,
      config: each,
      status: word(each.LifeCycleState),
      tags: each.Tags,
      created: seconds(each.CreationTime),
      zone: each.AvailabilityZoneName,
    }
  },
})

export const hostedZones = listing({
  ask: async (scan, token) => {
    const path = withToken('/2013-04-01/hostedzone?maxitems=100', token)
    const page = await scan.restXml({ service: 'route53', path, lists: ['HostedZone'] })
    return page.IsTruncated === true ? page : { ...page, NextMarker: undefined }
  },
  next: 'NextMarker',
  parameter: 'marker',
  entries: (page) => record(page.HostedZones).HostedZone,
  found: ({ CallerReference: _, ...each }) => {
    const id = word(each.Id).replace('/hostedzone/', '')
    return {
      type: 'AWS::Route53::HostedZone',
      id,
      arn: `arn:aws:route53:::hostedzone/${id}`,
      name: word(each.Name).replace(/\.$/, ''),
      config: each,
    }
  },
})

export async function* buckets(scan: Scan): AsyncGenerator<Found> {
  const page = await scan.restXml({ service: 's3', path: '/', lists: ['Bucket'] })
  for (const each of records(record(page.Buckets).Bucket)) {
    const name = word(each.Name)
    yield {
      type: 'AWS::S3::Bucket',
      id: name,
      arn: `arn:aws:s3:::${name}`,
      name,
      config: each,
      created: each.CreationDate,
    }
  }
}
